import pg from 'pg'
import { firstOf } from '#shared/assert.ts'
import { BackupError } from './error.ts'
import type { Session } from './session.ts'

export const quoted = pg.escapeIdentifier

export interface Table {
  name: string
  columns: Column[]
  /** Role in which the whole table can be read; null is the connection's own role. */
  reader: 'portal_service' | null
}
export interface Column {
  name: string
  type: string
}

const OF_PUBLIC = `c.relnamespace = 'public'::regnamespace
  and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`

/** Whether the policies of the table `c` let a role read every row. */
const seesAll = (role: 'r' | 's') => `(
  exists (select from pg_policy p where p.polrelid = c.oid and p.polpermissive and p.polcmd in ('r', '*')
    and ${role}.oid = any (p.polroles) and pg_get_expr(p.polqual, c.oid) = 'true')
  and not exists (select from pg_policy p where p.polrelid = c.oid and not p.polpermissive
    and p.polcmd in ('r', '*') and (${role}.oid = any (p.polroles) or 0::oid = any (p.polroles)))
  and has_table_privilege(${role}.oid, c.oid, 'select'))`

/** Every table of the portal with its stored columns; generated columns are recomputed on restore. */
export async function listTables(session: Session): Promise<Table[]> {
  const rows = await session.query<{ name: string; columns: Column[] | null; is_own: boolean; is_open: boolean }>(`
    select c.relname as name,
      (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
        from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '')
        as columns,
      not c.relrowsecurity or r.rolsuper or r.rolbypassrls or ${seesAll('r')} as is_own,
      ${seesAll('s')} as is_open
    from pg_class c
      join pg_roles r on r.rolname = current_user
      left join pg_roles s on s.rolname = 'portal_service'
    where c.relkind in ('r', 'p') and ${OF_PUBLIC}
    order by c.relname`)
  return rows.map(({ name, columns, is_own, is_open }) => {
    // Forced row-level security silently omits rows; a backup must never contain part of a table.
    if (!is_own && !is_open)
      throw new BackupError(`The policies of the table ${name} prevent portal_service from reading all rows.`)
    return { name, columns: columns ?? [], reader: is_own ? null : 'portal_service' }
  })
}

/** One row of a table as a JSON array of texts, in column order. */
export const lineOf = (columns: string[]) =>
  `json_build_array(${columns.map((column) => `${quoted(column)}::text`).join(', ')})::text`

/** Row count and an order-independent content digest of a table. `Digest` computes the same in JavaScript. */
export const digestQuery = (table: string, columns: string[]) => `
  select count(*) as rows,
    coalesce(sum(('x' || encode(substring(sha256(convert_to(line, 'UTF8')) for 6), 'hex'))::bit(48)::bigint), 0)::text as digest
  from (select ${lineOf(columns)} as line from ${quoted(table)}) lines`

/** The current position of each table's sequence. */
export async function listSequences(session: Session) {
  const sequences = await session.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relkind = 'S' and ${OF_PUBLIC} order by 1`,
  )
  const found: { name: string; value: string; is_called: boolean }[] = []
  for (const { name } of sequences) {
    const rows = await session.query<{ value: string; is_called: boolean }>(
      `select last_value::text as value, is_called from ${quoted(name)}`,
    )
    found.push({ name, ...firstOf(rows) })
  }
  return found
}

/**
 * What protects the rows, one line each: row-level security, policies, grants to the portal's roles, triggers and
 * functions. The owner's name differs between installations, so it is replaced by "owner".
 */
export async function listRules(session: Session): Promise<string[]> {
  const rows = await session.query<{ rule: string }>(`
    select 'rls ' || c.relname || case when c.relforcerowsecurity then ' forced' else ' not forced' end as rule
      from pg_class c where c.relrowsecurity and ${OF_PUBLIC}
    union all
    select 'policy ' || c.relname || '.' || p.polname || ' ' || p.polcmd::text
        || case when p.polpermissive then '' else ' restrictive' end || ' to '
        || (select string_agg(case when o = 0 then 'public' when o = c.relowner then 'owner' else o::regrole::text end, ',' order by
          case when o = 0 then 'public' when o = c.relowner then 'owner' else o::regrole::text end) from unnest(p.polroles) o)
      from pg_policy p join pg_class c on c.oid = p.polrelid where ${OF_PUBLIC}
    union all
    select 'grant ' || lower(g.privilege_type) || ' on ' || c.relname || ' to ' || g.grantee::regrole::text
      from pg_class c cross join lateral aclexplode(c.relacl) g
      where g.grantee <> 0 and g.grantee::regrole::text like 'portal\\_%' and g.grantee <> c.relowner and ${OF_PUBLIC}
    union all
    select 'trigger ' || c.relname || '.' || t.tgname || case t.tgenabled when 'O' then '' else ' disabled' end
      from pg_trigger t join pg_class c on c.oid = t.tgrelid where not t.tgisinternal and ${OF_PUBLIC}
    union all
    select 'function ' || p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ') '
        || case when p.prosecdef then 'definer ' else '' end
        || encode(substring(sha256(convert_to(p.prosrc, 'UTF8')) for 8), 'hex')
      from pg_proc p where p.pronamespace = 'public'::regnamespace
        and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    order by 1`)
  return rows.map(({ rule }) => rule).sort()
}
