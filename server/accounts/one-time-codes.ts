import type { Database } from '#server/db/connection.ts'
import type { ActionContext, Router } from '#server/http/router.ts'
import { accountOf } from '#server/http/session.ts'
import { sendOtp, verify } from '#shared/accounts/endpoints.ts'
import { present } from '#shared/assert.ts'
import { AppError } from '#shared/errors.ts'
import { safeReturnTo } from '#shared/page-access.ts'
import { dashboardOf } from '#shared/roles.ts'
import type { AccountDeps } from './deps.ts'
import { finishEmailChange, isEmailChange } from './email-change.ts'
import { countTry, LIMITS } from './limits.ts'
import { phoneOf } from './phone.ts'
import { cookieName } from './session-cookie.ts'
import type { Attempt } from './sign-ins/attempts.ts'
import { mailOnRequest } from './sign-ins/mail-on-request.ts'
import { attempted, bare, expected, startSession, wrongCode } from './start-session.ts'
import { SENT } from './texts.ts'
import { hashCode } from './token-hash.ts'

/** Sends codes and links to users, and verifies them. */
export function registerOneTimeCodes(router: Router, deps: AccountDeps) {
  const { auth } = deps

  router.act(sendOtp, async ({ database, session, headers }, { body }) => {
    const { email, phone, kind } = body
    const phoneNumber = phone && phoneOf(phone)
    await countTry(database, LIMITS.mailAddress, session.address)
    if (phoneNumber && !deps.providers.phone)
      throw new AppError(
        400,
        'phone_unavailable',
        'Text messages are not available right now. Use your email address instead.',
      )
    const plain = bare(headers)
    if (phoneNumber) {
      // Only to a confirmed number: a text message costs money.
      if (await isConfirmed(database, phoneNumber))
        mailOnRequest(deps, database, 'phone', phoneNumber, () =>
          auth.api.sendPhoneNumberOTP({ body: { phoneNumber }, headers: plain }),
        )
    } else {
      const to = present(email, 'an address')
      mailOnRequest(deps, database, kind, to, () =>
        kind === 'link'
          ? auth.api.signInMagicLink({ body: { email: to }, headers: plain })
          : auth.api.sendVerificationOTP({ body: { email: to, type: 'sign-in' }, headers: plain }),
      )
    }
    return { message: SENT }
  })

  router.act(verify, async (ctx, { body }) => {
    const { session } = ctx
    if (body.type === 'signup' && isEmailChange(body.token)) {
      const attempt = await deps.signIns.attempts.secret(ctx, 'link')
      await attempted(attempt, () => finishEmailChange(ctx, deps, body.token))
      return { next: safeReturnTo(body.returnTo) ?? dashboardOf(accountOf(session).role) }
    }
    const attempt = await attemptOf(ctx, deps, body)
    const headers = await attempted(attempt, () => verified(deps, body, bare(ctx.headers)))
    await used(deps, body)
    if (!headers.getSetCookie().some((line) => line.startsWith(cookieName(deps.isSecure))))
      throw new AppError(400, 'invalid_token', 'This link has already been used. Please sign in.')
    const provedBy = body.type === 'signup' ? 'link' : METHODS[body.type]
    return startSession(ctx, deps, headers, { returnTo: body.returnTo, method: METHODS[body.type], provedBy })
  })
}

async function attemptOf(ctx: ActionContext, deps: AccountDeps, body: VerifyBody): Promise<Attempt> {
  const { callers, attempts } = deps.signIns
  const message = TOO_MANY_CODES
  if (body.type === 'email')
    return attempts.code(ctx, 'code', body.email, await callers.findByEmail(ctx, body.email), { message })
  if (body.type !== 'sms') return attempts.secret(ctx, 'link')
  const phone = phoneOf(body.phone)
  return attempts.code(ctx, 'phone', phone, await callers.findByPhone(ctx, phone), { message })
}

const used = (deps: AccountDeps, body: VerifyBody) =>
  body.type === 'email'
    ? deps.mails.codeUsed('code', body.email)
    : body.type === 'sms'
      ? deps.mails.codeUsed('phone', phoneOf(body.phone))
      : deps.mails.linkUsed(body.token)

async function verified(deps: AccountDeps, body: VerifyBody, headers: Headers): Promise<Headers> {
  const returnHeaders = true as const
  if (body.type === 'signup')
    return (await expected(deps.auth.api.verifyEmail({ query: { token: body.token }, headers, returnHeaders }))).headers
  if (body.type === 'magiclink')
    return (await expected(deps.auth.api.magicLinkVerify({ query: { token: body.token }, headers, returnHeaders })))
      .headers
  const isRight =
    body.type === 'email'
      ? await deps.mails.isCode('code', body.email, body.code)
      : await deps.mails.isCode('phone', phoneOf(body.phone), body.code)
  if (isRight === false) throw wrongCode()
  if (body.type === 'email')
    return (
      await expected(
        deps.auth.api.signInEmailOTP({ body: { email: body.email, otp: body.code }, headers, returnHeaders }),
      )
    ).headers
  const phone = { phoneNumber: phoneOf(body.phone), code: hashCode(body.code, deps.secret) }
  return (await expected(deps.auth.api.verifyPhoneNumber({ body: phone, headers, returnHeaders }))).headers
}

const TOO_MANY_CODES = 'Too many wrong codes for this account. Request a sign-in link by email or use your password.'

async function isConfirmed(database: Database, phoneNumber: string): Promise<boolean> {
  const profile = await database.requests.kysely
    .selectFrom('user_profiles')
    .select('id')
    .where('phone_number', '=', phoneNumber)
    .where('phone_verified', '=', true)
    .executeTakeFirst()
  return profile !== undefined
}

const METHODS = { signup: 'password', magiclink: 'link', email: 'code', sms: 'phone' } as const

type VerifyBody =
  | { type: 'signup'; token: string }
  | { type: 'magiclink'; token: string }
  | { type: 'email'; email: string; code: string }
  | { type: 'sms'; phone: string; code: string }
