import type { Db } from '#server/db/connection.ts'
import type { Router } from '#server/http/router.ts'
import type { SignedIn } from '#server/http/session.ts'
import {
  getAccountAction,
  listAccountActions,
  previewAccountAction,
  runAccountAction,
  undoAccountAction,
} from '#shared/accounts/account-actions.ts'
import { AppError } from '#shared/errors.ts'
import { listActions, listItems, previewSelection } from './account-action-queries.ts'
import { undoAction } from './account-action-undo.ts'
import { runAction } from './account-actions.ts'
import type { NotifyDeps } from './notifications.ts'
import { mapDatabaseErrors } from './profile-guards.ts'

/** Bulk actions on new accounts. Row-level security decides whose accounts a coordinator reaches. */
export function registerAccountActions(router: Router, deps: NotifyDeps) {
  router.handle(previewAccountAction, ({ db, user, now }, { body }) => previewSelection(db, user, body, now))

  router.handle(runAccountAction, async ({ db, user, now }, { body }) => {
    const id = await mapDatabaseErrors(() => runAction(db, user, body, deps, now))
    return findAction(db, user, id)
  })

  router.handle(listAccountActions, async ({ db, user }, { query }) => ({
    actions: await listActions(db, user, query),
  }))

  router.handle(getAccountAction, async ({ db, user }, { params, query }) => ({
    action: await findAction(db, user, params.id),
    ...(await listItems(db, params.id, query)),
    ...query,
  }))

  router.handle(undoAccountAction, ({ db, user, now }, { params }) =>
    mapDatabaseErrors(() => undoAction(db, user, params.id, deps, now)),
  )
}

async function findAction(db: Db, by: SignedIn, id: string) {
  const [action] = await listActions(db, by, { id, limit: 1 })
  if (!action) throw new AppError(404, 'action_not_found', 'Action not found.')
  return action
}
