import * as z from 'zod'
import { endpoint } from '#shared/contract.ts'
import { text } from '#shared/text.ts'

export const MAX_CHUNKS = 50
const DEFAULT_CHUNKS = 5
/**
 * Passages below this are not returned (000 §7); passages that contain the search words are always at or above it
 * (C-42).
 */
export const LEAST_SIMILARITY = 0.1
/** A passage below this similarity is returned but not quoted as an answer. */
export const QUOTED_FROM = 0.3

/** Number of passages to return: 1 to 50, default 5 (000 §5). */
export const clampTopK = (topK: number | null | undefined): number =>
  topK === null || topK === undefined || Number.isNaN(topK)
    ? DEFAULT_CHUNKS
    : Math.min(MAX_CHUNKS, Math.max(1, Math.trunc(topK)))

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
  summary: 'Passages of pages that the assistant may quote, most similar first',
  body: z.strictObject({
    query: text(2000),
    top_k: z.number().nullable().optional(),
    min_similarity: z.number().min(0).max(1).default(LEAST_SIMILARITY),
    language: z.string().max(12).optional(),
  }),
  response: z.object({ chunks: z.array(KnowledgeChunk) }),
})

const params = z.strictObject({ id: z.uuid() })
const webAddress = text(1000).regex(/^https:\/\/[^\s/]+/, 'Enter a web address that starts with https://')

export const KnowledgeSource = z.object({
  id: z.uuid(),
  page_title: z.string(),
  page_url: z.string(),
  source_domain: z.string(),
  language: z.string(),
  origin: z.enum(['address', 'text', 'markdown']),
  pieces: z.number().int(),
  checked_at: z.string(),
  failure: z.string().nullable(),
})
export type KnowledgeSource = z.infer<typeof KnowledgeSource>

export const listKnowledge = endpoint({
  method: 'GET',
  path: '/admin/assistant/knowledge',
  access: 'manageAssistant',
  summary: 'Pages that the assistant may quote, by title or domain',
  query: z.strictObject({ search: text(200).optional(), page: z.coerce.number().int().min(1).default(1) }),
  response: z.object({
    sources: z.array(KnowledgeSource),
    total: z.number().int(),
    page: z.number().int(),
    per_page: z.number().int(),
    domains: z.array(z.string()).describe('Domains that pages may be read from'),
  }),
})

export const addKnowledge = endpoint({
  method: 'POST',
  path: '/admin/assistant/knowledge',
  access: 'manageAssistant',
  summary: 'Adds a page: read from an allowed domain, or pasted as text or Markdown with its URL',
  body: z.strictObject({
    page_url: webAddress,
    page_title: text(300).optional().describe('If it differs from that of the page'),
    language: text(12)
      .regex(/^([a-z]{2,3}(-[a-z\d]{2,8})*)?$/i, 'Enter a language code such as en')
      .optional(),
    content: text(500_000).optional().describe('Text or Markdown; if absent, the URL is read'),
  }),
  response: z.object({ source: KnowledgeSource, changed: z.boolean() }),
  status: 201,
})

export const reindexKnowledge = endpoint({
  method: 'POST',
  path: '/admin/assistant/knowledge/{id}/reindex',
  access: 'manageAssistant',
  summary: 'Reads the page again from its URL',
  params,
  response: z.object({ source: KnowledgeSource, changed: z.boolean() }),
})

export const deleteKnowledge = endpoint({
  method: 'DELETE',
  path: '/admin/assistant/knowledge/{id}',
  access: 'manageAssistant',
  summary: 'Deletes a page with its passages',
  params,
  response: z.object({}),
})

export const deleteKnowledgeOf = endpoint({
  method: 'DELETE',
  path: '/admin/assistant/knowledge',
  access: 'manageAssistant',
  summary: 'Deletes all pages of a domain',
  query: z.strictObject({ source_domain: text(253).min(1) }),
  response: z.object({ deleted: z.number().int() }),
})
