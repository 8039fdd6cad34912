import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import type { LocaleSchedulesTable, LocaleServantsTable } from '#server/db/tables-churches.ts'
import type { Span } from '#server/imports/adapter.ts'
import { LIST_FIELDS, type ListField } from '#shared/churches/import-fields.ts'
import { fold } from '#shared/countries/fold.ts'
import { type ImportedServant, writeServants } from './servants.ts'
import { type ImportedService, writeServices } from './services.ts'

/** Rows of a list as they are planned and written: complete, except for the id of their locale. */
type Service = Omit<Selectable<LocaleSchedulesTable>, 'locale_id'>
type Servant = Omit<Selectable<LocaleServantsTable>, 'locale_id' | 'agreed_at'> & { agreed_at: string | null }
export interface Lists {
  services: Service[]
  servants: Servant[]
}

const TABLES = { services: 'locale_schedules', servants: 'locale_servants' } as const

/** The cell text that would produce this list. */
export function listText(field: string, list: unknown): string {
  if (!Array.isArray(list)) return ''
  if (field === 'services') return writeServices((list as Service[]).map(inMinutes))
  return writeServants(list as Servant[])
}

/**
 * The services of a locale after the import: the file's list replaces the existing one, and an unchanged service
 * retains its id, since calendars rely on it.
 */
export function servicesAfter(input: readonly ImportedService[], existing: readonly Service[]): Service[] {
  const left = [...existing]
  return input.map((service, position) => {
    const text = writeServices([service])
    const at = left.findIndex((candidate) => writeServices([inMinutes(candidate)]) === text)
    const same = at >= 0 ? left.splice(at, 1)[0] : undefined
    return same ? { ...same, position } : { id: randomUUID(), ...service, position }
  })
}

/**
 * The servants of a locale after the import: servants in the file are added or updated; none is removed, since a file
 * often lists only some. Consent to be named in public stays, but a new number or address is not public.
 */
export function servantsAfter(input: readonly ImportedServant[], existing: readonly Servant[]): Servant[] {
  const after = existing.map((servant) => {
    const named = input.find(({ name }) => fold(name) === fold(servant.name))
    if (!named) return servant
    const { role, phone, email } = named
    const isContactNew = (phone !== null && phone !== servant.phone) || (email !== null && email !== servant.email)
    return {
      ...servant,
      role: role ?? servant.role,
      phone: phone ?? servant.phone,
      email: email ?? servant.email,
      is_contact_public: servant.is_contact_public && !isContactNew,
    }
  })
  const known = new Set(existing.map(({ name }) => fold(name)))
  const added = input.filter(({ name }) => !known.has(fold(name)))
  const first = Math.max(-1, ...existing.map(({ position }) => position)) + 1
  return [
    ...after,
    ...added.map((servant, i) => ({
      id: randomUUID(),
      user_id: null,
      name: servant.name,
      role: servant.role ?? 'local_servant',
      phone: servant.phone,
      email: servant.email,
      is_name_public: false,
      is_contact_public: false,
      agreed_at: null,
      position: first + i,
    })),
  ]
}

const inMinutes = (service: Service): ImportedService => ({
  ...service,
  start_time: service.start_time.slice(0, 5),
  end_time: service.end_time?.slice(0, 5) ?? null,
})

/** The lists of these locales, by id. */
export async function listsOf(db: Db, ids: readonly string[]): Promise<Map<string, Lists>> {
  const { rows } = await sql<Lists & { id: string }>`
    select l.id, ${listOf('services', sql`l.id`)} as services, ${listOf('servants', sql`l.id`)} as servants
    from unnest(${ids}::uuid[]) as l (id)`.execute(db)
  return new Map(rows.map(({ id, services, servants }) => [id, { services, servants }]))
}

const listOf = (field: ListField, locale: ReturnType<typeof sql>) => sql`(
  select coalesce(jsonb_agg(to_jsonb(x) - 'locale_id' order by x.position, x.id), '[]')
  from ${sql.table(TABLES[field])} x where x.locale_id = ${locale})`

/** Writes the lists of an import's planned rows, and stores the previous ones with each row. */
export async function writeLists(db: Db, { id, from, to }: Span): Promise<void> {
  for (const field of LIST_FIELDS) {
    const rows = sql`import_rows r where r.import_id = ${id} and r.row_number between ${from} and ${to}
      and r.action in ('create', 'update') and r.fields ? ${field}`
    await sql`update import_rows k
      set before = coalesce(k.before, '{}') || jsonb_build_object(${field}::text, ${listOf(field, sql`k.record_id`)})
      where k.import_id = ${id} and (k.row_number) in (select r.row_number from ${rows})`.execute(db)
    await replaceLists(db, field, sql`select r.record_id as locale_id, r.fields -> ${field} as list from ${rows}`)
  }
}

/** Restores the lists from before an import. */
export async function restoreLists(db: Db, { id, from, to }: Span): Promise<void> {
  for (const field of LIST_FIELDS)
    await replaceLists(
      db,
      field,
      sql`select r.record_id as locale_id, r.before -> ${field} as list from import_rows r where r.import_id = ${id}
        and r.row_number between ${from} and ${to} and r.action = 'update' and r.fields ? ${field}`,
    )
}

/** Replaces the lists in a table; unchanged rows retain their ids. `source` selects locale_id and list. */
async function replaceLists(db: Db, field: ListField, source: ReturnType<typeof sql>): Promise<void> {
  const table = sql.table(TABLES[field])
  await sql`delete from ${table} x using (${source}) g where x.locale_id = g.locale_id
    and not exists (select from jsonb_array_elements(g.list) e where (e ->> 'id')::uuid = x.id)`.execute(db)
  const columns = COLUMNS[field]
  const names = sql.join(columns.map((name) => sql.ref(name)))
  await sql`
    insert into ${table} (locale_id, ${names})
    select g.locale_id, ${sql.join(columns.map((name) => sql.ref(`p.${name}`)))}
    from (${source}) g cross join lateral jsonb_populate_recordset(null::${table}, g.list) p
    on conflict (id) do update set
      ${sql.join(columns.slice(1).map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`))}`.execute(db)
}

const COLUMNS = {
  services: [
    'id',
    'day_of_week',
    'recurrence',
    'starts_on',
    'ends_on',
    'start_time',
    'end_time',
    'service_type',
    'title',
    'language',
    'is_online',
    'online_url',
    'note',
    'position',
  ],
  servants: [
    'id',
    'user_id',
    'name',
    'role',
    'phone',
    'email',
    'is_name_public',
    'is_contact_public',
    'agreed_at',
    'position',
  ],
} as const satisfies Record<ListField, readonly string[]>
