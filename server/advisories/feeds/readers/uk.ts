import * as z from 'zod'
import { highestSeverity, type Severity } from '#shared/advisories/severity.ts'
import { isTestTitle } from '#shared/advisories/test-title.ts'
import { lastOf } from '#shared/assert.ts'
import { countrySetId } from '../../identity.ts'
import {
  ADVICE_DEFAULTS,
  FeedError,
  type FeedItem,
  type FeedReader,
  type FollowUp,
  type ParsedFeed,
  type ReadContext,
} from '../feed.ts'
import { itemsAfter, plainLine, sanitizeDetail, type TextBlock, textBlocks } from '../html.ts'
import { cleanText, decodeJson, type FeedDate, isoDate, summary } from '../text.ts'
import { inShape, Refusal, readEntries } from './entries.ts'

/** Any GOV.UK document on travel advice: the index, one country's page, several by slug, or a list of statuses. */
export const readUk: FeedReader = (document, context) => {
  const content = decodeJson(document)
  if (Array.isArray(content)) return alertStatuses(content, context)
  if (Index.safeParse(content).success) return index(content, context)
  return pages(content, context)
}

/** The index: it has no levels, so every entry is a page to follow. */
export const readUkIndex: FeedReader = (document, context) => index(decodeJson(document), context)

/** One country's page, or an object of pages by slug. */
export const readUkPage: FeedReader = (document, context) => pages(decodeJson(document), context)

/**
 * A list of each destination's alert status. It has no dates: `now` must be the day of capture, and becomes the date of
 * every entry.
 */
export const readUkAlertStatus: FeedReader = (document, context) => {
  const content = decodeJson(document)
  if (!Array.isArray(content)) throw new FeedError('The document is JSON, but not a list of alert statuses')
  return alertStatuses(content, context)
}

const SITE = 'https://www.gov.uk'
const ADVICE_PATH = /^\/foreign-travel-advice\/[a-z0-9-]+$/

const Index = z.object({ links: z.object({ children: z.array(z.unknown()) }) })
const IndexEntry = z.object({
  title: z.string().optional(),
  base_path: z.string().regex(ADVICE_PATH),
  public_updated_at: z.string().nullish(),
  withdrawn: z.boolean().optional(),
  details: z.object({ country: z.object({ name: z.string() }).nullish() }).nullish(),
})

function index(content: unknown, context: ReadContext): ParsedFeed {
  const found = Index.safeParse(content)
  if (!found.success) throw new FeedError('The document is JSON, but not the index of GOV.UK travel advice')
  const entries = found.data.links.children
  if (entries.length === 0) throw new FeedError('The list is empty')
  return readEntries(entries, { label: labelOf, read: (entry) => followUp(entry, context), isComplete: true })
}

function followUp(raw: unknown, { baseUrl, countries }: ReadContext): FollowUp {
  const entry = inShape(IndexEntry, raw)
  if (entry.withdrawn) throw new Refusal('Withdrawn by GOV.UK')
  return {
    // Built here, because the document's own addresses may name another host.
    url: new URL(`/api/content${entry.base_path}`, URL.canParse(baseUrl) ? baseUrl : SITE).href,
    external_id: identityOf(entry, countries),
    changed_at: isoDate(entry.public_updated_at ?? '')?.date ?? null,
  }
}

/** The identity the page itself has, whose slug may change: the name of the destination. */
function identityOf(entry: z.infer<typeof IndexEntry>, countries: ReadContext['countries']): string {
  const slug = lastOf(entry.base_path.split('/'))
  const named = entry.details?.country?.name ?? entry.title?.replace(/ travel advice$/i, '') ?? slug
  const { codes, unresolved } = countriesOf(plainLine(named), countries)
  return countrySetId(codes, unresolved) ?? entry.base_path
}

const Page = z.object({
  base_path: z.string().regex(ADVICE_PATH),
  public_updated_at: z.string(),
  withdrawn_notice: z.object({ withdrawn_at: z.string().optional() }).nullish(),
  details: z.object({
    alert_status: z.array(z.string()),
    country: z.object({ name: z.string() }),
    change_description: z.string().nullish(),
    parts: z.array(z.object({ title: z.string(), body: z.unknown() })).default([]),
  }),
})

function pages(content: unknown, context: ReadContext): ParsedFeed {
  const entries = looksLikePage(content) ? [content] : Object.values(content ?? {})
  if (entries.length === 0 || !entries.every(looksLikePage))
    throw new FeedError('The document is JSON, but not a page of GOV.UK travel advice')
  return readEntries(entries, { label: labelOf, read: (entry) => pageItem(entry, context), isComplete: false })
}

function looksLikePage(value: unknown): boolean {
  const page = z.object({ base_path: z.string(), details: z.record(z.string(), z.unknown()) }).safeParse(value).data
  return page !== undefined && ('alert_status' in page.details || 'country' in page.details)
}

function pageItem(raw: unknown, context: ReadContext): FeedItem {
  const page = inShape(Page, raw)
  if (page.withdrawn_notice?.withdrawn_at) throw new Refusal('Withdrawn by GOV.UK')
  const updated = isoDate(page.public_updated_at)
  if (!updated) throw new Refusal(`The date "${cleanText(page.public_updated_at).slice(0, 60)}" cannot be read`)
  const { alert_status, country, change_description, parts } = page.details
  const html = parts.map(({ title, body }) => `<h1>${title}</h1>${htmlOf(body)}`).join('\n')
  const blocks = textBlocks(html)
  const item = ukItem({ path: page.base_path, name: country.name, statuses: alert_status, updated }, context)
  return {
    ...item,
    description: descriptionOf(change_description ?? '', textBlocks(htmlOf(parts[0]?.body))) || item.description,
    detailed_information: sanitizeDetail(html, item.source_url) || null,
    recommendations: itemsAfter(blocks, ADVICE_FOLLOWS),
    affected_regions: itemsAfter(blocks, REGIONS_FOLLOW),
  }
}

