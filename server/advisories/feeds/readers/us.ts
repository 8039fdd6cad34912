import * as z from 'zod'
import type { AdvisoryType, Severity } from '#shared/advisories/severity.ts'
import { isTestTitle } from '#shared/advisories/test-title.ts'
import { countrySetId } from '../../identity.ts'
import {
  ADVICE_DEFAULTS,
  FeedError,
  type FeedItem,
  type FeedReader,
  type ParsedFeed,
  type ReadContext,
} from '../feed.ts'
import { plainLine, sanitizeDetail, textBlocks } from '../html.ts'
import {
  cleanText,
  decode,
  decodeJson,
  type FeedDate,
  isoDate,
  kindOfDocument,
  rfc822Date,
  webAddress,
} from '../text.ts'
import { inShape, Refusal, readEntries } from './entries.ts'
import { markdownToHtml } from './markdown.ts'
import { adviceOf, joinOpening, reasonOf, regionsOf, saysLeaveNow } from './us-text.ts'
import { parseXml, type XmlElement } from './xml.ts'

/** Any document of the US State Department: its RSS feed, its JSON API, or the archive of both. */
export const readUs: FeedReader = (document, context) =>
  /^\s*[[{]/.test(decode(document)) ? readUsJson(document, context) : readUsRss(document, context)

/** The RSS feed TAsTWs.xml. */
export const readUsRss: FeedReader = (document, context) => {
  const text = decode(document)
  const rss = parseXml(text)
  const channel = rss.name === 'rss' ? rss.first('channel') : undefined
  if (!channel) throw new FeedError(`The document is ${kindOfDocument(text)}, not an RSS feed`)
  return readAll(channel.all('item'), (item) => item.textOf('title'), rssEntry, context)
}

/** The response of the API, an array; or the archive. */
export const readUsJson: FeedReader = (document, context) => {
  const answer = decodeJson(document)
  if (!Array.isArray(answer)) return archiveOf(answer, context)
  const title = (entry: unknown) => String((entry as { Title?: unknown } | null)?.Title ?? JSON.stringify(entry))
  return readAll(answer, title, apiEntry, context)
}

/** The archive: one file with the list of all current advisories, and their texts in Markdown. */
export const readUsArchive: FeedReader = (document, context) => archiveOf(decodeJson(document), context)

/** Fields the formats have in common. Their country codes are omitted: FIPS 10-4, where Niger is NG and Austria AU. */
interface UsEntry {
  title: string
  /** Other statements of the level, to check the title against. */
  levels: string[]
  id: string | undefined
  link: string | undefined
  published: FeedDate | undefined
  updated: FeedDate
  keywords: string[]
  html: string
}

function readAll<T>(
  entries: readonly T[],
  label: (entry: T) => string,
  toEntry: (entry: T) => UsEntry,
  context: ReadContext,
): ParsedFeed {
  if (entries.length === 0) throw new FeedError('The list is empty')
  return readEntries(entries, {
    label: (entry) => plainLine(label(entry)),
    read: (entry) => usItem(toEntry(entry), context),
    isComplete: true,
  })
}

function rssEntry(item: XmlElement): UsEntry {
  const categories = (domain: string) =>
    item.all('category').flatMap((category) => (category.attributes.get('domain') === domain ? [category.text] : []))
  return {
    title: item.textOf('title'),
    levels: categories('Threat-Level'),
    id: item.textOf('guid'),
    link: item.textOf('link'),
    published: undefined,
    updated: readableDate(item.textOf('pubDate'), rfc822Date),
    keywords: categories('Keyword'),
    html: item.textOf('description'),
  }
}

const ApiEntry = z.object({
  Title: z.string(),
  Link: z.string().optional(),
  id: z.string().optional(),
  Summary: z.string().nullish(),
  Published: z.string().optional(),
  Updated: z.string().optional(),
})

function apiEntry(raw: unknown): UsEntry {
  const entry = inShape(ApiEntry, raw)
  return {
    title: entry.Title,
    levels: [],
    id: entry.id,
    link: entry.Link,
    published: entry.Published ? readableDate(entry.Published, dayOrMinute) : undefined,
    updated: readableDate(entry.Updated ?? entry.Published, dayOrMinute),
    keywords: [],
    html: entry.Summary ?? '',
  }
}

/** The API writes a day as its midnight in UTC, in Washington time: "2026-09-14T20:00:00-04:00" is 15 September. */
function dayOrMinute(text: string): FeedDate | undefined {
  const found = isoDate(text)
  return found && { ...found, precision: found.date.getTime() % 86_400_000 === 0 ? 'day' : found.precision }
}

const ArchiveEntry = z.object({
  full_title: z.string(),
  level: z.number(),
  remote_link: z.string(),
  date: z.string(),
  content_md: z.string().optional(),
})
const Archive = z.object({ current_advisories: z.array(z.unknown()), advisories: z.array(z.unknown()).default([]) })

function archiveOf(answer: unknown, context: ReadContext): ParsedFeed {
  const archive = Archive.safeParse(answer)
  if (!archive.success) throw new FeedError('The document is JSON, but neither a list of advisories nor their archive')
  const { current_advisories: current, advisories: texts } = archive.data
  const linkOf = (entry: unknown) => String((entry as { remote_link?: unknown } | null)?.remote_link)
  // By link, never by file name: there, Guinea and Guinea-Bissau share one.
  const textByLink = new Map(texts.map((entry) => [linkOf(entry), entry]))
  const listed = new Set(current.map(linkOf))
  const toEntry = (raw: unknown) => archiveEntry({ ...(textByLink.get(linkOf(raw)) ?? {}), ...(raw as object) })
  const title = (entry: unknown) => String((entry as { full_title?: unknown } | null)?.full_title)
  if (current.length === 0) throw new FeedError('The list is empty')
  const parsed = readAll(current, title, toEntry, context)
  const leftovers = texts
    .filter((entry) => !listed.has(linkOf(entry)))
    .map((entry) => ({ item: plainLine(title(entry)), reason: NO_LONGER_LISTED, isUnderstood: true as const }))
  return { ...parsed, rejected: [...parsed.rejected, ...leftovers] }
}

const NO_LONGER_LISTED = 'Not in the list of current advisories, only its text is here'

function archiveEntry(raw: unknown): UsEntry {
  const entry = inShape(ArchiveEntry, raw)
  return {
    title: entry.full_title,
    levels: [`Level ${entry.level}`],
    id: undefined,
    link: entry.remote_link,
    published: undefined,
    updated: readableDate(entry.date, rfc822Date),
    keywords: [],
    html: markdownToHtml(entry.content_md ?? ''),
  }
}

function usItem(entry: UsEntry, { countries, baseUrl }: ReadContext): FeedItem {
  const title = plainLine(entry.title)
  if (title.length > 300) throw new Refusal(`The title has ${title.length} characters`)
  if (isTestTitle(title)) throw new Refusal('The title is a test message')
  const { names, level, wording } = levelOf(title, entry.levels)
  const { codes, unresolved } = countries.resolveAll(names)
  const html = joinOpening(entry.html)
  const blocks = textBlocks(html)
  const isUrgent = level === 4 && saysLeaveNow(blocks, [names, ...codes.map((code) => countries.nameOf(code))])
  return {
    ...ADVICE_DEFAULTS,
    external_id: countrySetId(codes, unresolved) ?? addressOf(entry),
    title: `${names}: ${wording}`,
    description: reasonOf(blocks) || `Level ${level}: ${wording}.`,
    detailed_information: sanitizeDetail(html, webAddress(entry.link, baseUrl) ?? baseUrl) || null,
    recommendations: adviceOf(blocks),
    severity_level: isUrgent ? 'emergency' : SEVERITY[level],
    is_urgent: isUrgent,
    advisory_type: typeOf(entry.keywords),
    original_level: String(level),
    original_wording: `Level ${level}: ${wording}`,
    country_codes: codes,
    unresolved_countries: unresolved,
    affected_regions: regionsOf(blocks),
    effective_date: entry.published?.date ?? null,
    last_updated: entry.updated.date,
    date_precision: entry.updated.precision,
    source_url: webAddress(entry.link, baseUrl) ?? baseUrl,
    language: 'en',
  }
}

type Level = 1 | 2 | 3 | 4
const SEVERITY: Record<Level, Severity> = { 1: 'info', 2: 'caution', 3: 'warning', 4: 'critical' }

/** Splits "Mainland China, Hong Kong & Macau - See Summaries - Level 2: Exercise Increased Caution" into its fields. */
function levelOf(title: string, others: readonly string[]): { names: string; level: Level; wording: string } {
  const [, head, digit, wording] = /^(.*?)\s*[-–—:]\s*Level\s*(\d+)\s*[:–—-]\s*(.+)$/i.exec(title) ?? []
  if (!head || !digit || !wording) throw new Refusal('The title names no country and level ("Country - Level 2: …")')
  if (!/^[1-4]$/.test(digit)) throw new Refusal(`Level ${digit} is not one of 1 to 4`)
  const other = others.find((level) => (/\d+/.exec(level)?.[0] ?? digit) !== digit)
  if (other !== undefined) throw new Refusal(`The title says Level ${digit}, the entry also says "${cleanText(other)}"`)
  const names = head.replace(/\s*[-–—]\s*See (Individual )?Summaries$/i, '').replace(/\s*Travel Advisory$/i, '')
  return { names, level: Number(digit) as Level, wording }
}

/** Identity of an entry that names no country. Addresses of one country alternate, so they do not identify entries. */
function addressOf({ id, link }: UsEntry): string {
  const identity = cleanText(id || link || '')
  if (!identity) throw new Refusal('Has neither an id nor a link')
  const url = URL.parse(identity)
  return (url && /^https?:$/.test(url.protocol) ? url.pathname : identity).slice(0, 300)
}

function typeOf(keywords: readonly string[]): AdvisoryType {
  const text = keywords.join(' ')
  if (/\b(crime|terrorism|unrest|kidnapping|armed conflict|wrongful detention)\b/i.test(text)) return 'security'
  if (/\bhealth\b/i.test(text)) return 'health'
  if (/\b(natural disasters?|weather|hurricanes?)\b/i.test(text)) return 'weather'
  return /\b(elections?|political)\b/i.test(text) ? 'political' : 'general'
}

function readableDate(text: string | undefined, parse: (text: string) => FeedDate | undefined): FeedDate {
  const found = text ? parse(text) : undefined
  if (!found) throw new Refusal(text ? `The date "${cleanText(text).slice(0, 60)}" cannot be read` : 'Has no date')
  return found
}
