import { type QueryExecutorProvider, sql } from 'kysely'
import { firstOf } from '#shared/assert.ts'

const ROLES = ['portal_anonymous', 'portal_user', 'portal_service']

interface Rights {
  name: string
  database: string
  is_super: boolean
  makes_roles: boolean
  makes_tables: boolean
  makes_extensions: boolean
  /** Roles of the portal created by others, which this user may not grant. */
  withheld: string[]
}

/**
 * Checks, before the first migration, that this user may create the portal's three roles, tables and an extension.
 * Throws with the statements that a superuser has to run.
 */
export async function checkRights(db: QueryExecutorProvider): Promise<void> {
  const { rows } = await sql<Rights>`
    select current_user::text as name, current_database()::text as database, u.rolsuper as is_super,
      u.rolcreaterole as makes_roles, has_schema_privilege('public', 'create') as makes_tables,
      has_database_privilege(current_database(), 'create')
        or exists (select from pg_extension where extname = 'pg_trgm') as makes_extensions,
      -- Up to PostgreSQL 15 who may make roles may hand on all of them.
      array(select r.rolname::text from pg_roles r where r.rolname = any(${ROLES})
        and current_setting('server_version_num')::int >= 160000
        and not pg_has_role(r.oid, 'member with admin option')) as withheld
    from pg_roles u where u.rolname = current_user`.execute(db)
  const rights = firstOf(rows)
  const statements = rights.is_super ? [] : missingRights(rights)
  if (statements.length === 0) return
  throw new Error(
    `The database user ${rights.name} lacks a permission for the first start. Run this as a superuser in the database ${rights.database}, then start again:\n\n${statements.map((line) => `  ${line}`).join('\n')}\n`,
  )
}

function missingRights(rights: Rights): string[] {
  const user = quoted(rights.name)
  const lines: string[] = []
  if (!rights.makes_roles) lines.push(`alter role ${user} createrole;`)
  if (rights.withheld.length > 0) lines.push(`grant ${rights.withheld.join(', ')} to ${user} with admin option;`)
  if (!rights.makes_tables) lines.push(`grant create on schema public to ${user};`)
  if (!rights.makes_extensions) lines.push('create extension if not exists pg_trgm;')
  return lines
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
