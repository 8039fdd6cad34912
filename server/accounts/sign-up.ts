import type { Database } from '#server/db/connection.ts'
import type { Router } from '#server/http/router.ts'
import { resend, signUp } from '#shared/accounts/endpoints.ts'
import { timeZoneOf } from '#shared/accounts/time-zone.ts'
import { releaseAddress } from './addresses.ts'
import type { AccountDeps } from './deps.ts'
import { countTry, LIMITS } from './limits.ts'
import { acceptPassword, hashPassword } from './password-rules.ts'
import { mailOnRequest } from './sign-ins/mail-on-request.ts'
import { bare, expected } from './start-session.ts'
import { SENT } from './texts.ts'

/** A new account with an address and a password; it counts once the address is confirmed. */
export function registerSignUp(router: Router, deps: AccountDeps) {
  const { auth } = deps

  router.act(signUp, async ({ database, session, headers, now }, { body }) => {
    await countTry(database, LIMITS.signUpAddress, session.address)
    await releaseAddress(database.requests.kysely, body.email, deps.madeUpDomain)
    await acceptPassword(body.password, [body.first_name, body.last_name, body.email])
    const { first_name, last_name, email, password, preferred_language, country_code } = body
    const time_zone = browserZone(body.time_zone)
    const registration = { first_name, last_name, preferred_language, country_code, time_zone, terms_accepted_at: now }
    if (await dropUnprovenPassword(database, email)) {
      // Takes as long as creating an account.
      await hashPassword(password)
      mailOnRequest(deps, database, 'confirm', email, () =>
        auth.api.sendVerificationEmail({ body: { email }, headers: bare(headers) }),
      )
      return { message: SIGNED_UP }
    }
    await expected(
      auth.api.signUpEmail({
        body: { name: `${first_name} ${last_name}`, email, password, registration } as never,
        headers,
      }),
      'sign_up_failed',
    ).catch(async (error) => {
      // Created by a concurrent call: respond as if it had already existed.
      if (!(await isKnown(database, email))) throw error
    })
    return { message: SIGNED_UP }
  })

  router.act(resend, async ({ database, session, headers }, { body }) => {
    await countTry(database, LIMITS.mailAddress, session.address)
    mailOnRequest(deps, database, 'confirm', body.email, () =>
      auth.api.sendVerificationEmail({ body: { email: body.email }, headers: bare(headers) }),
    )
    return { message: SENT }
  })
}

const SIGNED_UP = 'Almost done. We have sent you a link to confirm your email address.'

/**
 * A second sign-up before the address is confirmed: the first password may be a stranger's, who hopes that the owner
 * opens the link. Neither counts; the owner signs in by the link and chooses one.
 */
async function dropUnprovenPassword(database: Database, email: string): Promise<boolean> {
  const { numDeletedRows } = await database.requests.kysely
    .deleteFrom('auth_accounts as a')
    .using('auth_users as u')
    .whereRef('u.id', '=', 'a.user_id')
    .where('u.email', '=', email.trim().toLowerCase())
    .where('u.email_verified', '=', false)
    .where('a.provider_id', '=', 'credential')
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Browsers that hide their location report UTC; then the country is the better hint. */
function browserZone(name: string | undefined): string | undefined {
  const zone = timeZoneOf(name ?? '')
  return zone && !/^(Etc\/|UTC$|GMT$)/.test(zone) ? zone : undefined
}

const isKnown = async (database: Database, email: string) =>
  (await database.requests.kysely
    .selectFrom('auth_users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirst()) !== undefined
