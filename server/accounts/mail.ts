import { randomUUID } from 'node:crypto'
import { languageOf } from '#shared/language.ts'
import { inBackground } from '../db/claims.ts'
import type { Database, Db } from '../db/connection.ts'
import { queueMessage } from '../messages/outgoing.ts'
import type { TemplateValues } from '../messages/templates.ts'
import type { AccountMail, Recipient } from './auth.ts'
import { announceNewcomer } from './welcome.ts'

const CODE_MINUTES = 10

/** What is sent to people on the way in, through the queue of messages. */
export function createAccountMail(parts: { database: Database; publicUrl: string; brand: () => string }): AccountMail {
  const { database, publicUrl } = parts

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
        values: { ...values, brand: parts.brand() } as TemplateValues[T],
        isSecret: true,
        ...(profile ? { userId: profile.id } : {}),
      })
    })
  }
  const page = (path: string, query: Record<string, string>) => `${publicUrl}${path}?${new URLSearchParams(query)}`

  return {
    verifyEmail: (to, token) => mail(to, 'verify-email', { link: page('/verify-email', { token }) }),
    alreadyRegistered: (to) => mail(to, 'already-registered', { link: `${publicUrl}/forgot-password` }),
    resetPassword: (to, token) =>
      mail(to, 'reset-password', { link: page('/reset-password', { token, email: to.email }) }),
    signInLink: (to, token) =>
      mail(to, 'sign-in-link', { link: page('/sign-in-link', { token }), minutes: CODE_MINUTES }),
    signInCode: (to, code) => mail(to, 'sign-in-code', { code, minutes: CODE_MINUTES }),
    changeEmail: (to, token) => mail(to, 'change-email', { email: to.email, link: page('/verify-email', { token }) }),
    async phoneCode(phoneNumber, code) {
      await inBackground(database, 'accounts', (db) =>
        queueMessage(db, {
          key: `phone-code ${randomUUID()}`,
          channel: 'sms',
          to: phoneNumber,
          template: 'sign-in-code',
          language: 'en',
          values: { brand: parts.brand(), code, minutes: CODE_MINUTES },
          isSecret: true,
        }),
      )
    },
    // What fails here is logged by whoever calls, and nobody's sign-up waits for it (SIGNUP-04).
    welcome: (userId) => announceNewcomer(database, userId, parts),
  }
}

function profileOf(db: Db, to: Recipient) {
  const query = db.selectFrom('user_profiles').select(['id', 'preferred_language'])
  return (
    to.userId ? query.where('auth_user_id', '=', to.userId) : query.where('email', '=', to.email)
  ).executeTakeFirst()
}
