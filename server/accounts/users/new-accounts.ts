import type { Router } from '#server/http/router.ts'
import { flagAccount, verifyAccount } from '#shared/accounts/user-changes.ts'
import { listNewAccounts } from '#shared/accounts/users.ts'
import type { NotifyDeps } from './notifications.ts'
import { mapDatabaseErrors } from './profile-guards.ts'
import { listWaiting } from './queries.ts'
import { flag, verify } from './status.ts'

/**
 * New accounts for coordinators (C-12): verify or flag only, and only in their own countries. Enforced by row-level
 * security; accounts out of scope are not found.
 */
export function registerNewAccounts(router: Router, deps: NotifyDeps) {
  router.handle(listNewAccounts, ({ db, user }, { query }) => listWaiting(db, user.id, query))

  router.handle(verifyAccount, async ({ db, user, now }, { params }) => {
    await mapDatabaseErrors(() => verify(db, user, params.id, deps, now))
    return {}
  })

  router.handle(flagAccount, async ({ db, user, now }, { params, body }) => {
    await mapDatabaseErrors(() => flag(db, user, params.id, body, now))
    return {}
  })
}
