import { type Selectable, sql } from 'kysely'
import { asPortal, withClaims } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import type { PushSubscriptionsTable } from '#server/db/tables-delivery.ts'
import { areBrowserKeys } from '#server/delivery/providers/push/encryption.ts'
import { type PushKeys, pushKeysOf } from '#server/delivery/providers/push/vapid.ts'
import { isAllowed } from '#server/delivery/providers/push/web-push.ts'
import { claimsOf, type Router } from '#server/http/router.ts'
import { AppError } from '#shared/errors.ts'
import {
  addBrowser,
  getPushKey,
  listBrowsers,
  MAX_BROWSERS,
  type PushBrowser,
  removeBrowser,
} from '#shared/notifications/push-devices.ts'

export interface BrowserDeps {
  database: Database
  /** Absent: the portal's own keys. */
  pushKeys: PushKeys | undefined
  allowsPrivate: boolean
}

/** A user's push subscriptions. */
export function ownBrowsers(router: Router, { database, pushKeys, allowsPrivate }: BrowserDeps) {
  let known: Promise<PushKeys> | undefined
  const keys = () => {
    known ??= pushKeysOf(database, pushKeys)
    known.catch(() => {
      known = undefined
    })
    return known
  }

  router.act(getPushKey, async () => ({ public_key: (await keys()).publicKey }))

  router.handle(listBrowsers, async ({ db, user }) => {
    const rows = await db
      .selectFrom('push_subscriptions')
      .selectAll()
      .where('user_id', '=', user.id)
      .orderBy('created_at', 'desc')
      .execute()
    return { browsers: rows.map(browserOf) }
  })

  router.act(addBrowser, ({ database, session, user, headers }, { body }) => {
    const url = URL.parse(body.endpoint)
    if (!url || !isAllowed(url, allowsPrivate) || !areBrowserKeys(body.keys))
      throw new AppError(422, 'invalid_input', 'This browser cannot receive push notifications', {
        fields: { endpoint: 'This browser cannot receive push notifications' },
      })
    const { p256dh, auth } = body.keys
    const user_agent = headers.get('user-agent')?.slice(0, 300) ?? null
    return withClaims(database, claimsOf(session), async (db) => {
      const row = await saveBrowser(db, { user_id: user.id, endpoint: url.href, p256dh, auth, user_agent })
      return { browser: browserOf(row) }
    })
  })

  router.handle(removeBrowser, async ({ db, user }, { body }) => {
    const { numDeletedRows } = await db
      .deleteFrom('push_subscriptions')
      .where('user_id', '=', user.id)
      .$if(body.endpoint !== undefined, (query) => query.where('endpoint', '=', body.endpoint!))
      .$if(body.id !== undefined, (query) => query.where('id', '=', body.id!))
      .executeTakeFirstOrThrow()
    return { removed: numDeletedRows > 0n }
  })
}

type Entry = Pick<PushSubscriptionsTable, 'user_id' | 'endpoint' | 'p256dh' | 'auth' | 'user_agent'>

/** Runs as the portal: the browser may have been registered by another user, whose row the caller cannot see. */
const saveBrowser = (db: Db, entry: Entry) =>
  asPortal(db, async () => {
    await sql`select from user_profiles where id = ${entry.user_id} for update`.execute(db)
    const row = await db
      .insertInto('push_subscriptions')
      .values(entry)
      .onConflict((c) => c.column('endpoint').doUpdateSet(entry))
      .returningAll()
      .executeTakeFirstOrThrow()
    await db
      .deleteFrom('push_subscriptions')
      .where('user_id', '=', entry.user_id)
      .where('id', '<>', row.id)
      .where('id', 'not in', (of) =>
        of
          .selectFrom('push_subscriptions')
          .select('id')
          .where('user_id', '=', entry.user_id)
          .where('id', '<>', row.id)
          .orderBy(sql`coalesce(last_used_at, created_at)`, 'desc')
          .limit(MAX_BROWSERS - 1),
      )
      .execute()
    return row
  })

const browserOf = ({ id, user_agent, created_at, last_used_at }: Selectable<PushSubscriptionsTable>): PushBrowser => ({
  id,
  user_agent,
  created_at: created_at.toISOString(),
  last_used_at: last_used_at?.toISOString() ?? null,
})
