import { sql } from 'kysely'
import type { CachedTable } from '#server/readmodel/model.ts'
import { isSmallWord } from '../understanding/vocabulary.ts'

/** The portal speaks of these itself, by its own rules; pages that have the same letters may mean another thing. */
const OWN = new Set(['pdos', 'mfa'])

export type KnownNames = ReturnType<typeof createKnownNames>

/**
 * The institutions and papers that known pages speak of, by the letters they are called by: OWWA, OEC. Held in memory,
 * so that whether a question names one is known at once, also while the database is away.
 */
export function createKnownNames() {
  const bySource = new Map<string, string[]>()
  let names = new Set<string>()
  const cachedTable: CachedTable = {
    table: 'knowledge_sources',
    async load(db, ids) {
      if (!ids) bySource.clear()
      for (const id of ids ?? []) bySource.delete(id)
      // In capitals beside small letters, since a heading may shout; in the words of a page only where it says what they
      // stand for, "the Migrant Workers Office (MWO)", or is that institution's own: owwa.gov.ph.
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
    /** Those that a folded text holds. */
    namedIn: (folded: string): string[] => [...new Set(latinWordsIn(folded))].filter((word) => names.has(word)),
  }
}

/** The words of a folded text in Latin letters, also where letters of another script stand beside them. */
export const latinWordsIn = (folded: string): string[] => folded.match(/[a-z\d]+/g) ?? []
