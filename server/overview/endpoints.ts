import { getAdminFrame, searchAdmin } from '#shared/overview/endpoints.ts'
import { isAdmin } from '#shared/roles.ts'
import { inBackground, withClaims } from '../db/claims.ts'
import { claimsOf, type Door } from '../http/door.ts'
import { countFailedMessages, countNewAccounts, findPeople, findPreferences } from './queries.ts'

/** What the signed-in areas show of everything else. */
export function overview(door: Door) {
  // Not `handle`: messages are read by the portal itself, in a transaction of its own.
  door.act(getAdminFrame, async ({ session, database }) => {
    const me = session.user!
    const [new_accounts, preferences] = await withClaims(database, claimsOf(session), async (db) => [
      await countNewAccounts(db, me.id),
      await findPreferences(db, me.id),
    ])
    return {
      new_accounts,
      failed_messages: isAdmin(me.role) ? await inBackground(database, 'overview', countFailedMessages) : 0,
      single_key_shortcuts: preferences.single_key_shortcuts ?? true,
    }
  })

  door.handle(searchAdmin, async ({ db }, { query }) => ({ people: await findPeople(db, query.search) }))
}
