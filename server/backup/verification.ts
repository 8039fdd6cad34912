import { firstOf, present } from '#shared/assert.ts'
import { digestQuery, listRules, type Table } from './catalogue.ts'
import { BackupError } from './error.ts'
import type { Manifest } from './manifest.ts'
import type { Session } from './session.ts'

export interface Report {
  tables: number
  rows: number
  /** Policies, grants, triggers and functions that are in the backup but not created by this version. */
  rulesLost: string[]
  /** Those created by this version but not in the backup. */
  rulesAdded: string[]
}

/** Compares row count and content of every table with the manifest, while no policy applies to the owner. */
export async function compareRows(session: Session, tables: Table[], manifest: Manifest) {
  const expected = new Map(manifest.tables.map((table) => [table.name, table]))
  let rows = 0
  for (const { name, columns } of tables) {
    const names = columns.map((column) => column.name)
    const found = firstOf(await session.query<{ rows: number | string; digest: string }>(digestQuery(name, names)))
    const { rows: count, digest } = present(expected.get(name), `the table ${name}`)
    if (Number(found.rows) !== count || found.digest !== digest)
      throw new BackupError(
        `The table ${name} does not match the backup: ${found.rows} of ${count} rows, or different content. Nothing was changed.`,
      )
    rows += count
  }
  return { tables: tables.length, rows }
}

/** Compares the protection rules with the backup once all of them are in force again. */
export async function compareRules(session: Session, { rules }: Manifest) {
  const now = await listRules(session)
  return {
    rulesLost: rules.filter((rule) => !now.includes(rule)),
    rulesAdded: now.filter((rule) => !rules.includes(rule)),
  }
}

/** Queries users as each database role of the portal; throws if a role sees too much or too little. */
export async function checkRoleAccess(session: Session): Promise<void> {
  const seen: Record<string, string> = {}
  for (const role of ['portal_service', 'portal_user', 'portal_anonymous']) {
    await session.query('savepoint role')
    try {
      await session.query(`select set_config('role', $1, true), set_config('portal.claims', '', true)`, [role])
      const found = await session.query<{ count: string }>('select count(*)::text as count from user_profiles')
      seen[role] = firstOf(found).count
    } catch (error) {
      if ((error as { code?: string }).code !== '42501') throw error
      seen[role] = 'refused'
    }
    await session.query('rollback to savepoint role')
  }
  const all = firstOf(
    await session.query<{ count: string }>(`select (select count(*) from user_profiles)::text as count`),
  )
  // The login role has its own policy on this table, so it counts every row.
  if (
    seen.portal_service !== all.count ||
    seen.portal_user !== '0' ||
    (seen.portal_anonymous === all.count && all.count !== '0')
  )
    throw new BackupError(
      `The policies do not protect the accounts after this restore (${JSON.stringify(seen)}). Nothing was changed.`,
    )
}

/** Administrators who have a sign-in method. */
export async function countAdministrators(session: Session): Promise<number> {
  const found = await session.query<{ count: number }>(`select count(*)::int as count from user_profiles p
    where p.role = 'admin' and p.profile_status = 'active' and (
      exists (select from auth_accounts a where a.user_id = p.auth_user_id)
      or exists (select from auth_passkeys k where k.user_id = p.auth_user_id))`)
  return firstOf(found).count
}
