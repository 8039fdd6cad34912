import { sql } from 'kysely'
import type { CachedTable } from '#server/readmodel/model.ts'
import { isSmallWord } from '../understanding/vocabulary.ts'

/** Answered from the portal's own rules. On pages, the same letters may mean something else. */
const OWN = new Set(['pdos', 'mfa'])

export type KnownNames = ReturnType<typeof createKnownNames>

/**
 * Abbreviations of institutions and documents on knowledge pages: OWWA, OEC. Kept in memory, so that a question can be
 * checked at once, even while the database is unavailable.
 */
export function createKnownNames() {
  const bySource = new Map<string, string[]>()
  let names = new Set<string>()
  const cachedTable: CachedTable = {
    table: 'knowledge_sources',
    async load(db, ids) {
      if (!ids) bySource.clear()
      for (const id of ids ?? []) bySource.delete(id)
      // In headings, capitals next to lower-case letters, since a whole heading may be in capitals. In the text, only
      // where it is spelt out, "the Migrant Workers Office (MWO)", or is part of the domain: owwa.gov.ph.
      const { rows } = await sql<{ id: string; name: string }>`
        with told as (
          select s.id, s.page_title as title, s.source_domain, c.metadata ->> 'heading' as heading, c.content
          from knowledge_sources s left join knowledge_chunks c on c.source_id = s.id
          where ${ids}::uuid[] is null or s.id = any(${ids}::uuid[])
        ), named as (
          select id, found[1] as name from told, unnest(array[title, heading]) as line,
            regexp_matches(line, '\\m[A-Z]{3,8}\\M', 'g') as found where line ~ '[a-z]' or line !~ '\\s'
          union select id, found[1] from told, regexp_matches(content, '\\(([A-Z]{3,8})\\)', 'g') as found
          union select id, upper(label) from told, regexp_split_to_table(source_domain, '\\.') as label
            where label ~ '^[a-z]{3,8}$' and concat_ws(' ', title, heading, content) ~ ('\\m' || upper(label) || '\\M')
        ) select id, lower(name) as name from named`.execute(db)
      for (const { id, name } of rows)
        if (!OWN.has(name) && !isSmallWord(name)) bySource.set(id, [...(bySource.get(id) ?? []), name])
      names = new Set([...bySource.values()].flat())
    },
  }
  return {
    cachedTable,
    /** Known names in a folded text. */
    namedIn: (folded: string): string[] => [...new Set(latinWordsIn(folded))].filter((word) => names.has(word)),
  }
}

/** Latin words of a folded text, also directly beside letters of another script. */
export const latinWordsIn = (folded: string): string[] => folded.match(/[a-z\d]+/g) ?? []
