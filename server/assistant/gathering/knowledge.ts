import { type KnowledgeChunk, LEAST_SIMILARITY, QUOTED_FROM } from '#shared/assistant/knowledge.ts'
import { assistantLanguageOf } from '#shared/assistant/languages.ts'
import { fold } from '#shared/countries/fold.ts'
import { createTtlCache } from '../cache.ts'
import { speechOf } from '../composing/speech.ts'
import { within } from '../deadline.ts'
import type { Source } from '../drafts.ts'
import { latinWordsIn } from '../knowledge/names.ts'
import { stemOf } from '../knowledge/search.ts'
import { type FindChunks, type Gathered, type GatheringDeps, NOTHING, type QuestionContext } from './context.ts'
import { excerptOf } from './sources.ts'
import { termsIn } from './terms.ts'

const MAX_CHUNKS = 2
const QUOTED = 600
/** How long search results are cached (000 §9). */
const REMEMBERED_MS = 1_800_000

/** Caches the search per question for half an hour. */
export function withChunkCache(find: FindChunks): { findChunks: FindChunks; clear: () => void; stop: () => void } {
  const found = createTtlCache<readonly KnowledgeChunk[]>({
    max: 500,
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
      found.set(key, chunks)
      return chunks
    },
  }
}

/** What a chunk must contain, besides being similar, to match a question. */
export type MatchRule = NameMatch | TermMatch

interface NameMatch {
  /** The chunk must contain one of these names; then a low similarity is enough. */
  names: readonly string[]
}

interface TermMatch {
  /** The chunk must contain half of these terms, if any, and at least `atLeast`. */
  terms: readonly string[]
  atLeast: number
}

/** Knowledge chunks that match the question. A failed search adds a warning to the answer and does not fail it. */
export async function gatherKnowledge(
  deps: GatheringDeps,
  ctx: QuestionContext,
  liking: MatchRule,
  milliseconds: number,
): Promise<Gathered> {
  const { findChunks, log } = deps
  if (!findChunks) return NOTHING
  try {
    return await within(milliseconds, ctx.signal, async (signal) => {
      const find = (query: string) => findChunks(query, { language: ctx.language, signal })
      return quoted(await fitting(find, ctx.question, liking), ctx)
    })
  } catch (error) {
    log.warn({ reason: (error as Error).message }, 'knowledge could not be searched; the answer goes on without it')
    return { ...NOTHING, warning: speechOf(ctx.language).plain('warning_context') }
  }
}

async function fitting(
  find: (query: string) => Promise<readonly KnowledgeChunk[]>,
  question: string,
  liking: MatchRule,
): Promise<KnowledgeChunk[]> {
  const chunks = await find(question)
  if ('names' in liking) {
    const { names } = liking
    const named = (chunk: KnowledgeChunk) => holdsAny(chunk, names)
    const alike = chunks.filter(named)
    // Across languages, a question and a page may share only the name: then one chunk is enough.
    const found = alike.length > 0 ? alike : (await find(names.join(' '))).filter(named).map(barelyAlike)
    return found.filter(({ similarity }, at) => at === 0 || similarity >= QUOTED_FROM)
  }
  return chunks.filter(
    (chunk) => chunk.similarity >= QUOTED_FROM && (isSurelyAlike(chunk, liking) || holdsHalf(chunk, liking)),
  )
}

/** From this similarity on, a chunk is the question in other words. */
const SURELY_ALIKE = 0.6
const isSurelyAlike = ({ similarity }: KnowledgeChunk, { atLeast }: TermMatch) =>
  atLeast < 2 && similarity >= SURELY_ALIKE

const textOf = ({ content, metadata }: KnowledgeChunk) =>
  [metadata.page_title, metadata.heading, content].filter(Boolean).join(' ')

const holdsAny = (chunk: KnowledgeChunk, names: readonly string[]) => {
  const words = new Set(latinWordsIn(fold(textOf(chunk))))
  return names.some((name) => words.has(name))
}

function holdsHalf(chunk: KnowledgeChunk, { terms, atLeast }: TermMatch): boolean {
  const chunkTerms = [...new Set(termsIn(textOf(chunk)))]
  const count = terms.filter((term) => chunkTerms.some((other) => other.startsWith(stemOf(term)))).length
  return terms.length === 0 || (count >= atLeast && count >= terms.length / 2)
}

/** Found by its name rather than by the question. */
const barelyAlike = (chunk: KnowledgeChunk): KnowledgeChunk => ({ ...chunk, similarity: LEAST_SIMILARITY })

function quoted(found: readonly KnowledgeChunk[], { language }: QuestionContext): Gathered {
  if (found.length === 0) return NOTHING
  const speech = speechOf(language)
  const chunks = found.slice(0, MAX_CHUNKS)
  const byLanguage = Map.groupBy(chunks, ({ metadata }) => metadata.language)
  return {
    sections: [...byLanguage].map(([written, pieces]) => ({
      lead:
        assistantLanguageOf(written) === language
          ? null
          : { text: speech.say('other_language', { language: speech.languageName(written) }), records: [] },
      isFree: true,
      statements: pieces.map(({ id, content, metadata }) => ({
        text: speech.say('page_says', { title: metadata.page_title, text: excerptOf(content, QUOTED) }),
        records: [`page:${id}`],
      })),
    })),
    sources: chunks.map(sourceOf),
    found: chunks.some(({ similarity }) => similarity >= QUOTED_FROM) ? 'all' : 'some',
  }
}

const sourceOf = ({ id, content, metadata }: KnowledgeChunk): Source => ({
  record: `page:${id}`,
  kind: 'page',
  title: [metadata.page_title, metadata.heading].filter(Boolean).join(' – '),
  url: metadata.page_url,
  source: metadata.source_domain,
  checked_on: metadata.checked_at.slice(0, 10),
  changed_on: null,
  is_expired: false,
  excerpt: excerptOf(content),
})
