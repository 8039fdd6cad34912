import * as z from 'zod'
import type { Severity } from '#shared/advisories/severity.ts'
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
import { itemsAfter, plainLine, sanitizeDetail, type TextBlock, textBlocks } from '../html.ts'
import { decodeJson, epochSeconds, type FeedDate, isoDate, rfc822Date, summary } from '../text.ts'
import { inShape, Refusal, readEntries } from './entries.ts'

/** Any document of Canada's travel advice: the index of all destinations or one destination's page. */
export const readCa: FeedReader = (document, context) => {
  const content = decodeJson(document)
  return Country.safeParse(content).success ? country(content, context) : index(content, context)
}

/** index-alpha-eng.json: every destination with its level. */
export const readCaIndex: FeedReader = (document, context) => index(decodeJson(document), context)

/** cta-cap-XX.json: one destination with its texts. */
export const readCaCountry: FeedReader = (document, context) => country(decodeJson(document), context)

const English = z.looseObject({
  name: z.string(),
  'url-slug': z.string().regex(/^[a-z0-9-]+$/),
  'advisory-text': z.string(),
  'recent-updates': z.string().nullish(),
  'friendly-date': z.string().nullish(),
})

const Entry = z.object({
  'advisory-state': z.number(),
  'has-regional-advisory': z.number().nullish(),
  'see-other-iso': z.string().nullish(),
  'has-content': z.number().nullish(),
  'date-published': z.object({ timestamp: z.number().nullish(), asp: z.string().nullish() }).nullish(),
  eng: English,
})
type Entry = z.infer<typeof Entry>

const Index = z.object({ data: z.record(z.string(), z.looseObject({ eng: z.unknown() })) })

function index(content: unknown, context: ReadContext): ParsedFeed {
  const found = Index.safeParse(content)
  if (!found.success) throw new FeedError('The document is JSON, but not the index of Canadian travel advice')
  const entries = Object.entries(found.data.data)
  if (entries.length === 0) throw new FeedError('The list is empty')
  const pages = new Map<string, string>()
  const parsed = readEntries(entries, {
    label: ([key, entry]) => plainLine(`${key} ${(entry.eng as { name?: unknown } | null)?.name ?? ''}`),
    read: ([key, raw]) => {
      const entry = inShape(Entry, raw)
      const item = caItem(key, entry, publicationDate(entry), context)
      pages.set(item.external_id, `cta-cap-${encodeURIComponent(key)}.json`)
      return item
    },
    isComplete: true,
  })
  return { ...parsed, pages }
}

const Country = z.object({ data: z.looseObject({ 'country-iso': z.string(), eng: z.unknown() }) })

function country(content: unknown, context: ReadContext) {
  const found = Country.safeParse(content)
  if (!found.success) throw new FeedError('The document is JSON, but not a destination of Canadian travel advice')
  const { data } = found.data
  return readEntries([data], {
    label: () => plainLine(data['country-iso']),
    read: (raw) => {
      const entry = inShape(Entry, raw)
      return withTexts(caItem(data['country-iso'], entry, friendlyDate(entry.eng['friendly-date']), context), entry)
    },
    isComplete: false,
  })
}

/**
 * The time with its offset; older documents omit the offset and are read by their epoch seconds. Truncated to the
 * minute, as on the destination's own page, so that reading both does not look like a change.
 */
function publicationDate({ 'date-published': published }: Entry): FeedDate | undefined {
  const found = isoDate(published?.asp ?? '') ?? epochSeconds(published?.timestamp)
  return found && { ...found, date: new Date(Math.floor(found.date.getTime() / 60_000) * 60_000) }
}

/** "September 24, 2026 08:53 EDT" */
function friendlyDate(text: string | null | undefined): FeedDate | undefined {
  const [, month, day, rest] = /^\s*([a-z]+)\.? (\d{1,2}), (\d{4} \d{1,2}:\d{2} [A-Z]{3})\s*$/i.exec(text ?? '') ?? []
  return month ? rfc822Date(`${day} ${month} ${rest}`) : undefined
}

function caItem(key: string, entry: Entry, updated: FeedDate | undefined, { countries }: ReadContext): FeedItem {
  if (!/^[A-Z]{2}(-[A-Z0-9]{1,3})?$/.test(key)) throw new Refusal('Its key is no country code')
  const name = plainLine(entry.eng.name)
  if (!name || name.length > 200) throw new Refusal('Names no destination')
  if (isTestTitle(name)) throw new Refusal('The title is a test message')
  if (entry['see-other-iso']) throw new Refusal(`Refers to the entry of ${plainLine(entry['see-other-iso'])}`)
  if (entry['has-content'] === 0) throw new Refusal('Has no content at the source')
  if (!updated) throw new Refusal('Has no date that can be read')
  const { level, severity, wording } = levelOf(entry)
  const { codes, unresolved } = countriesOf(key, name, countries)
  return {
    ...ADVICE_DEFAULTS,
    external_id: countrySetId(codes, unresolved, isCountry(key, countries) ? undefined : name) ?? key,
    title: `${name}: ${wording}`,
    description: summary([`${wording}.`, ...latestUpdate(entry)].join('\n')),
    detailed_information: null,
    recommendations: [],
    severity_level: severity,
    is_urgent: false,
    advisory_type: 'general',
    original_level: String(level),
    original_wording: wording,
    country_codes: codes,
    unresolved_countries: unresolved,
    last_updated: updated.date,
    date_precision: updated.precision,
    source_url: `https://travel.gc.ca/destinations/${entry.eng['url-slug']}`,
    language: 'en',
  }
}

