import { sql } from 'kysely'
import type { Role } from '#shared/roles.ts'
import type { Scope } from '../http/session.ts'
import { type Connections, type Database, type Db, holdingConnection } from './connection.ts'

/** For whom a transaction acts. `service` is the portal itself: jobs, imports, the read model. */
export type Claims =
  | { as: 'anonymous' }
  | { as: 'user'; userId: string; role: Role; scope?: Scope }
  | { as: 'service'; name: string }

/**
 * Opens one transaction in the database role of the claims and runs `fn` in it. The only way request code reaches
 * tables: row-level policies read the claims, so a forgotten check in a handler still shows nobody else's rows.
 */
export function withClaims<T>(database: Database, claims: Claims, fn: (db: Db) => Promise<T>): Promise<T> {
  return transact(database.requests, claims, fn)
}

/** The same for jobs and imports: acts for the portal itself, on connections apart from those of the requests. */
export function inBackground<T>(database: Database, name: string, fn: (db: Db) => Promise<T>): Promise<T> {
  return transact(database.background, { as: 'service', name }, fn)
}

function transact<T>(connections: Connections, claims: Claims, fn: (db: Db) => Promise<T>): Promise<T> {
  return connections.kysely.transaction().execute(async (transaction) => {
    const json = JSON.stringify(
      claims.as === 'user'
        ? { user_id: claims.userId, role: claims.role, scope: claims.scope ?? null }
        : { role: claims.as, name: claims.as === 'service' ? claims.name : undefined },
    )
    // One round trip; both end with the transaction.
    await sql`select set_config('portal.claims', ${json}, true), set_config('role', ${`portal_${claims.as}`}, true)`.execute(
      transaction,
    )
    return holdingConnection(() => fn(transaction))
  })
}