/** The body of a part is HTML, in newer documents a list of the same text in several formats. */
function htmlOf(body: unknown): string {
  if (typeof body === 'string') return body
  const formats = z.array(z.object({ content_type: z.string(), content: z.string() })).safeParse(body)
  return formats.data?.find((format) => format.content_type === 'text/html')?.content ?? ''
}

function descriptionOf(changeDescription: string, blocks: readonly TextBlock[]): string {
  const change = plainLine(changeDescription).replace(/^latest update\s*[:–-]\s*/i, '')
  const paragraphs = blocks.flatMap(({ kind, text }) => (kind === 'paragraph' && /[.!?)]$/.test(text) ? [text] : []))
  return summary([change && `Latest update: ${change}`, ...paragraphs].join('\n'))
}

const ADVICE_FOLLOWS =
  /\b(you (should|must)|make sure (that )?you|(we|FCDO) (strongly )?(advises?|recommends?) (that )?you( to)?|to (reduce|minimi[sz]e) (the|your) risks?)( [^:.]*)?:$/i
const REGIONS_FOLLOW = /\badvises? against all (but essential )?travel to( (these|the following|parts)\b[^:.]*)?:$/i

const AlertStatus = z.object({
  name: z.string(),
  slug: z.string().regex(/^[a-z0-9-]+$/),
  all_alerts: z.array(z.string()),
})

function alertStatuses(entries: unknown[], context: ReadContext): ParsedFeed {
  if (entries.length === 0) throw new FeedError('The list is empty')
  if (!entries.some((entry) => AlertStatus.safeParse(entry).success))
    throw new FeedError('The document is JSON, but not a list of alert statuses')
  const day = new Date(Date.UTC(context.now.getUTCFullYear(), context.now.getUTCMonth(), context.now.getUTCDate()))
  const read = (raw: unknown) => {
    // "alert" and "level" are the collector's interpretation, and call six countries normal that FCDO warns of: not
    // used.
    const { name, slug, all_alerts } = inShape(AlertStatus, raw)
    const updated: FeedDate = { date: day, precision: 'day' }
    return ukItem({ path: `/foreign-travel-advice/${slug}`, name, statuses: all_alerts, updated }, context)
  }
  return readEntries(entries, { label: labelOf, read, isComplete: true })
}

interface Destination {
  path: string
  name: string
  statuses: string[]
  updated: FeedDate
}

function ukItem({ path, name, statuses, updated }: Destination, { countries }: ReadContext): FeedItem {
  const destination = plainLine(name)
  if (!destination || destination.length > 200) throw new Refusal('Names no destination')
  if (isTestTitle(destination)) throw new Refusal('The title is a test message')
  const unknown = statuses.find((status) => !Object.hasOwn(STATUS, status))
  if (unknown !== undefined) throw new Refusal(`Unknown alert status "${cleanText(unknown).slice(0, 60)}"`)
  const { codes, unresolved } = countriesOf(destination, countries)
  const wording = wordingOf(statuses)
  return {
    ...ADVICE_DEFAULTS,
    external_id: countrySetId(codes, unresolved) ?? path,
    title: `${destination}: ${wording}`,
    description: `${wording}.`,
    detailed_information: null,
    recommendations: [],
    severity_level: highestSeverity(statuses.flatMap((status) => STATUS[status]?.severity ?? [])) ?? 'info',
    is_urgent: false,
    advisory_type: 'general',
    original_level: statuses.join(', ') || null,
    original_wording: wording,
    country_codes: codes,
    unresolved_countries: unresolved,
    last_updated: updated.date,
    date_precision: updated.precision,
    source_url: SITE + path,
    language: 'en',
  }
}

function countriesOf(destination: string, countries: ReadContext['countries']) {
  return countries.resolveAll(FCDO_NAMES.get(destination) ?? destination)
}

/** Names that are ambiguous in general and unambiguous in this source, which lists the other Congo in full. */
const FCDO_NAMES = new Map([['Congo', 'Republic of the Congo']])

/** Most severe first; several are listed in this order. */
const STATUS: Record<string, { severity: Severity; advisesAgainst: string }> = {
  avoid_all_travel_to_whole_country: { severity: 'critical', advisesAgainst: 'all travel' },
  avoid_all_but_essential_travel_to_whole_country: { severity: 'warning', advisesAgainst: 'all but essential travel' },
  avoid_all_travel_to_parts: { severity: 'warning', advisesAgainst: 'all travel to parts of the country' },
  avoid_all_but_essential_travel_to_parts: {
    severity: 'caution',
    advisesAgainst: 'all but essential travel to parts of the country',
  },
}

function wordingOf(statuses: readonly string[]): string {
  const warnings = Object.entries(STATUS).flatMap(([name, status]) =>
    statuses.includes(name) ? [status.advisesAgainst] : [],
  )
  if (warnings.length === 0) return 'No FCDO warning against travel'
  return `FCDO advises against ${warnings.join(', and ').replace(/(parts of the country, .*)parts of the country$/, '$1other parts')}`
}

function labelOf(entry: unknown): string {
  const { title, name, base_path } = (entry ?? {}) as Record<string, unknown>
  return plainLine(String(title ?? name ?? base_path ?? JSON.stringify(entry)))
}
