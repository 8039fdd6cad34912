import { lastOf } from '#shared/assert.ts'
import type { Migration } from './migration-files.ts'

/** A migration as it is recorded in a database or a backup. */
export type AppliedMigration = Pick<Migration, 'name' | 'checksum'>

/** Why a database or a backup does not fit this version. */
export interface Mismatch {
  kind: 'before baseline' | 'newer' | 'other' | 'edited'
  /** The migration that was applied. */
  name: string
  /** The migration of this version in its place. */
  own: string
}

/** No migration has it, so what was recorded without checksums matches none. */
const NO_CHECKSUM = ''

/** The migrations that were applied to a database, in order; undefined for a new one. Writes nothing. */
export async function readAppliedMigrations(
  query: (text: string) => Promise<unknown[]>,
): Promise<AppliedMigration[] | undefined> {
  const rows = await query(`
    select to_jsonb(m) ->> 'name' as name, coalesce(to_jsonb(m) ->> 'checksum', '${NO_CHECKSUM}') as checksum
    from migrations m order by name`).catch((error: { code?: string }) => {
    if (error.code === UNDEFINED_TABLE) return undefined
    throw error
  })
  return rows as AppliedMigration[] | undefined
}

const UNDEFINED_TABLE = '42P01'

/** Compares what was applied with the migrations of this version: it has to be their beginning, with the same texts. */
export function findMismatch(
  applied: readonly AppliedMigration[],
  migrations: readonly Migration[],
): Mismatch | undefined {
  for (const [at, { name, checksum }] of applied.entries()) {
    const own = migrations[at]
    if (!own || name > lastOf(migrations).name) return { kind: 'newer', name, own: '' }
    if (checksum === NO_CHECKSUM || (at === 0 && name !== own.name))
      return { kind: 'before baseline', name, own: own.name }
    if (name !== own.name) return { kind: 'other', name, own: own.name }
    if (checksum !== own.checksum) return { kind: 'edited', name, own: own.name }
  }
  return undefined
}
