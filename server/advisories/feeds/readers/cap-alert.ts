import { type AdvisoryType, SEVERITY_RANK, type Severity } from '#shared/advisories/severity.ts'
import type { FeedItem, ReadContext } from '../feed.ts'
import { plainText, sanitizeDetail } from '../html.ts'
import { cleanText, isoDate, sentences, summary } from '../text.ts'
import { readAreas } from './cap-areas.ts'
import { Refusal } from './entries.ts'
import type { XmlElement } from './xml.ts'

/** Whether an element is a CAP 1.1 or 1.2 alert. */
export function isAlert(element: XmlElement): boolean {
  return element.name === 'alert' && /^urn:oasis:names:tc:emergency:cap:1\.[12]$/.test(element.namespace)
}

/**
 * Reads one alert. Its info blocks repeat the message in several languages, or differ by area: the English ones are
 * read, else those of the first language. A required CAP value that is missing or outside its vocabulary refuses the
 * alert: a warning of unknown severity must not look like a mild one.
 */
export function readAlert(alert: XmlElement, context: ReadContext, fallbackUrl: string): FeedItem {
  const identifier = identifierOf(alert)
  const sender = cleanText(plainText(alert.textOf('sender'))) || missing('sender')
  const sent = dateIn(alert, 'sent') ?? missing('sent')
  const status = oneOf(STATUS, alert, 'status')
  const isCancellation = oneOf(MESSAGE_TYPES, alert, 'msgType') === 'Cancel'
  if (oneOf(SCOPES, alert, 'scope') !== 'Public') throw new Refusal('Its scope is not Public: it is not for everyone')

  const { infos, others } = infosInSingleLanguage(alert.all('info').map(readInfo))
  if (infos.length === 0 && !isCancellation) throw new Refusal('It has no info block: it says nothing')
  const worst = infos.reduce<Info | undefined>((top, info) => (top && rank(top) >= rank(info) ? top : info), undefined)
  const areas = readAreas(
    infos.flatMap((info) => info.areas),
    sender,
    context.countries,
  )
  const who = areas.country_codes.map((code) => context.countries.nameOf(code)).join(', ')
  const headline = worst?.headline ?? `Cancellation by ${sender}`
  const text = unique(infos.map((info) => info.html))
  const expires = infos.flatMap((info) => info.expires ?? [])
  return {
    external_id: identifier,
    title: summary(`${who && `${who}: `}${headline}`, 300),
    description: summary(text.map(plainText).join('\n') || plainText(alert.textOf('note')) || headline),
    detailed_information: sanitizeDetail([...text, ...notes(infos, others)].join('\n'), fallbackUrl) || null,
    recommendations: unique(infos.flatMap((info) => info.instructions)),
    severity_level: worst?.severity_level ?? 'info',
    is_urgent: !isCancellation && infos.some((info) => info.isImmediate),
    advisory_type: worst?.advisory_type ?? 'other',
    original_level: worst?.severity ?? null,
    original_wording: worst?.wording ?? 'Cancel',
    ...areas,
    affected_cities: [],
    effective_date: earliest(infos.map((info) => info.effective ?? sent)) ?? sent,
    expiry_date: expires.length === infos.length ? latest(expires) : null,
    last_updated: sent,
    date_precision: 'minute',
    source_url: worst?.web ?? fallbackUrl,
    language: worst?.language ?? 'en-US',
    status,
    supersedes: referencesOf(alert, identifier),
    is_cancellation: isCancellation,
  }
}

const STATUS = { Actual: 'actual', Exercise: 'exercise', System: 'system', Test: 'test', Draft: 'draft' } as const
const MESSAGE_TYPES = { Alert: 'Alert', Update: 'Update', Cancel: 'Cancel' } as const
const SCOPES = { Public: 'Public', Restricted: 'Restricted', Private: 'Private' } as const
const SEVERITIES: Record<string, Severity> = {
  ...{ Extreme: 'critical', Severe: 'warning', Moderate: 'caution', Minor: 'info', Unknown: 'info' },
}
const URGENCIES = names('Immediate Expected Future Past Unknown')
// "Very Likely" is CAP 1.0; 1.1 says to treat it as Likely.
const CERTAINTIES = { ...names('Observed Likely Possible Unlikely Unknown'), 'Very Likely': 'Likely' }
const TYPES: Record<string, AdvisoryType> = {
  ...{ Met: 'weather', Health: 'health', Security: 'security', Transport: 'transport', Safety: 'general' },
}

interface Info {
  language: string
  headline: string
  html: string
  instructions: string[]
  severity: string
  severity_level: Severity
  wording: string
  isImmediate: boolean
  advisory_type: AdvisoryType
  effective: Date | undefined
  expires: Date | undefined
  web: string | undefined
  contact: string
  areas: XmlElement[]
}

