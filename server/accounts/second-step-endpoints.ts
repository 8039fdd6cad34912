import { renderSVG } from 'uqr'
import type { Database } from '#server/db/connection.ts'
import type { ActionContext, Router } from '#server/http/router.ts'
import { logSecondStep } from '#server/http/security-log.ts'
import type { Session } from '#server/http/session.ts'
import { accountOf, authUserIdOf, sessionIdOf } from '#server/http/session.ts'
import type { SettingsModel } from '#server/settings/settings.ts'
import {
  enrolFactor,
  listFactors,
  removeFactor,
  renewRecoveryCodes,
  verifyFactor,
} from '#shared/accounts/sign-in-methods.ts'
import { present } from '#shared/assert.ts'
import { AppError } from '#shared/errors.ts'
import { safeReturnTo } from '#shared/page-access.ts'
import { dashboardOf } from '#shared/roles.ts'
import { findPassword, requireFresh } from './own/freshness.ts'
import { needsSecondFactor } from './second-factor-rule.ts'
import { SecondStep } from './second-step.ts'
import type { SignInChangeDeps } from './sign-in-changes.ts'
import type { Attempt } from './sign-ins/attempts.ts'
import type { SignIns } from './sign-ins/sign-ins.ts'
import { attempted } from './start-session.ts'
import { totpUri } from './totp.ts'

/** The second step of signing in: setting it up, completing and removing it. For browsers and clients with a token. */
export function registerSecondStep(
  router: Router,
  deps: SignInChangeDeps & { secret: string; settings: SettingsModel; signIns: SignIns },
) {
  const secondStep = new SecondStep(deps.secret, deps)

  router.act(listFactors, async ({ database, session }) => {
    const passkeys = await passkeysOf(database, session)
    return {
      totp: Boolean(session.hasSecondFactor),
      passkeys: passkeys.map(({ id, name, created_at }) => ({
        id,
        name: name ?? '',
        created_at: created_at?.toISOString() ?? null,
      })),
      is_required: needsSecondFactor(accountOf(session).role, deps.settings),
      has_password: (await findPassword(database, session.authUserId)) !== undefined,
    }
  })

  router.act(enrolFactor, async ({ database, session }, { body }) => {
    // The password alone must not replace an existing authenticator.
    if (session.waiting?.for === 'code') throw new AppError(401, 'second_step', STEP_OWED)
    if (session.waiting && (await passkeysOf(database, session)).length > 0)
      throw new AppError(
        403,
        'use_passkey',
        'Sign in with your passkey first. Then you can set up an authenticator app.',
      )
    if (session.user) await requireFresh(database, session, body.current_password)
    const { secret, codes } = await secondStep.enrol(database, session)
    const uri = totpUri(secret, deps.brand(), await emailOf(database, session))
    return { uri, secret, qr_svg: renderSVG(uri, { border: 2 }), recovery_codes: codes }
  })

  router.act(verifyFactor, async (ctx, { body }) => {
    const { database, session, now, headers, log } = ctx
    await attempted(await attemptOf(ctx, deps.signIns, body.code === undefined), async () => {
      const result = await taken(secondStep, database, session, body, now)
      if (result === 'none') throw new AppError(409, 'no_authenticator', 'No authenticator app is set up.')
      if (result === 'wrong')
        throw new AppError(400, 'invalid_code', WRONG_CODE, {
          fields: { [body.code === undefined ? 'recovery_code' : 'code']: WRONG_CODE },
        })
    })
    await deps.signIns.callers.remember(ctx, authUserIdOf(session), !headers.has('authorization'))
    logSecondStep(log, session, body.code === undefined ? 'recovery code' : 'authenticator')
    return { next: safeReturnTo(body.returnTo) ?? dashboardOf(accountOf(session).role) }
  })

  router.act(removeFactor, async ({ database, session, user }, { body }) => {
    if (needsSecondFactor(user.role, deps.settings))
      throw new AppError(
        403,
        'second_factor_required',
        'Your role requires two-step sign-in. Set up another authenticator app instead.',
      )
    await requireFresh(database, session, body.current_password)
    await secondStep.remove(database, session)
    return {}
  })

  router.act(renewRecoveryCodes, async ({ database, session }, { body }) => {
    await requireFresh(database, session, body.current_password)
    return { recovery_codes: await secondStep.renewRecoveryCodes(database, session) }
  })
}

/**
 * A caller with only the password is a stranger until the code is right: their failures count apart from those on a
 * known device, and from those of a caller who signed in by mail or through another provider.
 */
async function attemptOf(ctx: ActionContext, signIns: SignIns, isRecoveryCode: boolean): Promise<Attempt> {
  const { attempts, callers } = signIns
  const userId = authUserIdOf(ctx.session)
  // Too long to guess: strangers cannot use up its attempts.
  if (isRecoveryCode) return attempts.secret(ctx, 'second_step', userId)
  const account = await callers.findById(ctx, userId)
  const method = await sessionMethodOf(ctx.database, ctx.session)
  const proof = method === 'password' ? undefined : `by ${method}`
  return attempts.code(ctx, 'second_step', userId, account, { message: TOO_MANY_CODES, proof })
}

/** A first code completes the set-up; any other is the second step. */
async function taken(
  secondStep: SecondStep,
  database: Database,
  session: Session,
  input: { code?: string; recovery_code?: string },
  now: Date,
) {
  if (input.code === undefined)
    return secondStep.give(database, session, { recovery_code: present(input.recovery_code, 'a code') }, now)
  if (session.waiting?.for !== 'code') {
    const result = await secondStep.confirm(database, session, input.code, now)
    if (result !== 'none') return result
  }
  return secondStep.give(database, session, { code: input.code }, now)
}

const TOO_MANY_CODES =
  'Too many wrong codes. Use a recovery code or a passkey, or try again in an hour. You can also sign in with an email link and then enter the code.'
const STEP_OWED = 'Complete two-step sign-in to continue.'
const WRONG_CODE = 'This code is wrong or has expired. Check it and try again.'

async function sessionMethodOf(database: Database, session: Session): Promise<string> {
  const { sign_in_method } = await database.requests.kysely
    .selectFrom('auth_sessions')
    .select('sign_in_method')
    .where('id', '=', sessionIdOf(session))
    .executeTakeFirstOrThrow()
  return sign_in_method
}

const passkeysOf = (database: Database, session: Session) =>
  database.requests.kysely
    .selectFrom('auth_passkeys')
    .select(['id', 'name', 'created_at'])
    .where('user_id', '=', authUserIdOf(session))
    .orderBy('created_at')
    .execute()

async function emailOf(database: Database, session: Session): Promise<string> {
  const { email } = await database.requests.kysely
    .selectFrom('auth_users')
    .select('email')
    .where('id', '=', authUserIdOf(session))
    .executeTakeFirstOrThrow()
  return email
}
