import type { Settings } from './env.ts'

/**
 * Settings missing for production use, and what does not work without them. Logged at start-up, so that the operator
 * learns of it before users do.
 */
export function unconfigured(settings: Settings): string[] {
  const { smtpUrl, resend, sms, whatsapp, model, google, places, authSecret, publicUrl, trustedProxies } = settings
  return [
    !smtpUrl && !resend && 'SMTP_URL or RESEND_API_KEY: mail is recorded in the outbox and reaches nobody',
    sms.length === 0 && 'SMS_ACCOUNT, SMS_TOKEN, SMS_FROM: no text messages, no sign-in by phone',
    !whatsapp && 'WHATSAPP_PHONE_ID, WHATSAPP_TOKEN: no WhatsApp messages',
    !model && 'MODEL_BASE_URL: the assistant answers by templates alone',
    !google && 'GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET: no sign-in with Google',
    !places && 'GOOGLE_PLACES_KEY: addresses are looked up among cities and churches only',
    !authSecret && 'AUTH_SECRET: one is kept in the database, where a copy of the database carries it along',
    /^http:/.test(publicUrl) && 'PUBLIC_URL with https: links, cookies and passkeys are not protected on the way',
    trustedProxies === 0 &&
      /^https:/.test(publicUrl) &&
      'TRUSTED_PROXIES: everybody behind the proxy that ends TLS counts as one caller',
  ].filter((line) => line !== false)
}
