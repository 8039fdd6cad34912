import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Countries } from '#server/countries/reference.ts'
import type { previewSource, SourceReading } from '#shared/advisories/admin-sources.ts'
import { FIXED_READERS, isMapped, severityIn } from '#shared/advisories/mapping.ts'
import { AppError } from '#shared/errors.ts'
import { typeColumns } from '../advisory-type.ts'
import type { FeedDeps } from '../feeds/deps.ts'
import { FeedError, type ParsedFeed, type ReadContext } from '../feeds/feed.ts'
import { FetchError, fetchDocument } from '../feeds/fetcher.ts'
import { levelsIn } from '../feeds/readers/mapped.ts'
import { readerOf } from '../sources.ts'

const SHOWN = 20
const FETCH_LIMITS = { totalMs: 20_000, idleMs: 10_000, bytes: 10 * 1024 * 1024, redirects: 3 }

type Preview = (typeof previewSource)['~']['output']

interface Deps {
  countries: Countries
  now: Date
  feeds: Pick<FeedDeps, 'publicUrl' | 'allowsPrivateFeeds'> | undefined
  secret: string
}

/** Reads a document as the source would be read. Nothing is written; the document is untrusted. */
export async function previewReading(
  { document, ...reading }: SourceReading & { document?: string | undefined },
  deps: Deps,
): Promise<Preview> {
  try {
    const fetched = document ? { bytes: Buffer.from(document), url: reading.homepage } : await fetchFor(reading, deps)
    return await read(reading, fetched, deps)
  } catch (error) {
    if (error instanceof FetchError) return { ...NOTHING, problem: error.line }
    throw error
  }
}

const NOTHING: Preview = {
  problem: null,
  readers: [],
  total: 0,
  entries: [],
  refused_total: 0,
  refused: [],
  unresolved: [],
  levels: [],
  follow: 0,
  proof: null,
}

async function fetchFor({ url }: SourceReading, { feeds }: Deps) {
  if (!feeds) throw new FetchError('RSS fetch failed', 'this process fetches nothing; paste the document instead')
  const { publicUrl, allowsPrivateFeeds: allowsPrivate } = feeds
  const hosts = new Set([URL.parse(url)?.host ?? ''])
  const fetched = await fetchDocument({ url }, { hosts, publicUrl, allowsPrivate }, FETCH_LIMITS)
  if (fetched.status === 'unchanged') throw new FetchError('RSS Fetcher returned 304')
  return fetched
}

async function read(
  reading: SourceReading,
  { bytes, url: baseUrl }: { bytes: Uint8Array; url: string },
  deps: Deps,
): Promise<Preview> {
  const context = { countries: deps.countries, baseUrl, now: deps.now }
  let parsed: ParsedFeed
  try {
    parsed = await (await readerOf({ id: 'preview', ...reading }))(bytes, context)
  } catch (error) {
    if (!(error instanceof FeedError)) throw error
    return { ...NOTHING, ...levelsOf(reading, bytes), problem: error.message, readers: await takersOf(bytes, context) }
  }
  const { items, rejected: refused, follow } = parsed
  const { levels } = levelsOf(reading, bytes)
  const problem = problemOf(reading, parsed, levels)
  return {
    problem,
    readers: items.length + follow.length === 0 ? await takersOf(bytes, context) : [],
    total: items.length,
    entries: items.slice(0, SHOWN).map((item) => ({
      title: item.title,
      countries: item.country_codes.map((code) => deps.countries.nameOf(code)),
      unresolved: item.unresolved_countries,
      severity_level: item.severity_level,
      advisory_type: typeColumns(item).advisory_type,
      wording: item.original_wording,
      description: item.description,
      source_url: item.source_url,
      last_updated: item.last_updated.toISOString(),
      date_precision: item.date_precision,
    })),
    refused_total: refused.length,
    refused: refused.slice(0, SHOWN),
    unresolved: [...new Set(items.flatMap((item) => item.unresolved_countries))].slice(0, 100),
    levels,
    follow: follow.length,
    proof: problem === null ? proofOf(reading, deps) : null,
  }
}

function levelsOf({ reader, mapping }: SourceReading, bytes: Uint8Array): Pick<Preview, 'levels'> {
  if (!mapping || !isMapped(reader)) return { levels: [] }
  try {
    const found = [...levelsIn(reader, bytes, mapping)].sort((a, b) => b[1] - a[1]).slice(0, 100)
    return {
      levels: found.map(([value, count]) => ({ value, count, severity: severityIn(mapping.levels, value) ?? null })),
    }
  } catch (error) {
    if (error instanceof FeedError) return { levels: [] }
    throw error
  }
}

/** Why the source must not be saved like this. An unmapped level would lose every warning of that level. */
function problemOf({ minimum_items }: SourceReading, parsed: ParsedFeed, levels: Preview['levels']): string | null {
  const listed = parsed.items.length + parsed.follow.length
  const unmapped = levels.filter(({ severity }) => severity === null)
  if (unmapped.length > 0) return `Map every level first: ${unmapped.map(({ value }) => `"${value}"`).join(', ')}`
  if (listed === 0) return 'No entry can be taken in'
  if (listed < minimum_items) return `It lists ${listed}, fewer than the ${minimum_items} that it must have`
  return null
}

/** The readers without a mapping that accept the document as it is. */
async function takersOf(bytes: Uint8Array, context: ReadContext): Promise<Preview['readers']> {
  const takers: Preview['readers'] = []
  for (const reader of FIXED_READERS)
    try {
      const parsed = await (await readerOf({ id: 'preview', reader }))(bytes, context)
      if (parsed.items.length + parsed.follow.length > 0) takers.push(reader)
    } catch (error) {
      if (!(error instanceof FeedError)) throw error
    }
  return takers
}

/** Signed by the portal for one reader, address, mapping and minimum; valid today and tomorrow (UTC days). */
function proofOf(reading: SourceReading, { now, secret }: Pick<Deps, 'now' | 'secret'>, daysAgo = 0): string {
  const { reader, url, mapping, minimum_items } = reading
  const day = new Date(now.getTime() - daysAgo * 86_400_000).toISOString().slice(0, 10)
  return createHmac('sha256', secret)
    .update(`portal.advisories.source ${JSON.stringify([day, reader, url, mapping, minimum_items])}`)
    .digest('base64url')
}

/** Throws unless a preview with this exact reader configuration succeeded. */
export function checkProof(proof: string, reading: SourceReading, deps: Pick<Deps, 'now' | 'secret'>): void {
  const isSame = (expected: string) =>
    proof.length === expected.length && timingSafeEqual(Buffer.from(proof), Buffer.from(expected))
  if (![0, 1].some((daysAgo) => isSame(proofOf(reading, deps, daysAgo))))
    throw new AppError(422, 'preview_first', 'Preview the source with these settings first. Nothing was saved.')
}
