import { sql } from 'kysely'

/** What a plan comes to, beside the number of rows by action. */
export const LOCALE_COUNTS = {
  published: sql<number>`count(*) filter (where action = 'create' and (fields ->> 'is_public')::boolean)::int`,
  services: listed('services'),
  servants: listed('servants'),
}

function listed(field: string) {
  return sql<number>`coalesce(sum(jsonb_array_length(fields -> ${field}))
    filter (where action in ('create', 'update')), 0)::int`
}

/** Ids that were given to other locales, and chapters that were deleted, after the plan was made. */
export const conflicts = (id: string) => [
  sql`
    select r.row_number, r.name, 'made'
    from import_rows r join locales l on l.external_id = r.fields ->> 'external_id'
      and l.id is distinct from r.record_id
    where r.import_id = ${id} and r.action in ('create', 'update')`,
  sql`
    select r.row_number, r.name, 'no_chapter'
    from import_rows r
    where r.import_id = ${id} and r.action in ('create', 'update') and r.fields ->> 'chapter_id' is not null
      and not exists (select from mfa_local_chapters c where c.id = (r.fields ->> 'chapter_id')::uuid)`,
]

/** A file can make less of a church public, never more: that needs a confirmation of its own. */
export const loosening = (id: string) => sql`
  select planned.row_number, planned.name, 'loosens' as code from (
    select r.row_number, r.name,
      coalesce(l.discreet_mode::text, before.discreet_mode::text) as was,
      coalesce(case when r.fields ? 'discreet_mode' then r.fields ->> 'discreet_mode' else l.discreet_mode::text end,
        after.discreet_mode::text) as will_be,
      after.country_code is distinct from before.country_code as moves, after.discreet_mode::text as rule
    from import_rows r
      left join locales l on l.id = r.record_id and r.action = 'update'
      left join country_discretion before on before.country_code = coalesce(l.country_code, r.fields ->> 'country_code')
      left join country_discretion after on after.country_code =
        case when r.fields ? 'country_code' then r.fields ->> 'country_code' else l.country_code end
    where r.import_id = ${id} and r.action in ('create', 'update')) planned
  where discretion_level(will_be) < discretion_level(was)
    or (moves and discretion_level(will_be) < discretion_level(rule))`

/** Rows others may have added to a locale that the import created. */
const DEPENDENTS = ['locale_photos', 'locale_corrections', 'locale_messages'] as const
/** Rows the import itself may have added. */
const LISTS = { locale_servants: 'servants', locale_schedules: 'services' } as const

/** Whether others added to a created locale. */
export const HAS_MORE = sql<boolean>`(${sql.join(
  [
    ...DEPENDENTS.map((name) => sql`exists (select from ${sql.table(name)} h where h.locale_id = l.id)`),
    ...Object.entries(LISTS).map(
      ([name, field]) => sql`exists (select from ${sql.table(name)} h where h.locale_id = l.id and not exists
        (select from jsonb_array_elements(r.fields -> ${field}) made where (made ->> 'id')::uuid = h.id))`,
    ),
  ],
  sql` or `,
)})`
