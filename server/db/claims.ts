import { sql } from 'kysely'
import { firstOf } from '#shared/assert.ts'
import type { Role } from '#shared/roles.ts'
import { type Connections, type Database, type Db, holdingConnection } from './connection.ts'
import { ANY_TABLE, noteRead } from './read-tracking.ts'

/** Where a coordinator's role applies: with neither country nor chapter, nowhere. */
export interface Scope {
  countries: string[] | null
  chapters: string[] | null
}

/** Identity a transaction acts for. `service` is the portal itself: jobs, imports, the read model. */
export type Claims =
  | { as: 'anonymous' }
  | { as: 'user'; userId: string; role: Role; scope?: Scope }
  | { as: 'service'; name: string }

/**
 * Opens one transaction in the database role of the claims and runs `fn` in it. The only way request code reaches
 * tables: row-level policies read the claims, so a forgotten check in a handler still exposes no other rows.
 */
export function withClaims<T>(database: Database, claims: Claims, fn: (db: Db) => Promise<T>): Promise<T> {
  noteRead(ANY_TABLE)
  return transact(database.requests, claims, fn)
}

/** The same for jobs and imports: acts for the portal itself, on connections separate from those of requests. */
export function inBackground<T>(database: Database, name: string, fn: (db: Db) => Promise<T>): Promise<T> {
  return transact(database.background, { as: 'service', name }, fn)
}

/**
 * Lets the portal write, in the same transaction, what belongs to a change but the caller may not write, such as its
 * notification. An error in `fn` rolls the change back too.
 */
export async function asPortal<T>(db: Db, fn: () => Promise<T>): Promise<T> {
  const { rows } = await sql<{ role: string }>`
    select current_setting('role') as role, set_config('role', 'portal_service', true)`.execute(db)
  const done = await fn()
  await sql`select set_config('role', ${firstOf(rows).role}, true)`.execute(db)
  return done
}

function transact<T>(connections: Connections, claims: Claims, fn: (db: Db) => Promise<T>): Promise<T> {
  return connections.kysely.transaction().execute(async (transaction) => {
    const json = JSON.stringify(
      claims.as === 'user'
        ? { user_id: claims.userId, role: claims.role, scope: claims.scope ? scopeOf(claims.scope) : null }
        : { role: claims.as, name: claims.as === 'service' ? claims.name : undefined },
    )
    // One round trip; both settings end with the transaction.
    await sql`select set_config('portal.claims', ${json}, true), set_config('role', ${`portal_${claims.as}`}, true)`.execute(
      transaction,
    )
    return holdingConnection(() => fn(transaction))
  })
}

/** A scope without places covers nobody. In SQL null means everywhere, so missing lists become empty. */
const scopeOf = ({ countries, chapters }: Scope) => ({ countries: countries ?? [], chapters: chapters ?? [] })
