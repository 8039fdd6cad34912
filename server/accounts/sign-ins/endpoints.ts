import { audit } from '#server/audit/audit-log.ts'
import { withClaims } from '#server/db/claims.ts'
import { type ActionContext, claimsOf, type Router } from '#server/http/router.ts'
import type { SignedIn } from '#server/http/session.ts'
import { clearSlowDown, listFailedSignIns, sendSignInLink } from '#shared/accounts/sign-ins.ts'
import type { AuditAction } from '#shared/audit/actions.ts'
import { AppError } from '#shared/errors.ts'
import type { Auth } from '../auth.ts'
import { countTry, LIMITS } from '../limits.ts'
import { expected } from '../start-session.ts'
import { canGetMail } from '../users/notifications.ts'
import { lockProfile } from '../users/profile-guards.ts'
import { failedSignInsOf } from './queries.ts'
import type { SignIns } from './sign-ins.ts'

/** What administrators see of failed sign-ins, and how they can help the users concerned. */
export function registerSignInReport(router: Router, { auth, signIns }: { auth: Auth; signIns: SignIns }) {
  router.handle(listFailedSignIns, ({ db }, { query }) => failedSignInsOf(db, query.days))

  router.act(sendSignInLink, async (ctx, { params }) => {
    const user = await findUser(ctx, params.id)
    if (!canGetMail(user) || !user.auth_user_id)
      throw new AppError(409, 'no_address', 'This person has no email address here and signs in with MCGI Hub.')
    if (user.profile_status === 'suspended')
      throw new AppError(409, 'suspended', 'This account is suspended. Reactivate it first.')
    await countTry(ctx.database, LIMITS.mailAccount, user.email)
    await expected(auth.api.signInMagicLink({ body: { email: user.email }, headers: new Headers() }))
    await note(ctx, params.id, 'user.sign_in_link')
    return {}
  })

  router.act(clearSlowDown, async (ctx, { params }) => {
    const user = await findUser(ctx, params.id)
    if (user.auth_user_id) await signIns.attempts.clear(user.auth_user_id)
    await note(ctx, params.id, 'user.slow_down_cleared')
    return {}
  })
}

const findUser = ({ database, session }: ActionContext, id: string) =>
  withClaims(database, claimsOf(session), (db) => lockProfile(db, id))

const note = ({ database, session, user }: ActionContext<SignedIn>, id: string, action: AuditAction) =>
  withClaims(database, claimsOf(session), (db) => audit(db, user, { action, subject_type: 'user', subject_id: id }))