const SEVERITY: Record<number, Severity> = { 0: 'info', 1: 'caution', 2: 'warning', 3: 'critical' }
const LEVEL_PATTERNS: [RegExp, number][] = [
  [/\bavoid all travel\b/i, 3],
  [/\bavoid non-?essential travel\b/i, 2],
  [/\bhigh degree of caution\b/i, 1],
  [/\bnormal security precautions\b/i, 0],
]

function levelOf(entry: Entry): { level: number; severity: Severity; wording: string } {
  const level = entry['advisory-state']
  const text = plainLine(entry.eng['advisory-text'])
    .slice(0, 300)
    .replace(/[.\s]+$/, '')
  const severity = SEVERITY[level]
  if (severity === undefined) throw new Refusal(`Level ${level} is not one of 0 to 3`)
  if (!text) throw new Refusal('Has no wording of its level')
  const match = LEVEL_PATTERNS.find(([pattern]) => pattern.test(text))
  if (match && match[1] !== level) throw new Refusal(`The level is ${level}, but the wording "${text}"`)
  const isRegional = entry['has-regional-advisory'] === 1 && !/\bregional\b/i.test(text)
  return { level, severity, wording: isRegional ? `${text} (with regional advisories)` : text }
}

/**
 * The key is an ISO code and checked against the name: where they disagree, neither is trusted. "PT-20" (Azores) and
 * "IC" (Canary Islands) are not country codes, so they are resolved by name alone.
 */
function countriesOf(key: string, name: string, countries: ReadContext['countries']) {
  const named = countries.resolveAll(name)
  if (!isCountry(key, countries) || named.codes.includes(key)) return named
  return named.codes.length === 0 ? { codes: [key], unresolved: [] } : { codes: [], unresolved: [`${name} (${key})`] }
}

function isCountry(key: string, countries: ReadContext['countries']): boolean {
  return /^[A-Z]{2}$/.test(key) && countries.resolve(countries.nameOf(key)) === key
}

function latestUpdate({ eng }: Entry): string[] {
  const change = plainLine(eng['recent-updates'] ?? '')
  return change ? [`Latest update: ${change}`] : []
}

/** The HTML blocks of a page, under the headings of the site. */
const SECTIONS = {
  advisories: 'Risk level',
  security: 'Safety and security',
  'entry-exit': 'Entry and exit requirements',
  health: 'Health',
  'law-culture': 'Laws and culture',
  'disasters-climate': 'Natural disasters and climate',
}

function withTexts(item: FeedItem, entry: Entry): FeedItem {
  const sections = Object.entries(SECTIONS).flatMap(([key, title]) => {
    const html = entry.eng[key]
    return typeof html === 'string' && plainLine(html) ? [{ key, html: `<h1>${title}</h1>${html}` }] : []
  })
  const advisories = textBlocks(sections.find(({ key }) => key === 'advisories')?.html ?? '').slice(1)
  const reasons = advisories.flatMap(({ kind, text }) => (kind === 'paragraph' ? [text] : []))
  const html = sections.map((section) => section.html).join('\n')
  return {
    ...item,
    description: reasons.length > 0 ? summary([...reasons, ...latestUpdate(entry)].join('\n')) : item.description,
    detailed_information: sanitizeDetail(html, item.source_url) || null,
    recommendations: itemsAfter(textBlocks(html), ADVICE_FOLLOWS),
    affected_regions: regionsOf(advisories, plainLine(entry.eng.name)),
  }
}

const ADVICE_FOLLOWS = /(\byou (should|must)|^if you\b[^:.]*|^(to|when|before|while)\b[^:.]*)( [^:.]*)?:$/i

/** Puts each regional advisory under its own heading: "Northern Ruritania - Avoid all travel". */
function regionsOf(blocks: readonly TextBlock[], name: string): string[] {
  return blocks.flatMap(({ kind, text }) => {
    const [, region] = (kind === 'heading' && /^(.+?)\s+[-–—]\s+(?:avoid|exercise)\b/i.exec(text)) || []
    return region && region.toLowerCase() !== name.toLowerCase() ? [region] : []
  })
}
