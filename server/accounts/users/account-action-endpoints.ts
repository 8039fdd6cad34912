import {
  getAccountAction,
  listAccountActions,
  previewAccountAction,
  runAccountAction,
  undoAccountAction,
} from '#shared/accounts/account-actions.ts'
import { AppError } from '#shared/errors.ts'
import type { Db } from '../../db/connection.ts'
import type { Door } from '../../http/door.ts'
import type { SignedIn } from '../../http/session.ts'
import { listActions, listItems, previewSelection } from './account-action-queries.ts'
import { undoAction } from './account-action-undo.ts'
import { runAction } from './account-actions.ts'
import { changing } from './changing.ts'
import type { TellingParts } from './telling.ts'

/** Many new accounts at once. Row-level security decides whose accounts a coordinator reaches. */
export function accountActions(door: Door, parts: TellingParts) {
  door.handle(previewAccountAction, ({ db, session, now }, { body }) => previewSelection(db, session.user!, body, now))

  door.handle(runAccountAction, async ({ db, session, now }, { body }) => {
    const id = await changing(() => runAction(db, session.user!, body, parts, now))
    return findAction(db, session.user!, id)
  })

  door.handle(listAccountActions, async ({ db, session }, { query }) => ({
    actions: await listActions(db, session.user!, query),
  }))

  door.handle(getAccountAction, async ({ db, session }, { params, query }) => ({
    action: await findAction(db, session.user!, params.id),
    ...(await listItems(db, params.id, query)),
    ...query,
  }))

  door.handle(undoAccountAction, ({ db, session, now }, { params }) =>
    changing(() => undoAction(db, session.user!, params.id, parts, now)),
  )
}

async function findAction(db: Db, by: SignedIn, id: string) {
  const [action] = await listActions(db, by, { id, limit: 1 })
  if (!action) throw new AppError(404, 'action_not_found', 'There is no such action.')
  return action
}
