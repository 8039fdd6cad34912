import * as z from 'zod'
import type { Severity } from '#shared/advisories/severity.ts'
import { countrySetId } from '../../identity.ts'
import { ADVICE_DEFAULTS, FeedError, type FeedItem, type ParsedFeed, type ReadContext } from '../feed.ts'
import { listItems, plainText, sanitizeDetail } from '../html.ts'
import { cleanText, decodeJson, epochSeconds, summary } from '../text.ts'
import { inShape, Refusal, readEntries, withItems } from './entries.ts'

/**
 * The travel advice of the German Foreign Office (opendata/travelwarning): entries keyed by content id, beside two keys
 * that are not entries. The list has levels and dates; the document of a single id also has the text.
 */
export function readDe(document: Uint8Array, context: ReadContext): ParsedFeed {
  const { entries, missing } = listOf(decodeJson(document))
  const parsed = withItems(
    readEntries(entries, {
      label: labelOf,
      read: ({ id, entry }) => toItem(id, inShape(Entry, entry), context),
      // A single entry is the response for that id, not the whole list.
      isComplete: entries.length > 1 && missing.length === 0,
    }),
  )
  const absent = missing.map((item) => ({ item, reason: 'Named in contentList, but there is no such entry' }))
  return { ...parsed, rejected: [...parsed.rejected, ...absent] }
}

function listOf(document: unknown) {
  if (isObject(document) && Object.keys(document).length === 0)
    throw new FeedError('The answer is an empty object: the interface is switched off or failed')
  const response = isObject(document) ? document.response : undefined
  if (!isObject(response)) throw new FeedError('The document is JSON, but has no object "response"')

  const { lastModified: _, contentList, ...byId } = response
  const entries = Object.entries(byId).map(([id, entry]) => ({ id, entry }))
  if (entries.length === 0) throw new FeedError('The response has no entries: the interface is switched off or failed')
  const listed = Array.isArray(contentList) ? contentList.map(String) : []
  return { entries, missing: listed.filter((id) => !Object.hasOwn(byId, id)) }
}

/** The name lets a refused entry be matched to the one in force. */
function labelOf({ id, entry }: { id: string; entry: unknown }): string {
  const { countryName, CountryName, title } = isObject(entry) ? entry : {}
  const name = [countryName, CountryName, title].find((text) => typeof text === 'string' && text !== '')
  return name ? `${id} ${cleanText(plainText(String(name))).replace(/\*+$/, '')}` : id
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const text = z.string().default('')
const Entry = z.object({
  lastModified: z.union([z.number(), z.string()]),
  effective: z.union([z.number(), z.string()]).nullish(),
  title: z.string().min(1),
  countryName: text,
  countryCode: text,
  // The documentation writes these with a capital; the answers of 2026 do not.
  CountryName: text,
  CountryCode: text,
  // Without these two it would look as if there were no warning.
  warning: z.boolean(),
  partialWarning: z.boolean(),
  situationWarning: z.boolean().default(false),
  situationPartWarning: z.boolean().default(false),
  content: text,
})
type Entry = z.infer<typeof Entry>

function toItem(id: string, entry: Entry, { countries, baseUrl }: ReadContext): FeedItem {
  if (!/^\d{1,12}$/.test(id)) throw new Refusal('Its key is not a content id')
  const modified = momentOf(entry.lastModified)
  const effective = entry.effective == null ? undefined : momentOf(entry.effective)
  if (!modified || (entry.effective != null && !effective)) throw new Refusal('A date of it cannot be read')

  const title = cleanText(plainText(entry.title))
  const [subject = '', ...heading] = title.split(': ')
  const name = cleanText(plainText(entry.countryName || entry.CountryName)) || subject
  // An asterisk refers to a footnote about names and borders.
  const who = name.replace(/\*+$/, '')
  const level = levelOf(entry)
  const wording = level?.wording ?? (heading.join(': ') || 'Reise- und Sicherheitshinweise')
  const code = codeOf(who, entry.countryCode || entry.CountryCode, countries)
  const [codes, unresolved] = code ? [[code], []] : [[], [name]]
  const plain = plainText(entry.content)
  return {
    ...ADVICE_DEFAULTS,
    external_id: countrySetId(codes, unresolved) ?? id,
    title: `${who}: ${wording}`,
    description: summary(plain) || `${title}${level ? ` (${level.wording})` : ''}`,
    detailed_information: sanitizeDetail(entry.content, baseUrl) || null,
    // "Seien Sie vorsichtig", "Meiden Sie …": list entries that begin with an imperative.
    recommendations: listItems(entry.content).filter((item) => /^\p{Lu}\p{L}+n Sie\b/u.test(item)),
    severity_level: level?.severity ?? 'info',
    is_urgent: /\bwerden\b[^.]{0,60}\bzur [^.]{0,30}\bAusreise aufgefordert/.test(plain),
    advisory_type: 'general',
    original_level: level?.field ?? null,
    original_wording: wording,
    country_codes: codes,
    unresolved_countries: unresolved,
    effective_date: effective ?? null,
    last_updated: modified,
    date_precision: 'minute',
    // The ministry's own short link, which redirects to the page of the country wherever it moves.
    source_url: `https://www.auswaertiges-amt.de/de/-/${id}`,
    language: 'de',
  }
}

interface Level {
  field: 'warning' | 'partialWarning' | 'situationWarning' | 'situationPartWarning'
  severity: Severity
  wording: string
}

/** The most severe first: an entry can have several. The "situation" was COVID-19 when the fields were designed. */
const LEVELS: Level[] = [
  { field: 'warning', severity: 'critical', wording: 'Reisewarnung' },
  { field: 'partialWarning', severity: 'warning', wording: 'Teilreisewarnung' },
  { field: 'situationWarning', severity: 'warning', wording: 'Situationsbedingte Reisewarnung' },
  { field: 'situationPartWarning', severity: 'caution', wording: 'Situationsbedingte Teilreisewarnung' },
]

function levelOf(entry: Entry): Level | undefined {
  return LEVELS.find(({ field }) => entry[field])
}

/** The code beside the name does not choose the country, but a name it contradicts is not trusted either. */
function codeOf(name: string, stated: string, countries: ReadContext['countries']): string | undefined {
  const code = countries.resolve(name)
  return stated === '' || stated === code ? code : undefined
}

/** Seconds since 1970. Documents before 2021 use milliseconds: 1e11 seconds is year 5138. */
function momentOf(value: number | string): Date | undefined {
  const number = Number(value)
  return epochSeconds(number >= 1e11 ? number / 1000 : number)?.date
}
