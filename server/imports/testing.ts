import { sql } from 'kysely'
import * as z from 'zod'
import type { Database } from '#server/db/connection.ts'
import { importContract } from '#shared/imports/contract.ts'
import { MISSING_WORDS } from '#shared/imports/limits.ts'
import type { PossibleDuplicate } from '#shared/imports/model.ts'
import type { Fields, HowToRead, ImportAdapter, RowRules } from './adapter.ts'
import { createCellReader, shortened, VALUES } from './cells.ts'

const FIELDS = ['id', 'code', 'title', 'amount', 'since'] as const
type Field = (typeof FIELDS)[number]

/** Imports of a made-up kind of record that no capability of the portal knows. */
export const thingImports = importContract({
  path: '/thing-imports',
  access: 'composeAnnouncements',
  record: 'thing',
  fields: FIELDS,
  errors: ['no_title', 'not_a_number'],
  warnings: [],
  refusals: [],
  settings: { unit: z.string().default('pieces') },
  counts: { pieces: z.int() },
  duplicate: { why: z.enum(['same_title']) },
  detail: {},
  nouns: { records: 'things', existing: 'a thing' },
})

/**
 * The table of things. Users see only those in their care; coordinators may import them, and see their own
 * files only.
 */
export async function createThings(database: Database): Promise<void> {
  for (const statement of [
    `create table things (id uuid primary key default gen_random_uuid(), code text unique, title text not null,
      amount integer, unit text, since date, keeper uuid, created_at timestamptz not null default now(),
      updated_at timestamptz not null default now())`,
    'grant select, insert, update, delete on things to portal_service',
    `create or replace function portal_may_import(kind text, uploader uuid) returns boolean language sql stable as
      $$ select case kind when 'locales' then portal_role() = 'admin'
        when 'things' then portal_role() = 'mfa_coordinator' and uploader = portal_user_id() else false end $$`,
  ])
    await sql.raw(statement).execute(database.background.kysely)
}

interface Thing {
  id: string
  code: string | null
  title: string
  since: string | null
}

export const thingAdapter: ImportAdapter = {
  kind: 'things',
  contract: thingImports,
  headings: {
    names: { code: ['number', 'id'], title: ['name', 'label'], amount: ['count'] },
    ownExport: ['id', 'code', 'title'],
    required: { title: 'Choose which column is the name.' },
  },
  table: { name: 'things', columns: ['code', 'title', 'amount', 'since'], derived: ['unit', 'keeper'] },
  rules: async (_db, how) => thingRules(how),
  async index(work, by) {
    const { rows } = await work((db) =>
      sql<Thing>`select id, code, title, since::text from things where keeper = ${by?.id ?? null}`.execute(db),
    )
    const byId = new Set(rows.map(({ id }) => id))
    const byCode = new Map(rows.map(({ code, id }) => [code, id]))
    return {
      has: (id) => byId.has(id),
      byKey: (code) => byCode.get(code),
      same: ({ title, since }) => rows.find((thing) => thing.title === title && thing.since === since)?.id,
      alike: ({ title }) =>
        rows
          .filter((thing) => thing.title === title)
          .map((thing): PossibleDuplicate => {
            return { record_id: thing.id, name: thing.title, place: thing.code ?? '', why: 'same_title' }
          }),
    }
  },
  shownFields: ['code', 'title', 'amount', 'since'],
  texts: { field_amount: 'Amount', problem_no_title: 'The title is missing.' },
  counts: { pieces: sql<number>`coalesce(sum((fields ->> 'amount')::int) filter (where action = 'create'), 0)::int` },
  // Two codes that became one while the plan waited.
  conflicts: (id) => [
    sql`select r.row_number, r.name, 'made' from import_rows r join things t on t.code = r.fields ->> 'code'
      where r.import_id = ${id} and r.action = 'create'`,
  ],
  async afterWrite(db, { id, from, to }) {
    await sql`update things t set keeper = i.created_by from import_rows r join imports i on i.id = r.import_id
      where t.id = r.record_id and i.id = ${id} and r.row_number between ${from} and ${to}
        and r.action = 'create'`.execute(db)
  },
}

function thingRules({ columns, mapping, settings }: HowToRead): RowRules {
  const cellsOf = createCellReader<Field>({ columns, mapping }, { missing: new Set(MISSING_WORDS) })
  return {
    read(cells) {
      const { texts, empty, problems } = cellsOf(cells)
      const values: Fields = {}
      for (const [field, text] of texts) {
        const value = READERS[field](text)
        if (value !== undefined) values[field] = value
        else
          problems.push({ code: field === 'amount' ? 'not_a_number' : 'not_understood', field, value: shortened(text) })
      }
      if (!values.title) problems.push({ code: 'no_title' })
      const { id, ...rest } = values
      return { values: rest, empty, id: id as string | undefined, problems }
    },
    keyOf: ({ code }) => code as string | undefined,
    descriptionOf: ({ title, since }) => (title && since ? `${title} ${since}` : ''),
    nameOf: ({ title, code }) => ({ name: String(title ?? ''), place: (code as string | undefined) ?? null }),
    create: ({ values, problems }) => ({ fields: { ...values, unit: settings.unit }, before: {}, problems }),
    update(record, { values, problems }) {
      const changed = Object.entries(values).filter(([name, value]) => record[name] !== value)
      const before = Object.fromEntries(changed.map(([name]) => [name, record[name]]))
      return { fields: Object.fromEntries(changed), before, problems }
    },
  }
}

const READERS: Record<Field, (text: string) => unknown> = {
  id: VALUES.uuid,
  code: (text) => text,
  title: (text) => text,
  amount: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined),
  since: VALUES.day,
}
