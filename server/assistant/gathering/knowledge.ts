import { type KnowledgeChunk, QUOTED_FROM } from '#shared/assistant/knowledge.ts'
import { assistantLanguageOf } from '#shared/assistant/languages.ts'
import { speechOf } from '../composing/speech.ts'
import type { Source } from '../drafts.ts'
import { createKept } from '../kept.ts'
import { within } from '../within.ts'
import { type Asked, type FindChunks, type Gathered, type GatheringParts, NOTHING } from './parts.ts'
import { excerptOf } from './sources.ts'

const MOST = 2
const QUOTED = 600
/** How long what was found is remembered (000 §9). */
const REMEMBERED_MS = 1_800_000

/** The same search, which asks once for the same question in half an hour. */
export function keepingChunks(find: FindChunks): { findChunks: FindChunks; clear: () => void; stop: () => void } {
  const found = createKept<readonly KnowledgeChunk[]>({
    most: 500,
    freshMs: REMEMBERED_MS,
    sweptAfterMs: REMEMBERED_MS,
    everyMs: REMEMBERED_MS,
  })
  return {
    stop: found.stop,
    clear: found.clear,
    async findChunks(query, options) {
      const key = [options.language, query]
      const known = found.find(key)
      if (known) return known
      const chunks = await find(query, options)
      found.keep(key, chunks)
      return chunks
    },
  }
}

/** Pieces of known pages that speak of what was asked. That they could not be searched is said, and ends nothing. */
export async function gatherKnowledge(parts: GatheringParts, asked: Asked): Promise<Gathered> {
  const { findChunks, log } = parts
  if (!findChunks) return NOTHING
  const speech = speechOf(asked.language)
  try {
    const chunks = await within(parts.waits.lookUp, asked.signal, (signal) =>
      findChunks(asked.question, { language: asked.language, signal }),
    )
    return quoted(chunks.filter(({ similarity }) => similarity >= QUOTED_FROM).slice(0, MOST), asked)
  } catch (error) {
    log.warn({ reason: (error as Error).message }, 'knowledge could not be searched; the answer goes on without it')
    return { ...NOTHING, warning: speech.plain('warning_context') }
  }
}

function quoted(chunks: readonly KnowledgeChunk[], { language }: Asked): Gathered {
  const speech = speechOf(language)
  if (chunks.length === 0) return NOTHING
  return {
    sections: chunks.map(({ id, content, metadata }) => ({
      lead:
        assistantLanguageOf(metadata.language) === language
          ? null
          : { text: speech.say('other_language', { language: speech.languageName(metadata.language) }), records: [] },
      statements: [
        {
          text: speech.say('page_says', { title: metadata.page_title, text: excerptOf(content, QUOTED) }),
          records: [`page:${id}`],
        },
      ],
    })),
    sources: chunks.map(sourceOf),
    found: 'all',
  }
}

const sourceOf = ({ id, content, metadata }: KnowledgeChunk): Source => ({
  record: `page:${id}`,
  kind: 'page',
  title: [metadata.page_title, metadata.heading].filter(Boolean).join(' – '),
  url: metadata.page_url,
  source: metadata.source_domain,
  checked_on: metadata.checked_at.slice(0, 10),
  is_expired: false,
  excerpt: excerptOf(content),
})
