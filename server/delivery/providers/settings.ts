import addressparser from 'nodemailer/lib/addressparser'
import * as z from 'zod'

const webUrl = z
  .url({ protocol: /^https?$/, error: 'must be a URL that starts with http:// or https://' })
  .transform((url) => url.replace(/\/+$/, ''))
const mailServer = z.string().regex(/^smtps?:\/\//, 'must start with smtp:// or smtps://')

/** Environment variables of the providers. Where there are two, the second is the fallback. */
export const PROVIDERS_ENV = {
  SMTP_URL: mailServer.optional(),
  SMTP_URL_2: mailServer.optional(),
  RESEND_URL: webUrl.default('https://api.resend.com'),
  RESEND_API_KEY: z.string().optional(),
  MAIL_FROM: z.string().default('MFA Portal <no-reply@portal.invalid>'),
  /** Further senders an API call may use, separated by commas. */
  MAIL_SENDERS: z.string().optional(),
  /** Proves that a bounce report comes from the configured mail server. */
  MAIL_HOOK_TOKEN: z.string().min(20, 'must be at least 20 characters').optional(),
  SMS_URL: webUrl.default('https://api.twilio.com'),
  SMS_ACCOUNT: z.string().optional(),
  SMS_TOKEN: z.string().optional(),
  SMS_FROM: z.string().optional(),
  SMS_URL_2: webUrl.default('https://api.twilio.com'),
  SMS_ACCOUNT_2: z.string().optional(),
  SMS_TOKEN_2: z.string().optional(),
  SMS_FROM_2: z.string().optional(),
  WHATSAPP_URL: webUrl.default('https://graph.facebook.com'),
  WHATSAPP_PHONE_ID: z.string().optional(),
  WHATSAPP_TOKEN: z.string().optional(),
  WHATSAPP_APP_SECRET: z.string().optional(),
  WHATSAPP_VERIFY_TOKEN: z.string().optional(),
  /** A template with one text placeholder; without it only users who wrote within a day can be reached. */
  WHATSAPP_TEMPLATE: z.string().optional(),
  VAPID_PUBLIC_KEY: z.string().optional(),
  VAPID_PRIVATE_KEY: z.string().optional(),
  /** Allows push services at private addresses; only for tests with a local peer. */
  PUSH_ALLOW_PRIVATE: z.stringbool().default(false),
}
type Env = z.output<z.ZodObject<typeof PROVIDERS_ENV>>

export interface SmsProvider {
  /** Also part of its callback URL. */
  name: string
  url: string
  account: string
  token: string
  /** A number, or a messaging service (MG…). */
  from: string
}

export interface WhatsAppProvider {
  url: string
  phoneId: string
  token: string
  /** Signs the provider's webhooks; if absent, all of them are rejected. */
  appSecret: string | undefined
  verifyToken: string | undefined
  template: string | undefined
}

export interface Providers {
  /** Absent: mail is recorded in the outbox instead of sent. */
  smtpUrl: string | undefined
  secondSmtpUrl: string | undefined
  /** Mail through an idempotent HTTP API, alone or alongside a mail server. */
  resend: { url: string; key: string } | undefined
  mailFrom: string
  /** Further senders an API call may use instead. */
  mailSenders: string[]
  mailHookToken: string | undefined
  /** In order of preference; empty: no text messages are sent. */
  sms: SmsProvider[]
  whatsapp: WhatsAppProvider | undefined
  /** Absent: the portal generates its own and stores them in the database. */
  pushKeys: { publicKey: string; privateKey: string } | undefined
  allowsPrivatePush: boolean
}

/** Provider settings from the environment. Throws if a group of related variables is incomplete. */
export function providersOf(env: Env): Providers {
  const sms = together('SMS', {
    SMS_ACCOUNT: env.SMS_ACCOUNT,
    SMS_TOKEN: env.SMS_TOKEN,
    SMS_FROM: env.SMS_FROM,
  })
  const secondSms = together('SMS', {
    SMS_ACCOUNT_2: env.SMS_ACCOUNT_2,
    SMS_TOKEN_2: env.SMS_TOKEN_2,
    SMS_FROM_2: env.SMS_FROM_2,
  })
  if (env.SMTP_URL_2 && !env.SMTP_URL && !env.RESEND_API_KEY) throw new Error('Email needs this setting: SMTP_URL.')
  const mailSenders = addressparser(env.MAIL_SENDERS ?? '').map(({ name, address }) => {
    if (!address?.includes('@')) throw new Error('MAIL_SENDERS must be email addresses separated by commas.')
    return name ? `${name} <${address}>` : address
  })
  const phone = together('WhatsApp', {
    WHATSAPP_PHONE_ID: env.WHATSAPP_PHONE_ID,
    WHATSAPP_TOKEN: env.WHATSAPP_TOKEN,
  })
  const vapid = together('push', {
    VAPID_PUBLIC_KEY: env.VAPID_PUBLIC_KEY,
    VAPID_PRIVATE_KEY: env.VAPID_PRIVATE_KEY,
  })
  return {
    smtpUrl: env.SMTP_URL,
    secondSmtpUrl: env.SMTP_URL_2,
    resend: env.RESEND_API_KEY ? { url: env.RESEND_URL, key: env.RESEND_API_KEY } : undefined,
    mailFrom: env.MAIL_FROM,
    mailSenders,
    mailHookToken: env.MAIL_HOOK_TOKEN,
    sms: [
      ...(sms
        ? [{ name: 'sms', url: env.SMS_URL, account: sms.SMS_ACCOUNT, token: sms.SMS_TOKEN, from: sms.SMS_FROM }]
        : []),
      ...(secondSms
        ? [
            {
              name: 'sms-2',
              url: env.SMS_URL_2,
              account: secondSms.SMS_ACCOUNT_2,
              token: secondSms.SMS_TOKEN_2,
              from: secondSms.SMS_FROM_2,
            },
          ]
        : []),
    ],
    whatsapp: phone && {
      url: env.WHATSAPP_URL,
      phoneId: phone.WHATSAPP_PHONE_ID,
      token: phone.WHATSAPP_TOKEN,
      appSecret: env.WHATSAPP_APP_SECRET,
      verifyToken: env.WHATSAPP_VERIFY_TOKEN,
      template: env.WHATSAPP_TEMPLATE,
    },
    pushKeys: vapid && { publicKey: vapid.VAPID_PUBLIC_KEY, privateKey: vapid.VAPID_PRIVATE_KEY },
    allowsPrivatePush: env.PUSH_ALLOW_PRIVATE,
  }
}

/** All of the values, or none. */
function together<N extends string>(
  what: string,
  values: Record<N, string | undefined>,
): Record<N, string> | undefined {
  const missing = (Object.keys(values) as N[]).filter((name) => values[name] === undefined)
  if (missing.length === Object.keys(values).length) return undefined
  if (missing.length > 0) throw new Error(`Missing settings for ${what}: ${missing.join(', ')}.`)
  return values as Record<N, string>
}
