import { sql } from 'kysely'
import { inBackground } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import type { BrowserKeys } from './encryption.ts'

export interface Browser extends BrowserKeys {
  id: string
  userId: string
  endpoint: string
}

/** Push subscriptions, which receive messages even when no page is open. */
export interface Browsers {
  /** Subscriptions of several users in one query. */
  of(userIds: string[]): Promise<Map<string, Browser[]>>
  /** Deletes subscriptions whose permission was revoked. */
  forget(ids: string[]): Promise<void>
  /** Marks subscriptions that accepted a message. */
  used(ids: string[]): Promise<void>
}

export function browsersIn(database: Database): Browsers {
  return {
    async of(userIds) {
      const rows = await inBackground(database, 'push', (db) =>
        db
          .selectFrom('push_subscriptions')
          .select(['id', 'user_id as userId', 'endpoint', 'p256dh', 'auth'])
          .where('user_id', '=', sql<string>`any(${userIds}::uuid[])`)
          .execute(),
      )
      return Map.groupBy(rows, ({ userId }) => userId)
    },
    async forget(ids) {
      if (ids.length === 0) return
      await inBackground(database, 'push', (db) =>
        db.deleteFrom('push_subscriptions').where('id', '=', sql<string>`any(${ids}::uuid[])`).execute(),
      )
    },
    async used(ids) {
      if (ids.length === 0) return
      await inBackground(database, 'push', (db) =>
        db
          .updateTable('push_subscriptions')
          .set({ last_used_at: sql<Date>`now()` })
          .where('id', '=', sql<string>`any(${ids}::uuid[])`)
          .where((of) =>
            of.or([of('last_used_at', 'is', null), of('last_used_at', '<', sql<Date>`now() - interval '1 day'`)]),
          )
          .execute(),
      )
    },
  }
}
