import { sendOtp, verify } from '#shared/accounts/endpoints.ts'
import { AppError } from '#shared/errors.ts'
import { safeReturnTo } from '#shared/page-access.ts'
import { dashboardOf } from '#shared/roles.ts'
import type { Database } from '../db/connection.ts'
import type { Door } from '../http/door.ts'
import { mayBeWrittenTo } from './addresses.ts'
import { finishEmailChange, isEmailChange } from './email-change.ts'
import type { AccountParts } from './endpoints.ts'
import { countMail, countTry, LIMITS } from './limits.ts'
import { bare, expected, opened } from './opened.ts'
import { phoneOf } from './phone.ts'
import { cookieName } from './session-cookie.ts'
import { hashCode } from './token-hash.ts'
import { SENT } from './words.ts'

/** Codes and links that are sent to a person, and what opens when they come back. */
export function sentCodes(door: Door, parts: AccountParts) {
  const { auth } = parts

  door.act(sendOtp, async ({ database, session, headers }, { body }) => {
    const { email, phone, kind } = body
    const number = phone && phoneOf(phone)
    await countMail(database, session, email ?? number!)
    if (number) {
      if (!parts.providers.phone)
        throw new AppError(
          400,
          'phone_unavailable',
          'The portal sends no text messages at present. Please use your email address.',
        )
      await sendPhoneCode(database, number, headers)
    } else if (!(await mayBeWrittenTo(database.requests.kysely, email!))) return { message: SENT }
    else if (kind === 'link')
      await expected(auth.api.signInMagicLink({ body: { email: email! }, headers: bare(headers) }))
    else
      await expected(auth.api.sendVerificationOTP({ body: { email: email!, type: 'sign-in' }, headers: bare(headers) }))
    return { message: SENT }
  })

  /** Only to a number that somebody has confirmed: a text message costs money. */
  async function sendPhoneCode(database: Database, phoneNumber: string, headers: Headers) {
    const known = await database.requests.kysely
      .selectFrom('user_profiles')
      .select('id')
      .where('phone_number', '=', phoneNumber)
      .where('phone_verified', '=', true)
      .executeTakeFirst()
    if (known) await expected(auth.api.sendPhoneNumberOTP({ body: { phoneNumber }, headers: bare(headers) }))
  }

  door.act(verify, async (asked, { body }) => {
    const { database, session } = asked
    await countTry(database, LIMITS.signInAddress, session.address)
    if (body.type === 'signup' && isEmailChange(body.token)) {
      await finishEmailChange(asked, parts, body.token)
      return { next: safeReturnTo(body.returnTo) ?? dashboardOf((session.user ?? session.waiting)!.role) }
    }
    const who = body.type === 'email' ? body.email : body.type === 'sms' ? phoneOf(body.phone) : undefined
    if (who) await countTry(database, LIMITS.codeAccount, who)
    const headers = await verified(body, bare(asked.headers))
    if (!headers.getSetCookie().some((line) => line.startsWith(cookieName(parts.isSecure))))
      throw new AppError(400, 'invalid_token', 'This link was used already. Please sign in.')
    const provedBy = body.type === 'signup' ? 'link' : WAYS[body.type]
    return opened(asked, parts, headers, { returnTo: body.returnTo, way: WAYS[body.type], provedBy })
  })

  async function verified(body: VerifyBody, headers: Headers): Promise<Headers> {
    const returnHeaders = true as const
    if (body.type === 'signup')
      return (await expected(auth.api.verifyEmail({ query: { token: body.token }, headers, returnHeaders }))).headers
    if (body.type === 'magiclink')
      return (await expected(auth.api.magicLinkVerify({ query: { token: body.token }, headers, returnHeaders })))
        .headers
    if (body.type === 'email')
      return (
        await expected(auth.api.signInEmailOTP({ body: { email: body.email, otp: body.code }, headers, returnHeaders }))
      ).headers
    const phone = { phoneNumber: phoneOf(body.phone), code: hashCode(body.code, parts.secret) }
    return (await expected(auth.api.verifyPhoneNumber({ body: phone, headers, returnHeaders }))).headers
  }
}

const WAYS = { signup: 'supabase', magiclink: 'link', email: 'code', sms: 'phone' } as const

type VerifyBody =
  | { type: 'signup'; token: string }
  | { type: 'magiclink'; token: string }
  | { type: 'email'; email: string; code: string }
  | { type: 'sms'; phone: string; code: string }
