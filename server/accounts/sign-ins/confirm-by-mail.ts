import type { ActionContext } from '#server/http/router.ts'
import type { Log } from '#server/log.ts'
import { AppError } from '#shared/errors.ts'
import type { AccountMail, Auth } from '../auth.ts'
import { findPassword } from '../own/freshness.ts'
import { hashPassword, verifyPassword } from '../password-rules.ts'
import { bare } from '../start-session.ts'
import type { Attempt } from './attempts.ts'
import { mailOnRequest } from './mail-on-request.ts'
import type { Mails } from './mails.ts'
import type { SignIns } from './sign-ins.ts'

export interface LinkDeps {
  auth: Auth
  mail: AccountMail
  mails: Mails
  signIns: SignIns
  log: Log
}

/** The response to strangers while an account is under attack: the same for a right and a wrong password. */
export const confirmByMail = (): AppError =>
  new AppError(
    403,
    'confirm_by_mail',
    'Someone has entered many wrong passwords for this account. If your password is right, we have emailed you a sign-in link. Open it on this device. You can also use a passkey or a device you have signed in on before.',
  )

/**
 * Too many strangers guessed at this account: a stranger's right password only sends a link to the owner's mail.
 * Guessing reveals nothing, and the owner can sign in on any device.
 */
export async function passwordOrLink(
  deps: LinkDeps,
  ctx: ActionContext,
  attempt: Attempt,
  { userId, password }: { userId: string | undefined; password: string },
): Promise<AppError> {
  const hash = await findPassword(ctx.database, userId)
  const isRight = await attempt.inTurn(async () =>
    hash ? verifyPassword({ hash, password }) : (await hashPassword(password)) === undefined,
  )
  // Not awaited: the response must not take longer after a right password.
  if (isRight && userId)
    void mailSignInLink(deps, ctx, userId).catch(({ message }: Error) =>
      deps.log.error({ reason: message }, 'mail not queued'),
    )
  await attempt.failed('confirm_by_mail')
  return confirmByMail()
}

/** For an account authenticated by the hub; false when the caller may sign in anyway. */
export async function linkInstead(deps: LinkDeps, ctx: ActionContext, userId: string): Promise<boolean> {
  const { known } = await deps.signIns.callers.findById(ctx, userId)
  return !known && (await mailSignInLink(deps, ctx, userId))
}

/** Mails the owner a sign-in link; false when no confirmed address is known. */
async function mailSignInLink(deps: LinkDeps, ctx: ActionContext, userId: string): Promise<boolean> {
  const user = await ctx.database.requests.kysely
    .selectFrom('auth_users')
    .select('email')
    .where('id', '=', userId)
    .where('email_verified', '=', true)
    .executeTakeFirst()
  if (!user) return false
  const { email } = user
  mailOnRequest(deps, ctx.database, 'link', email, () =>
    deps.auth.api.signInMagicLink({ body: { email }, headers: bare(ctx.headers) }),
  )
  return true
}
