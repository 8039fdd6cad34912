import { listKeys, listProviders, signInWithSso } from '#shared/accounts/endpoints.ts'
import { AppError } from '#shared/errors.ts'
import type { Door } from '../http/door.ts'
import type { AccountMail, Auth } from './auth.ts'
import type { OpenedParts } from './opened.ts'
import { ownSessions } from './own-sessions.ts'
import { passwordSignIn } from './password.ts'
import { sentCodes } from './sent.ts'
import { signingUp } from './signing-up.ts'
import { tokens } from './tokens.ts'

export interface AccountParts extends OpenedParts {
  auth: Auth
  mail: AccountMail
  /** Domain of addresses that are made up for members of whom the hub knows none. */
  madeUpDomain: string
  providers: { google: boolean; hub: boolean; phone: boolean }
}

/** Coming in with what the portal itself keeps: passwords, links and codes; and the sessions that come of it. */
export function accounts(door: Door, parts: AccountParts) {
  const { auth, readSession } = parts

  door.act(signUp, async ({ database, session, headers, now }, { body }) => {
    await countTry(database, LIMITS.signUpAddress, session.address)
    await releaseAddress(database.requests.kysely, body.email, parts.madeUpDomain)
    await acceptPassword(body.password, [body.first_name, body.last_name, body.email])
    const { first_name, last_name, email, password, preferred_language, country_code } = body
    const registration = { first_name, last_name, preferred_language, country_code, terms_accepted_at: now }
    await expected(
      auth.api.signUpEmail({
        body: { name: `${first_name} ${last_name}`, email, password, registration } as never,
        headers,
      }),
    ).catch(async (error) => {
      // Made by another call in this instant: then it is answered as if it had been there before.
      if (!(await isKnown(database, email))) throw error
    })
    return { message: 'Nearly done. We sent you a link to confirm your email address.' }
  })

  door.act(signIn, async (asked, { body }) => {
    const headers = await passwordSession(asked, body)
    return opened(asked, parts, headers, { returnTo: body.returnTo, way: 'supabase' })
  })

  /** Checks a password, tries counted; gives the headers of better-auth with the new session's cookie. */
  async function passwordSession(asked: ActAsked, given: { email?: string; phone?: string; password: string }) {
    const { database, session, headers } = asked
    const who = given.email ?? phoneOf(given.phone!)
    const here = `${session.address} ${who}`
    await countTry(database, LIMITS.signInAddress, session.address)
    await countTry(database, LIMITS.signInHere, here)
    await countTry(database, LIMITS.signInAccount, who)
    const { password } = given
    // better-auth itself takes its time for an address that nobody has, but not for a number.
    if (!given.email && !(await hasPassword(database, who))) await hashPassword(password)
    const answer = given.email
      ? await expected(
          auth.api.signInEmail({ body: { email: given.email, password }, headers: bare(headers), returnHeaders: true }),
        )
      : await expected(
          auth.api.signInPhoneNumber({
            body: { phoneNumber: who, password },
            headers: bare(headers),
            returnHeaders: true,
          }),
        )
    await forgetTries(database, LIMITS.signInHere, here)
    return answer.headers
  }

  door.act(grantToken, async (asked, { body }) => {
    const { database } = asked
    if (body.grant_type === 'refresh_token') {
      const session = await redeemRefreshToken(database, body.refresh_token ?? '')
      return tokens(asked, session)
    }
    if (body.grant_type !== 'password')
      throw new AppError(400, 'unsupported_grant_type', `The grant "${body.grant_type}" is not supported here.`)
    if ((!body.email && !body.phone) || !body.password)
      throw new AppError(422, 'invalid_input', 'Please correct the marked fields.', {
        fields: body.password
          ? { email: 'Give an email address or a phone number' }
          : { password: 'This field is required' },
      })
    const headers = await passwordSession(asked, { ...body, password: body.password })
    return tokens(asked, tokenIn(headers, parts.isSecure))
  })

  /** The answer of a grant: a bearer token and the one refresh token that follows it. */
  async function tokens({ database, session }: ActAsked, accessToken: string) {
    const kysely = database.requests.kysely
    const found = await kysely
      .selectFrom('auth_sessions')
      .select(['id', 'expires_at'])
      .where('token', '=', accessToken)
      .executeTakeFirst()
    // Ended in this instant: its refresh token came a second time.
    if (!found) throw new AppError(401, 'session_expired', 'User session has expired')
    const { id, expires_at } = found
    const refresh_token = randomBytes(32).toString('base64url')
    await kysely
      .insertInto('auth_refresh_tokens')
      .values({ token_hash: hashOf(refresh_token), session_id: id })
      .execute()
    const request = new Request('http://portal.invalid/', { headers: { authorization: `Bearer ${accessToken}` } })
    const { user } = await readSession(request, session.address)
    return {
      access_token: accessToken,
      token_type: 'bearer' as const,
      expires_in: Math.round((expires_at.valueOf() - Date.now()) / 1000),
      expires_at: Math.floor(expires_at.valueOf() / 1000),
      refresh_token,
      user: user && (await authUserOf(kysely, user.id)),
    }
  }

  door.act(refreshSession, async ({ database, session, setCookies, headers }) => {
    const { role } = session.user ?? session.waiting!
    const seconds = isCoordinator(role) ? SESSION_SECONDS.coordinator : SESSION_SECONDS.traveler
    const row = await database.requests.kysely
      .updateTable('auth_sessions')
      .set({
        // One of the hub stays as short as the hub promised.
        expires_at: sql<Date>`now() + make_interval(secs => case way when 'mcgi-hub' then ${SESSION_SECONDS.hub}::int else ${seconds}::int end)`,
        updated_at: new Date(),
      })
      .where('id', '=', session.id!)
      .returning(['expires_at'])
      .executeTakeFirst()
    if (!row) throw new AppError(401, 'session_expired', 'User session has expired')
    const cookie = new RegExp(`(?:^|;\\s*)(${cookieName(parts.isSecure)}=[^;]*)`).exec(headers.get('cookie') ?? '')?.[1]
    if (cookie) setCookies([`${cookie}; ${cookieAttributes(parts.isSecure, SESSION_SECONDS.traveler)}`])
    return { expires_at: Math.floor(row.expires_at.valueOf() / 1000) }
  })

  door.act(signOut, async ({ database, session, setCookies }, { body }) => {
    // Also for somebody whose session is over: the cookie goes in any case.
    if (body.scope !== 'others') setCookies([clearedCookie(parts.isSecure)])
    if (!session.id || !session.authUserId) return { ended: 0 }
    const own = database.requests.kysely.deleteFrom('auth_sessions').where('user_id', '=', session.authUserId)
    const which = body.scope === 'global' ? own : own.where('id', body.scope === 'local' ? '=' : '!=', session.id)
    const { numDeletedRows } = await which.executeTakeFirst()
    return { ended: Number(numDeletedRows) }
  })

  door.act(recover, async ({ database, session, headers }, { body }) => {
    await countMail(database, session, body.email)
    if (await mayBeWrittenTo(database.requests.kysely, body.email))
      await expected(auth.api.requestPasswordReset({ body: { email: body.email }, headers: bare(headers) }))
    return { message: SENT }
  })

  door.act(resetPassword, async ({ database, session, headers }, { body }) => {
    await countTry(database, LIMITS.signInAddress, session.address)
    await acceptPassword(body.password)
    await expected(
      auth.api.resetPassword({ body: { newPassword: body.password, token: body.token }, headers: bare(headers) }),
    )
    return { message: 'Your password is changed. You are signed out everywhere; sign in with the new one.' }
  })

  door.act(resend, async ({ database, session, headers }, { body }) => {
    await countMail(database, session, body.email)
    if (await mayBeWrittenTo(database.requests.kysely, body.email))
      await expected(auth.api.sendVerificationEmail({ body: { email: body.email }, headers: bare(headers) }))
    return { message: SENT }
  })

  door.act(sendOtp, async ({ database, session, headers }, { body }) => {
    const { email, phone, kind } = body
    const number = phone && phoneOf(phone)
    await countMail(database, session, email ?? number!)
    if (number) {
      if (!parts.providers.phone) throw new AppError(400, 'phone_unavailable', 'Codes by phone are not available here.')
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
    return opened(asked, parts, headers, { returnTo: body.returnTo, way: WAYS[body.type] })
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
    const phone = { phoneNumber: phoneOf(body.phone), code: body.code }
    return (await expected(auth.api.verifyPhoneNumber({ body: phone, headers, returnHeaders }))).headers
  }

  door.act(getUser, async ({ database, session }) => ({
    user: await authUserOf(database.requests.kysely, session.user!.id),
    expires_at: Math.floor((session.expiresAt?.valueOf() ?? 0) / 1000),
  }))

  door.act(changePassword, async ({ database, session, headers }, { body }) => {
    await countTry(database, LIMITS.signInAccount, session.user!.id)
    const user = await authUserOf(database.requests.kysely, session.user!.id)
    await acceptPassword(body.password, [user.user_metadata.display_name, user.email])
    const has = await database.requests.kysely
      .selectFrom('auth_accounts')
      .select('id')
      .where('user_id', '=', session.authUserId!)
      .where('provider_id', '=', 'credential')
      .executeTakeFirst()
    if (has && !body.current_password)
      throw new AppError(422, 'invalid_input', 'Please correct the marked fields.', {
        fields: { current_password: 'This field is required' },
      })
    await (has
      ? expected(
          auth.api.changePassword({
            body: { currentPassword: body.current_password!, newPassword: body.password },
            headers,
          }),
        )
      : expected(auth.api.setPassword({ body: { newPassword: body.password }, headers })))
    await database.requests.kysely
      .deleteFrom('auth_sessions')
      .where('user_id', '=', session.authUserId!)
      .where('id', '!=', session.id!)
      .execute()
    if (user.email_verified) await parts.mail.passwordChanged({ userId: session.authUserId!, email: user.email })
    return { message: 'Your password is changed. Your other sessions were ended.' }
  })

  door.act(listSessions, async ({ database, session }) => {
    const rows = await database.requests.kysely
      .selectFrom('auth_sessions')
      .select(['id', 'user_agent', 'way', 'created_at', 'updated_at'])
      .where('user_id', '=', session.authUserId!)
      .where('expires_at', '>', sql<Date>`now()`)
      .orderBy('updated_at', 'desc')
      .limit(100)
      .execute()
    const sessions = rows.map((row) => ({
      id: row.id,
      device: deviceOf(row.user_agent),
      way: row.way,
      created_at: row.created_at.toISOString(),
      last_used_at: row.updated_at.toISOString(),
      is_current: row.id === session.id,
    }))
    return { sessions }
  })

  door.act(endSession, async ({ database, session }, { params }) => {
    const { numDeletedRows } = await database.requests.kysely
      .deleteFrom('auth_sessions')
      .where('id', '=', params.id)
      .where('user_id', '=', session.authUserId!)
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw new AppError(404, 'session_not_found', 'There is no such session.')
    return { ended: Number(numDeletedRows) }
  })
  signingUp(door, parts)
  passwordSignIn(door, parts)
  sentCodes(door, parts)
  tokens(door, parts)
  ownSessions(door, parts)

  door.serve(listProviders, () => parts.providers)
  door.serve(listKeys, () => ({ keys: [] }))
  door.serve(signInWithSso, () => {
    throw new AppError(400, 'unsupported', 'Sign-in through an organisation is not set up here.')
  })
}
