import { searchKnowledge } from '#shared/assistant/knowledge.ts'
import { withClaims } from '../../db/claims.ts'
import type { Database } from '../../db/connection.ts'
import type { Router } from '../../http/door.ts'
import { createRateLimit } from '../../http/rate-limit.ts'
import type { FindChunks } from '../gathering/parts.ts'
import { findChunks } from './searching.ts'

/** The search of pages that the assistant may quote. */
export function knowledge(router: Router) {
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

/** The same for the assistant itself, which sees what anybody sees. */
export const chunkFinder =
  (database: Database): FindChunks =>
  (query, { language }) =>
    withClaims(database, { as: 'anonymous' }, (db) => findChunks(db, query, { language }))
