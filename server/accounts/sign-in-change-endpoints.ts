import { sql } from 'kysely'
import type { Database } from '#server/db/connection.ts'
import type { Router } from '#server/http/router.ts'
import {
  getSignInChange,
  listSignInChanges,
  undoSignInChange as undoByLink,
  undoOwnChange,
} from '#shared/accounts/sign-in-changes.ts'
import { countTry, LIMITS } from './limits.ts'
import { requireFresh } from './own/freshness.ts'
import { clearedCookie } from './session-cookie.ts'
import type { SignInChangeDeps } from './sign-in-changes.ts'
import { hashToken } from './token-hash.ts'
import { undoSignInChange, usedLink } from './undo-sign-in-change.ts'

/** Lists changes to a user's sign-in methods and undoes them: signed in, or by the link in a message alone. */
export function registerSignInChanges(router: Router, deps: SignInChangeDeps & { isSecure: boolean }) {
  router.act(listSignInChanges, async ({ database, session }) => {
    const rows = await undoable(database)
      .select(['id', 'kind', 'changed_at'])
      .where('user_id', '=', session.authUserId ?? null)
      .orderBy('changed_at', 'desc')
      .limit(100)
      .execute()
    return { changes: rows.map((row) => ({ ...row, changed_at: row.changed_at.toISOString() })) }
  })

  router.act(undoOwnChange, async ({ database, session, setCookies }, { params, body }) => {
    const change = await undoable(database)
      .select(['id', 'user_id'])
      .where('id', '=', params.id)
      .where('user_id', '=', session.authUserId ?? null)
      .executeTakeFirst()
    if (!change) throw usedLink()
    // A stolen session must not bring back the number of a stolen phone.
    await requireFresh(database, session, body.current_password)
    const undone = await undoSignInChange(database, change, deps)
    setCookies([clearedCookie(deps.isSecure)])
    return undone
  })

  router.act(getSignInChange, async ({ database, session }, { params }) => {
    await countTry(database, LIMITS.awayAddress, session.address)
    const change = await findByToken(database, params.token)
    if (!change) throw usedLink()
    const { later } = await database.requests.kysely
      .selectFrom('sign_in_changes')
      .select(sql<number>`count(*)::int`.as('later'))
      .where('user_id', '=', change.user_id)
      .where('undone_at', 'is', null)
      .where('changed_at', '>', sql<Date>`(select changed_at from sign_in_changes where id = ${change.id})`)
      .executeTakeFirstOrThrow()
    return { kind: change.kind, changed_at: change.changed_at.toISOString(), later }
  })

  router.act(undoByLink, async ({ database, session }, { params }) => {
    await countTry(database, LIMITS.awayAddress, session.address)
    const change = await findByToken(database, params.token)
    if (!change) throw usedLink()
    return undoSignInChange(database, change, deps)
  })
}

const undoable = (database: Database) =>
  database.requests.kysely
    .selectFrom('sign_in_changes')
    .where('undone_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)

const findByToken = (database: Database, token: string) =>
  undoable(database)
    .select(['id', 'user_id', 'kind', 'changed_at'])
    .where('undo_token_hash', '=', hashToken(token))
    .executeTakeFirst()
