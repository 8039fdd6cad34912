import * as z from 'zod'
import { endpoint } from '../contract.ts'
import { text } from '../text.ts'

export const MOST_CHUNKS = 50
export const DEFAULT_CHUNKS = 5
/** Below this a piece is not given (000 §7); what holds the words typed is always at it or above (C-42). */
export const LEAST_SIMILARITY = 0.1

/** How many pieces are wanted: from 1 to 50, 5 unless told (000 §5). */
export const clampTopK = (asked: number | null | undefined): number =>
  asked === null || asked === undefined || Number.isNaN(asked)
    ? DEFAULT_CHUNKS
    : Math.min(MOST_CHUNKS, Math.max(1, Math.trunc(asked)))

export const KnowledgeChunk = z.object({
  id: z.uuid(),
  content: z.string(),
  metadata: z.object({
    page_title: z.string(),
    page_url: z.string(),
    source_domain: z.string(),
    heading: z.string().nullable(),
    language: z.string(),
    checked_at: z.string(),
  }),
  similarity: z.number().min(0).max(1),
})
export type KnowledgeChunk = z.infer<typeof KnowledgeChunk>

export const searchKnowledge = endpoint({
  method: 'POST',
  path: '/kb/search',
  also: ['/kb-search', '/functions/kb-search'],
  access: 'anyone',
  summary: 'Pieces of the pages that the assistant may quote, the most similar first',
  body: z.strictObject({
    query: text(2000),
    top_k: z.number().nullable().optional(),
    min_similarity: z.number().min(0).max(1).default(LEAST_SIMILARITY),
    language: z.string().max(12).optional(),
  }),
  response: z.object({ chunks: z.array(KnowledgeChunk) }),
})
