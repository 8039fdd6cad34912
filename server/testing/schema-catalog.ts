/** Runs a statement and returns its rows. */
type Query = (text: string) => Promise<Record<string, unknown>[]>

/**
 * Everything the database says about the schema `public`, as sorted lines: two schemas are the same when these are equal.
 * Columns are in name order, since nothing may depend on their position, and the owner, whose name differs between
 * installations, is "owner".
 */
export async function readSchemaCatalog(query: Query): Promise<string[]> {
  const rows = await query(CATALOG)
  return rows.map(({ line }) => sortSelectedColumns(String(line))).sort()
}

/** A view over `select *` lists the columns in the order in which its table got them. */
const sortSelectedColumns = (line: string) =>
  line.replace(/(?<=^view .*?SELECT )(.*?)(?=\n\s*FROM )/s, (columns) =>
    columns
      .split(',\n')
      .map((column) => column.trim())
      .sort()
      .join(', '),
  )

const isFree = (catalog: string, id: string) =>
  `not exists (select from pg_depend d where d.classid = '${catalog}'::regclass and d.objid = ${id} and d.deptype = 'e')`
const ROLE = (id: string, owner: string) =>
  `case ${id} when 0 then 'public' when ${owner} then 'owner' else ${id}::regrole::text end`
const GRANTS = (of: string, list: string, owner: string) => `
  select ${of} || ': grant ' || lower(g.privilege_type) || ' to ' || ${ROLE('g.grantee', owner)}
    || case when g.is_grantable then ' grantable' else '' end
  from x cross join lateral aclexplode(${list}) g`

const CATALOG = `
  with relation as (
    select c.*, c.oid as id, c.relname::text as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and ${isFree('pg_class', 'c.oid')}),
  routine as (
    select p.*, p.oid as id, p.oid::regprocedure::text as name from pg_proc p
    where p.pronamespace = 'public'::regnamespace and ${isFree('pg_proc', 'p.oid')}),
  type as (
    select t.*, t.oid as id, t.typname::text as name from pg_type t
    where t.typnamespace = 'public'::regnamespace and ${isFree('pg_type', 't.oid')} and t.typtype in ('d', 'e', 'r'))
  select line from (
    select concat_ws(' ', 'relation', name, relkind, relpersistence, reloptions,
      case when relrowsecurity then 'secured' end, case when relforcerowsecurity then 'forced' end,
      case when pg_has_role(current_user, relowner, 'member') then 'owned' end) from relation
    union all
    select concat_ws(' ', 'column', name || '.' || a.attname, format_type(a.atttypid, a.atttypmod),
      case when a.attnotnull then 'not null' end, nullif('identity ' || a.attidentity::text, 'identity '),
      nullif('generated ' || a.attgenerated::text, 'generated '), 'default ' || pg_get_expr(b.adbin, b.adrelid),
      case when a.attcollation <> 0 then a.attcollation::regcollation::text end,
      a.attoptions, nullif(a.attcompression, ''), a.attstorage)
      from relation join pg_attribute a on a.attrelid = id and a.attnum > 0 and not a.attisdropped
        left join pg_attrdef b on b.adrelid = id and b.adnum = a.attnum
      where relkind in ('r', 'p', 'v', 'm')
    union all
    select concat_ws(' ', 'constraint', coalesce(r.name, t.name), k.conname, pg_get_constraintdef(k.oid),
      case when not k.convalidated then 'not valid' end)
      from pg_constraint k left join relation r on r.id = k.conrelid left join type t on t.id = k.contypid
      where coalesce(r.name, t.name) is not null
    union all
    select concat_ws(' ', 'index', pg_get_indexdef(indexrelid), case when not indisvalid then 'invalid' end)
      from pg_index join relation on id = indrelid
    union all
    select concat_ws(' ', 'routine', name, case when pg_has_role(current_user, proowner, 'member') then 'owned' end, E'\\n',
      pg_get_functiondef(id)) from routine
    union all
    select concat_ws(' ', 'trigger', tgenabled, pg_get_triggerdef(t.oid))
      from pg_trigger t join relation on id = tgrelid where not tgisinternal
    union all
    select concat_ws(' ', 'policy', name || '.' || p.polname, p.polcmd,
      case when not p.polpermissive then 'restrictive' end, 'to',
      (select string_agg(r, ', ' order by r) from (select ${ROLE('o', 'relowner')} as r from unnest(p.polroles) o) roles),
      'using', pg_get_expr(p.polqual, id), 'check', pg_get_expr(p.polwithcheck, id))
      from pg_policy p join relation on id = p.polrelid
    union all
    select 'view ' || name || ' ' || pg_get_viewdef(id) from relation where relkind in ('v', 'm')
    union all
    select concat_ws(' ', 'rule', name, pg_get_ruledef(r.oid)) from pg_rewrite r join relation on id = r.ev_class
      where r.rulename <> '_RETURN'
    union all
    select concat_ws(' ', 'type', name, typtype, format_type(typbasetype, typtypmod), typnotnull, typdefault,
      (select string_agg(enumlabel, ',' order by enumsortorder) from pg_enum where enumtypid = id)) from type
    union all
    select concat_ws(' ', 'sequence', name, s.seqtypid::regtype, s.seqstart, s.seqincrement, s.seqmax, s.seqmin, s.seqcycle)
      from relation join pg_sequence s on s.seqrelid = id
    union all
    select concat_ws(' ', 'extension', extname, extnamespace::regnamespace) from pg_extension
    union all
    select concat_ws(' ', 'comment', i.type, i.identity, e.description) from pg_description e
      cross join lateral pg_identify_object(e.classoid, e.objoid, e.objsubid) i
      where i.schema = 'public' or exists (select from relation where id = e.objoid)
    union all
    (with x as (select name, relacl, relkind, relowner from relation where relkind <> 'i')
      ${GRANTS(`'relation ' || x.name`, `coalesce(relacl, acldefault(case relkind when 'S' then 's'::"char" else 'r' end, relowner))`, 'relowner')})
    union all
    (with x as (select name, a.attname, a.attacl, relowner from relation join pg_attribute a on a.attrelid = id)
      ${GRANTS(`'column ' || x.name || '.' || x.attname`, 'x.attacl', 'relowner')})
    union all
    (with x as (select * from routine) ${GRANTS(`'routine ' || x.name`, `coalesce(proacl, acldefault('f', proowner))`, 'proowner')})
    union all
    (with x as (select * from type) ${GRANTS(`'type ' || x.name`, `coalesce(typacl, acldefault('T', typowner))`, 'typowner')})
    union all
    (with x as (select * from pg_namespace where nspname = 'public')
      ${GRANTS(`'schema public'`, `coalesce(nspacl, acldefault('n', nspowner))`, 'nspowner')})
  ) everything (line)`
