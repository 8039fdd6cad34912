import type { Db } from '#server/db/connection.ts'
import type { SignedIn } from '#server/http/session.ts'
import type { AuditAction } from '#shared/audit/actions.ts'

export interface AuditEntry {
  /** Subject and action: 'user.role'. A new one is added to the list, and gets a sentence in `audit.json`. */
  action: AuditAction
  subject_type: string
  subject_id: string
  before?: object | null
  after?: object | null
  reason?: string | null
}

/** Writes one audit entry in the transaction of the change. Without a user: the portal itself. */
export async function audit(db: Db, by: Pick<SignedIn, 'id' | 'role'> | null, entry: AuditEntry): Promise<void> {
  await db.insertInto('audit_log').values(rowOf(by, entry)).execute()
}

/** Rows per statement: far below the protocol's limit of 65,535 values. */
const ROWS_AT_ONCE = 500

/** The same for bulk changes: one entry each. */
export async function auditAll(
  db: Db,
  by: Pick<SignedIn, 'id' | 'role'> | null,
  entries: readonly AuditEntry[],
): Promise<void> {
  for (let at = 0; at < entries.length; at += ROWS_AT_ONCE)
    await db
      .insertInto('audit_log')
      .values(entries.slice(at, at + ROWS_AT_ONCE).map((entry) => rowOf(by, entry)))
      .execute()
}

const rowOf = (by: Pick<SignedIn, 'id' | 'role'> | null, entry: AuditEntry) => ({
  actor_id: by?.id ?? null,
  actor_role: by?.role ?? 'service',
  action: entry.action,
  subject_type: entry.subject_type,
  subject_id: entry.subject_id,
  before: entry.before ? JSON.stringify(entry.before) : null,
  after: entry.after ? JSON.stringify(entry.after) : null,
  reason: entry.reason || null,
})

/** The fields that differ, before and after. */
export function changed<T extends object>(was: T, is: Partial<T>): { before: Partial<T>; after: Partial<T> } | null {
  const names = (Object.keys(is) as (keyof T)[]).filter(
    (name) => is[name] !== undefined && canonical(is[name]) !== canonical(was[name]),
  )
  if (names.length === 0) return null
  const of = (row: Partial<T>) => Object.fromEntries(names.map((name) => [name, row[name] ?? null])) as Partial<T>
  return { before: of(was), after: of(is) }
}

/** JSON with sorted keys: the database does not keep their order. */
const canonical = (value: unknown) =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