function readInfo(info: XmlElement): Info {
  const event = plainText(info.textOf('event')) || missing('event')
  const severity = info.textOf('severity')
  const severity_level = oneOf(SEVERITIES, info, 'severity')
  const urgency = oneOf(URGENCIES, info, 'urgency')
  const certainty = oneOf(CERTAINTIES, info, 'certainty')
  const isEmergency = severity === 'Extreme' && urgency === 'Immediate' && certainty === 'Observed'
  const isAllClear = info.all('responseType').some((type) => type.text.trim() === 'AllClear')
  const web = URL.parse(info.textOf('web'))
  return {
    language: languageOf(info),
    // An all-clear repeats the headline of the warning it ends.
    headline: `${isAllClear ? 'All clear: ' : ''}${plainText(info.textOf('headline')).replaceAll('\n', ' ') || event}`,
    html: toHtml(info.textOf('description')),
    instructions: sentences(plainText(toHtml(info.textOf('instruction')))).filter((line) => !SAYS_NOTHING.test(line)),
    severity,
    severity_level: isEmergency ? 'emergency' : severity_level,
    wording: `${event} (severity ${severity}, urgency ${urgency}, certainty ${certainty})`,
    isImmediate: urgency === 'Immediate' && !isAllClear,
    // The first category is the main one; a fire may be Fire and then Met.
    advisory_type: entryOf(TYPES, info.textOf('category')) ?? 'other',
    effective: dateIn(info, 'effective'),
    expires: dateIn(info, 'expires'),
    web: web && /^https?:$/.test(web.protocol) ? web.href : undefined,
    contact: plainText(info.textOf('contact')),
    areas: info.all('area'),
  }
}

const SAYS_NOTHING = /^(none|nil|n\/?a|not applicable|-+)\.?$/i

/** CAP 1.2: the default language is American English. */
function languageOf(info: XmlElement): string {
  try {
    return Intl.getCanonicalLocales(info.textOf('language') || 'en-US')[0] ?? 'und'
  } catch {
    return 'und'
  }
}

function infosInSingleLanguage(all: Info[]): { infos: Info[]; others: string[] } {
  const language = (all.find((info) => /^en\b/.test(info.language)) ?? all[0])?.language
  return {
    infos: all.filter((info) => info.language === language),
    others: unique(all.map((info) => info.language)).filter((other) => other !== language),
  }
}

function notes(infos: Info[], otherLanguages: string[]): string[] {
  const contacts = unique(infos.map((info) => info.contact)).filter(Boolean)
  return [
    ...contacts.map((contact) => toHtml(`Contact: ${contact}`)),
    ...(otherLanguages.length > 0 ? [`<p>Also published in: ${otherLanguages.join(', ')}.</p>`] : []),
  ]
}

/**
 * Descriptions are plain text with line breaks, sometimes wrapped at 69 characters, sometimes HTML against the
 * standard. Blank lines separate paragraphs, a line that starts with "*" or "-" is an entry of a list, and any other
 * line break is only wrapping.
 */
function toHtml(text: string): string {
  if (/<\/?[a-z][^<>]*>/i.test(text)) return text
  const blocks = text.split(/\r?\n\s*\n|\r?\n\s*(?=[*•-]\s)/).map(cleanText)
  return blocks
    .filter(Boolean)
    .map((block) => block.replaceAll('<', '&lt;').replaceAll('>', '&gt;'))
    .map((block) => (/^[*•-]\s/.test(block) ? `<ul><li>${block.slice(2)}</li></ul>` : `<p>${block}</p>`))
    .join('')
    .replaceAll('</ul><ul>', '')
}

function identifierOf(alert: XmlElement): string {
  const identifier = alert.textOf('identifier') || missing('identifier')
  // Commas and spaces separate the fields of references; an identifier containing one could never be referenced.
  if (/[\s,<&]/.test(identifier)) throw new Refusal('Its identifier has a space, comma, "<" or "&" in it')
  return identifier
}

/**
 * "sender,identifier,sent" of each earlier message. Only the identifier is compared: senders change their name there.
 */
function referencesOf(alert: XmlElement, self: string): string[] {
  const msgType = alert.textOf('msgType')
  if (msgType === 'Alert') return []
  const references = alert.textOf('references').split(/\s+/).filter(Boolean)
  if (references.length === 0) throw new Refusal(`Its msgType is ${msgType}, but it refers to no earlier alert`)
  const identifiers = references.map((reference) => reference.split(',').slice(1, -1).join(','))
  if (identifiers.includes('')) throw new Refusal('Its references are not of the form sender,identifier,sent')
  return unique(identifiers).filter((identifier) => identifier !== self)
}

function oneOf<T>(vocabulary: Record<string, T>, element: XmlElement, name: string): T {
  const value = element.textOf(name) || missing(name)
  const found = entryOf(vocabulary, value)
  if (found !== undefined) return found
  throw new Refusal(`Its ${name} is "${cleanText(value).slice(0, 40)}", none of ${Object.keys(vocabulary).join(', ')}`)
}

function dateIn(element: XmlElement, name: string): Date | undefined {
  const text = element.textOf(name)
  const date = isoDate(text)
  if (text && date?.precision !== 'minute') throw new Refusal(`Its time "${name}" cannot be read or has no zone`)
  return date?.date
}

function missing(name: string): never {
  throw new Refusal(`It has no ${name}, which CAP requires`)
}

function names(list: string): Record<string, string> {
  return Object.fromEntries(list.split(' ').map((name) => [name, name]))
}

function rank(info: Info): number {
  return SEVERITY_RANK[info.severity_level]
}

function earliest(dates: Date[]): Date | undefined {
  return dates.toSorted((a, b) => a.getTime() - b.getTime())[0]
}

function latest(dates: Date[]): Date | null {
  return dates.toSorted((a, b) => b.getTime() - a.getTime())[0] ?? null
}

function unique<T>(values: T[]): T[] {
  return [...new Set(values)]
}

/** The entry of a table, never one of its prototype. */
const entryOf = <T>(table: Record<string, T>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined
