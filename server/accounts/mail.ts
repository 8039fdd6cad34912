import { randomUUID } from 'node:crypto'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import { queueMessage } from '#server/delivery/outbox.ts'
import type { TemplateValues } from '#server/delivery/templates/render.ts'
import { languageOf } from '#shared/language.ts'
import { type AccountMail, CODE_SECONDS, CONFIRM_SECONDS, LINK_SECONDS, RESET_SECONDS, type Recipient } from './auth.ts'
import type { MailKind, Mails } from './sign-ins/mails.ts'
import { welcomeNewAccount } from './welcome.ts'

const SECONDS = {
  confirm: CONFIRM_SECONDS,
  reset: RESET_SECONDS,
  link: LINK_SECONDS,
  code: CODE_SECONDS,
  phone: CODE_SECONDS,
} as const

/** Sends the messages of the sign-in flows through the outbox. */
export function createAccountMail(deps: {
  database: Database
  publicUrl: string
  brand: () => string
  mails: Mails
}): AccountMail {
  const { database, publicUrl, mails } = deps

  async function mail<T extends keyof TemplateValues>(
    to: Recipient,
    template: T,
    values: Omit<TemplateValues[T], 'brand'>,
  ) {
    await inBackground(database, 'accounts', async (db) => {
      const profile = await profileOf(db, to)
      await queueMessage(db, {
        key: `${template} ${randomUUID()}`,
        channel: 'email',
        to: to.email,
        template,
        language: languageOf(profile?.preferred_language) ?? 'en',
        values: { ...values, brand: deps.brand() } as TemplateValues[T],
        isSecret: true,
        ...(profile ? { userId: profile.id } : {}),
      })
    })
  }
  const page = (path: string, query: Record<string, string>) => `${publicUrl}${path}?${new URLSearchParams(query)}`

  const send: Record<Exclude<MailKind, 'notice'>, (to: Recipient, secret: string, minutes: number) => Promise<void>> = {
    confirm: (to, token) => mail(to, 'verify-email', { link: page('/verify-email', { token }) }),
    reset: (to, token) => mail(to, 'reset-password', { link: page('/reset-password', { token, email: to.email }) }),
    link: (to, token, minutes) => mail(to, 'sign-in-link', { link: page('/sign-in-link', { token }), minutes }),
    code: (to, code, minutes) => mail(to, 'sign-in-code', { code, minutes }),
    phone: ({ email: phoneNumber }, code, minutes) =>
      inBackground(database, 'accounts', (db) =>
        queueMessage(db, {
          key: `phone-code ${randomUUID()}`,
          channel: 'sms',
          to: phoneNumber,
          template: 'sign-in-code',
          language: 'en',
          values: { brand: deps.brand(), code, minutes },
          isSecret: true,
        }),
      ),
  }
  async function sendNew(kind: Exclude<MailKind, 'notice'>, to: Recipient, secret: string) {
    // Stored first: a concurrent request gets this one.
    await mails.store(kind, to.email, secret, SECONDS[kind])
    await send[kind](to, secret, SECONDS[kind] / 60)
  }

  return {
    verifyEmail: (to, token) => sendNew('confirm', to, token),
    resetPassword: (to, token) => sendNew('reset', to, token),
    signInLink: (to, token) => sendNew('link', to, token),
    signInCode: (to, code) => sendNew('code', to, code),
    phoneCode: (phoneNumber, code) => sendNew('phone', { email: phoneNumber }, code),
    again: (kind, to, { secret, expiresAt }) =>
      send[kind](to, secret, Math.floor((expiresAt.valueOf() - Date.now()) / 60_000)),
    async alreadyRegistered(to) {
      if (await mails.claim('notice', to.email))
        await mail(to, 'already-registered', { link: `${publicUrl}/forgot-password` })
    },
    changeEmail: (to, token) => mail(to, 'change-email', { email: to.email, link: page('/verify-email', { token }) }),
    // Errors are logged by the caller and delay no sign-up (SIGNUP-04).
    welcome: (userId) => welcomeNewAccount(database, userId, deps),
  }
}

function profileOf(db: Db, to: Recipient) {
  const query = db.selectFrom('user_profiles').select(['id', 'preferred_language'])
  return (
    to.userId ? query.where('auth_user_id', '=', to.userId) : query.where('email', '=', to.email)
  ).executeTakeFirst()
}
