import { withClaims } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import { createRateLimit } from '#server/http/rate-limit.ts'
import type { Router } from '#server/http/router.ts'
import { searchKnowledge } from '#shared/assistant/knowledge.ts'
import type { FindChunks } from '../gathering/context.ts'
import { findChunks } from './search.ts'

/** Searches the pages that the assistant may quote. */
export function registerKnowledge(router: Router) {
  const searches = createRateLimit({ count: 60, seconds: 60 })
  router.handle(searchKnowledge, async ({ db, session }, { body }) => {
    searches.take(session.user?.id ?? session.address)
    const { query, top_k, min_similarity, language } = body
    return {
      chunks: await findChunks(db, query, {
        topK: top_k ?? null,
        minSimilarity: min_similarity,
        ...(language ? { language } : {}),
      }),
    }
  })
}

/** The same search for the assistant itself, with anonymous access. */
export const chunkFinder =
  (database: Database): FindChunks =>
  (query, { language }) =>
    withClaims(database, { as: 'anonymous' }, (db) => findChunks(db, query, { language }))
