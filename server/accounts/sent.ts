import { sendOtp, verify } from '#shared/accounts/endpoints.ts'
import { AppError } from '#shared/errors.ts'
import { safeReturnTo } from '#shared/page-access.ts'
import { dashboardOf } from '#shared/roles.ts'
import type { Database } from '../db/connection.ts'
import type { ActAsked, Door } from '../http/door.ts'
import { finishEmailChange, isEmailChange } from './email-change.ts'
import type { AccountParts } from './endpoints.ts'
import { countTry, LIMITS } from './limits.ts'
import { attempted, bare, expected, opened, wrongCode } from './opened.ts'
import { phoneOf } from './phone.ts'
import { cookieName } from './session-cookie.ts'
import type { Attempt } from './sign-ins/attempts.ts'
import { mailOnRequest } from './sign-ins/requested.ts'
import { hashCode } from './token-hash.ts'
import { SENT } from './words.ts'

/** Codes and links that are sent to a person, and what opens when they come back. */
export function sentCodes(door: Door, parts: AccountParts) {
  const { auth } = parts

  door.act(sendOtp, async ({ database, session, headers }, { body }) => {
    const { email, phone, kind } = body
    const phoneNumber = phone && phoneOf(phone)
    await countTry(database, LIMITS.mailAddress, session.address)
    if (phoneNumber && !parts.providers.phone)
      throw new AppError(
        400,
        'phone_unavailable',
        'The portal sends no text messages at present. Please use your email address.',
      )
    const plain = bare(headers)
    if (phoneNumber) {
      // Only to a number that somebody has confirmed: a text message costs money.
      if (await isConfirmed(database, phoneNumber))
        mailOnRequest(parts, database, 'phone', phoneNumber, () =>
          auth.api.sendPhoneNumberOTP({ body: { phoneNumber }, headers: plain }),
        )
    } else
      mailOnRequest(parts, database, kind, email!, () =>
        kind === 'link'
          ? auth.api.signInMagicLink({ body: { email: email! }, headers: plain })
          : auth.api.sendVerificationOTP({ body: { email: email!, type: 'sign-in' }, headers: plain }),
      )
    return { message: SENT }
  })

  door.act(verify, async (asked, { body }) => {
    const { session } = asked
    if (body.type === 'signup' && isEmailChange(body.token)) {
      const attempt = await parts.signIns.attempts.secret(asked, 'link')
      await attempted(attempt, () => finishEmailChange(asked, parts, body.token))
      return { next: safeReturnTo(body.returnTo) ?? dashboardOf((session.user ?? session.waiting)!.role) }
    }
    const attempt = await attemptOf(asked, body)
    const headers = await attempted(attempt, () => verified(body, bare(asked.headers)))
    await used(body)
    if (!headers.getSetCookie().some((line) => line.startsWith(cookieName(parts.isSecure))))
      throw new AppError(400, 'invalid_token', 'This link was used already. Please sign in.')
    const provedBy = body.type === 'signup' ? 'link' : WAYS[body.type]
    return opened(asked, parts, headers, { returnTo: body.returnTo, way: WAYS[body.type], provedBy })
  })

  async function attemptOf(asked: ActAsked, body: VerifyBody): Promise<Attempt> {
    const { callers, attempts } = parts.signIns
    const message = TOO_MANY_CODES
    if (body.type === 'email')
      return attempts.code(asked, 'code', body.email, await callers.findByEmail(asked, body.email), { message })
    if (body.type !== 'sms') return attempts.secret(asked, 'link')
    const phone = phoneOf(body.phone)
    return attempts.code(asked, 'phone', phone, await callers.findByPhone(asked, phone), { message })
  }

  const used = (body: VerifyBody) =>
    body.type === 'email'
      ? parts.mails.codeUsed('code', body.email)
      : body.type === 'sms'
        ? parts.mails.codeUsed('phone', phoneOf(body.phone))
        : parts.mails.linkUsed(body.token)

  async function verified(body: VerifyBody, headers: Headers): Promise<Headers> {
    const returnHeaders = true as const
    if (body.type === 'signup')
      return (await expected(auth.api.verifyEmail({ query: { token: body.token }, headers, returnHeaders }))).headers
    if (body.type === 'magiclink')
      return (await expected(auth.api.magicLinkVerify({ query: { token: body.token }, headers, returnHeaders })))
        .headers
    const isRight =
      body.type === 'email'
        ? await parts.mails.isCode('code', body.email, body.code)
        : await parts.mails.isCode('phone', phoneOf(body.phone), body.code)
    if (isRight === false) throw wrongCode()
    if (body.type === 'email')
      return (
        await expected(auth.api.signInEmailOTP({ body: { email: body.email, otp: body.code }, headers, returnHeaders }))
      ).headers
    const phone = { phoneNumber: phoneOf(body.phone), code: hashCode(body.code, parts.secret) }
    return (await expected(auth.api.verifyPhoneNumber({ body: phone, headers, returnHeaders }))).headers
  }
}

const TOO_MANY_CODES =
  'Too many wrong codes were given for this account. Ask for a sign-in link by email instead, or use your password.'

async function isConfirmed(database: Database, phoneNumber: string): Promise<boolean> {
  const profile = await database.requests.kysely
    .selectFrom('user_profiles')
    .select('id')
    .where('phone_number', '=', phoneNumber)
    .where('phone_verified', '=', true)
    .executeTakeFirst()
  return profile !== undefined
}

const WAYS = { signup: 'supabase', magiclink: 'link', email: 'code', sms: 'phone' } as const

type VerifyBody =
  | { type: 'signup'; token: string }
  | { type: 'magiclink'; token: string }
  | { type: 'email'; email: string; code: string }
  | { type: 'sms'; phone: string; code: string }
