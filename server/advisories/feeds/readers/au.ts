import * as z from 'zod'
import type { Severity } from '#shared/advisories/severity.ts'
import { lastOf } from '#shared/assert.ts'
import { countrySetId } from '../../identity.ts'
import { ADVICE_DEFAULTS, FeedError, type FeedItem, type ParsedFeed, type ReadContext } from '../feed.ts'
import { plainText } from '../html.ts'
import { cleanText, decodeJson, isoDate } from '../text.ts'
import { inShape, Refusal, readEntries } from './entries.ts'

/**
 * Levels of the Australian Smartraveller, from an unofficial copy. Only for saved documents read manually: the ministry
 * publishes no machine-readable list. The copy's list of destinations has no levels; all of it is refused.
 */
export function readAu(document: Uint8Array, context: ReadContext): ParsedFeed {
  const list = List.safeParse(decodeJson(document))
  if (!list.success) throw new FeedError('The document is JSON, but neither a list of advisories nor of destinations')
  const { advisories, destinations, last_updated } = list.data
  const captured = isoDate(last_updated)?.date
  if (!captured) throw new FeedError(`The document does not say when it was made: last_updated is "${last_updated}"`)
  const entries = advisories ?? (destinations && Object.values(destinations))
  if (!entries) throw new FeedError('The document lists neither advisories nor destinations')

  return readEntries(entries, {
    label: labelOf,
    read: (entry) => toItem(inShape(Entry, entry), captured, context),
    // The copy matches destinations to countries by similar names and loses some: an entry it lacks may well be in
    // force.
    isComplete: false,
  })
}

function labelOf(entry: unknown): string {
  const { data } = Labelled.safeParse(entry)
  return data ? idOf(lastOf(data.page_url.split('/')), data.country.alpha_2) : cleanText(JSON.stringify(entry))
}

/** Israel and the Palestinian territories share a page, so the page alone does not distinguish them. */
function idOf(slug: string, alpha_2: string): string {
  return `${slug}:${alpha_2}`
}

const List = z.object({
  last_updated: z.string(),
  advisories: z.array(z.unknown()).optional(),
  destinations: z.record(z.string(), z.unknown()).optional(),
})
const Labelled = z.object({ country: z.object({ alpha_2: z.string() }), page_url: z.string() })
const Entry = z.object({
  country: z.object({ name: z.string().min(1), alpha_2: z.string().regex(/^[A-Z]{2}$/) }),
  advisory: z.string({ error: 'no advice given, only a page' }).min(1),
  level: z.number({ error: 'no level given' }),
  page_url: z.string(),
})
type Entry = z.infer<typeof Entry>

const SEVERITIES: Record<number, Severity> = { 1: 'info', 2: 'caution', 3: 'warning', 4: 'critical' }

function toItem({ country, advisory, level, page_url }: Entry, captured: Date, context: ReadContext): FeedItem {
  const severity_level = SEVERITIES[level]
  if (!severity_level) throw new Refusal(`The level ${level} is none of 1 to 4`)
  const page = URL.parse(page_url, SITE)
  const slug = page?.origin === SITE ? /^\/destinations\/[a-z-]+\/([a-z-]+)$/.exec(page.pathname)?.[1] : undefined
  if (!page || !slug) throw new Refusal('Its page is not a destination page of Smartraveller')

  const code = codeOf(country, slug, context.countries)
  const name = cleanText(plainText(country.name))
  const [codes, unresolved] = code ? [[code], []] : [[], [name]]
  const wording = cleanText(plainText(advisory))
  return {
    ...ADVICE_DEFAULTS,
    external_id: countrySetId(codes, unresolved) ?? idOf(slug, country.alpha_2),
    title: `${code ? context.countries.nameOf(code) : name}: ${wording}`,
    // The list gives no reasons.
    description: wording,
    detailed_information: null,
    recommendations: [],
    severity_level,
    is_urgent: false,
    advisory_type: 'general',
    original_level: String(level),
    original_wording: wording,
    country_codes: codes,
    unresolved_countries: unresolved,
    // Entries have no date of their own: this is when the copy recorded them.
    last_updated: captured,
    date_precision: 'minute',
    source_url: page.href,
    language: 'en',
  }
}

const SITE = 'https://www.smartraveller.gov.au'

/**
 * Name, code and page must refer to one country. The copy of 20 February 2025 has the level of Kosovo, with Kosovo's
 * page, under the name of Serbia; which of the two is right is unknown, so neither is shown.
 */
function codeOf({ name, alpha_2 }: Entry['country'], slug: string, countries: ReadContext['countries']) {
  const code = countries.resolve(name)
  const ofPage = countries.resolveAll(slug).codes
  if (code && code !== alpha_2) throw new Refusal(`"${name}" is ${code}, but its code is ${alpha_2}`)
  if (code && ofPage.length > 0 && !ofPage.includes(code))
    throw new Refusal(`"${name}" has the page "${slug}", which is of ${ofPage.map(countries.nameOf).join(', ')}`)
  return code
}
