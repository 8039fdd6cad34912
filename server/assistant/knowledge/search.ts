import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import { escapeLike } from '#server/db/like.ts'
import { clampTopK, type KnowledgeChunk, LEAST_SIMILARITY } from '#shared/assistant/knowledge.ts'
import { fold } from '#shared/countries/fold.ts'
import { isSmallWord } from '../understanding/vocabulary.ts'

const MAX_WORDS = 12
const MIN_WORD_LENGTH = 3
const SHORTEST_STEM = 4
const ENDING = 2
const CANDIDATES = 200

/** Normalised text that chunks are searched by. */
export const searchTextOf = (...texts: (string | null)[]) => fold(texts.filter(Boolean).join(' '))

/**
 * Chunks that contain the query literally, words of it, or a similar spelling; most similar first. A chunk is scored by
 * the rarity of the shared words and by trigrams, or near 1 if it contains the whole query. Chunks below
 * `min_similarity` are dropped (C-42).
 */
export async function findChunks(
  db: Db,
  query: string,
  options: { topK?: number | null; minSimilarity?: number; language?: string } = {},
): Promise<KnowledgeChunk[]> {
  const { topK, minSimilarity = LEAST_SIMILARITY, language = null } = options
  const folded = fold(query)
  const prefixes = prefixesOf(folded)
  if (folded === '') return []
  const anyPrefix = prefixes.length > 0 ? prefixes.join(' | ') : null
  const contains = sql<boolean>`c.search_text like ${`%${escapeLike(folded)}%`}`
  const { rows } = await sql<Row>`
    with words as (
      select w.word, ln(1 + (select count(*) from knowledge_chunks)::float8
        / greatest(1, (select count(*) from knowledge_chunks d where d.search_words @@ to_tsquery('simple', w.word)))) as weight
      from unnest(${prefixes}::text[]) as w(word)
    ), candidates as (
      select c.id, c.content, c.metadata, c.language, c.source_id, c.position, ${contains} as is_contained,
        word_similarity(${folded}, c.search_text) as spelling,
        coalesce((select sum(w.weight) filter (where c.search_words @@ to_tsquery('simple', w.word)) / nullif(sum(w.weight), 0)
          from words w), 0) as shared
      from knowledge_chunks c
      where ${contains} or c.search_words @@ to_tsquery('simple', ${anyPrefix}) or ${folded} <% c.search_text
      limit ${CANDIDATES * 5}
    ), scored as (
      select *, least(1, greatest(case when is_contained then 0.9 else 0 end, 0.85 * shared, 0.7 * spelling)
        + case when language = ${language} then 0.05 else 0 end) as similarity
      from candidates
    )
    select s.id, s.content, s.metadata, s.language, s.similarity, k.checked_at
    from scored s join knowledge_sources k on k.id = s.source_id
    where s.similarity >= ${minSimilarity}
    order by s.similarity desc, k.checked_at desc, s.source_id, s.position limit ${clampTopK(topK)}`.execute(db)
  return rows.map(({ id, content, metadata, language, similarity, checked_at }) => ({
    id,
    content,
    metadata: { ...metadata, language, checked_at: checked_at.toISOString() },
    similarity: Math.round(Number(similarity) * 1000) / 1000,
  }))
}

interface Row {
  id: string
  content: string
  metadata: { page_title: string; page_url: string; source_domain: string; heading: string | null }
  language: string
  similarity: number
  checked_at: Date
}

/** The longest significant words, which are the most specific. Only letters and digits, so that none is an operator. */
function prefixesOf(folded: string): string[] {
  const words = [...new Set(folded.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [])].filter(
    (word) => word.length >= MIN_WORD_LENGTH,
  )
  const significant = words.filter((word) => !isSmallWord(word))
  return (significant.length > 0 ? significant : words)
    .sort((a, b) => b.length - a.length)
    .slice(0, MAX_WORDS)
    .map((word) => `${stemOf(word)}:*`)
}

/** Crude stemming: 'passports' and 'passport' share a prefix. */
export const stemOf = (word: string) => word.slice(0, Math.max(SHORTEST_STEM, word.length - ENDING))
