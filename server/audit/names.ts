import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import type { Tables } from '#server/db/tables.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

interface Named {
  table: keyof Tables
  /** SQL of the name, over the table's columns. */
  name: string
  /** The id is a text of the portal and no UUID. */
  hasTextId?: true
}

/** Where a subject's name is, by subject type. Others have none, or are named by their id. */
const NAMED: Record<string, Named> = {
  user: { table: 'user_profiles', name: "case when profile_status <> 'deleted' then display_name end" },
  travel_advisory: { table: 'travel_advisories', name: 'title' },
  advisory: { table: 'travel_advisories', name: 'title' },
  advisory_source: { table: 'advisory_sources', name: 'name', hasTextId: true },
  locale: { table: 'locales', name: 'name' },
  locale_import: { table: 'imports', name: 'file_name' },
  chapter: { table: 'mfa_local_chapters', name: 'chapter_name' },
  announcement: { table: 'announcements', name: "texts -> 'en' ->> 'title'" },
  roll_call: { table: 'roll_calls', name: 'title' },
  assistant_case: { table: 'assistant_cases', name: 'reference' },
  assistant_fact: { table: 'assistant_facts', name: 'id', hasTextId: true },
  knowledge: { table: 'knowledge_sources', name: 'page_title' },
  pdos_module: { table: 'pdos_modules', name: 'title_en' },
  faq_entry: { table: 'faq_entries', name: "question ->> 'en'" },
}

/** Fields of an entry that hold ids of users or chapters: one, or a list. */
const MENTIONED: Record<string, 'user' | 'chapter'> = {
  user_id: 'user',
  owner_id: 'user',
  helper_id: 'user',
  helpers: 'user',
  taken_by: 'user',
  scope_chapters: 'chapter',
  chapter_id: 'chapter',
}

interface Entry {
  subject_type: string
  subject_id: string
  before: unknown
  after: unknown
}

/** Names of what entries are about and mention, as far as the caller may read them: one query for each kind. */
export async function findNames(db: Db, entries: readonly Entry[]): Promise<NamesOf> {
  const wanted = new Map<string, Set<string>>()
  const add = (type: string, id: string) => {
    if (NAMED[type] && (NAMED[type].hasTextId || UUID.test(id)))
      wanted.set(type, (wanted.get(type) ?? new Set()).add(id))
  }
  for (const entry of entries) {
    add(entry.subject_type, entry.subject_id)
    for (const { type, id } of mentionedIn(entry)) add(type, id)
  }
  const found = new Map<string, string>()
  for (const [type, ids] of wanted)
    for (const { id, name } of await namesIn(db, NAMED[type]!, [...ids])) if (name) found.set(`${type} ${id}`, name)
  return {
    subject: ({ subject_type, subject_id }) => found.get(`${subject_type} ${subject_id}`) ?? null,
    mentioned: (entry) =>
      Object.fromEntries(
        mentionedIn(entry).flatMap(({ type, id }) => {
          const name = found.get(`${type} ${id}`)
          return name === undefined ? [] : [[id, name]]
        }),
      ),
  }
}

interface NamesOf {
  subject(entry: Entry): string | null
  mentioned(entry: Entry): Record<string, string>
}

async function namesIn(db: Db, { table, name, hasTextId }: Named, ids: readonly string[]) {
  const type = sql.raw(hasTextId ? 'text[]' : 'uuid[]')
  const { rows } = await sql<{ id: string; name: string | null }>`
    select id::text as id, ${sql.raw(name)} as name from ${sql.table(table)} where id = any(${ids}::${type})
  `.execute(db)
  return rows
}

function mentionedIn({ before, after }: Entry): { type: 'user' | 'chapter'; id: string }[] {
  return [before, after].flatMap((fields) =>
    Object.entries(typeof fields === 'object' && fields !== null ? fields : {}).flatMap(([field, value]) => {
      const type = Object.hasOwn(MENTIONED, field) ? MENTIONED[field] : undefined
      if (!type) return []
      return [value].flat().flatMap((id) => (typeof id === 'string' ? [{ type, id }] : []))
    }),
  )
}
