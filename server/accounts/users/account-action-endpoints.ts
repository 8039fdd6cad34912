import {
  getAccountAction,
  listAccountActions,
  previewAccountAction,
  runAccountAction,
  undoAccountAction,
} from '#shared/accounts/account-actions.ts'
import { AppError } from '#shared/errors.ts'
import type { Db } from '../../db/connection.ts'
import type { Router } from '../../http/door.ts'
import type { SignedIn } from '../../http/session.ts'
import { listActions, listItems, previewSelection } from './account-action-queries.ts'
import { undoAction } from './account-action-undo.ts'
import { runAction } from './account-actions.ts'
import { mapDatabaseErrors } from './changing.ts'
import type { NotifyDeps } from './telling.ts'

/** Many new accounts at once. Row-level security decides whose accounts a coordinator reaches. */
export function accountActions(router: Router, deps: NotifyDeps) {
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
