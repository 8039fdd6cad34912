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
  router.handle(previewAccountAction, ({ db, session, now }, { body }) =>
    previewSelection(db, session.user!, body, now),
  )

  router.handle(runAccountAction, async ({ db, session, now }, { body }) => {
    const id = await mapDatabaseErrors(() => runAction(db, session.user!, body, deps, now))
    return findAction(db, session.user!, id)
  })

  router.handle(listAccountActions, async ({ db, session }, { query }) => ({
    actions: await listActions(db, session.user!, query),
  }))

  router.handle(getAccountAction, async ({ db, session }, { params, query }) => ({
    action: await findAction(db, session.user!, params.id),
    ...(await listItems(db, params.id, query)),
    ...query,
  }))

  router.handle(undoAccountAction, ({ db, session, now }, { params }) =>
    mapDatabaseErrors(() => undoAction(db, session.user!, params.id, deps, now)),
  )
}

async function findAction(db: Db, by: SignedIn, id: string) {
  const [action] = await listActions(db, by, { id, limit: 1 })
  if (!action) throw new AppError(404, 'action_not_found', 'There is no such action.')
  return action
}
