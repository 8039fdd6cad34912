import type { AdminAdvisory } from '#shared/advisories/admin.ts'
import type { AdvisoryEntryInput } from '#shared/advisories/entry.ts'
import { type Message, mainText } from '#web/compose/message.ts'

/** The form fields, each as text. */
const ENTRY_FIELDS = [
  'source_id',
  'title',
  'description',
  'detailed_information',
  'national_alert_level',
  'severity_level',
  'original_wording',
  'advisory_type',
  'countries',
  'affected_regions',
  'affected_cities',
  'recommendations',
  'source_url',
  'language',
  'effective_date',
  'expiry_date',
  'last_updated',
  'is_urgent',
  'auto_notify',
] as const
export type EntryField = (typeof ENTRY_FIELDS)[number]
export type EntryValues = Record<EntryField, string>

export const NOTHING_WRITTEN = Object.fromEntries(ENTRY_FIELDS.map((field) => [field, ''])) as EntryValues

export const valuesIn = (form: FormData): EntryValues =>
  Object.fromEntries(ENTRY_FIELDS.map((field) => [field, String(form.get(field) ?? '')])) as EntryValues

/** What another kind of message had, in a new advisory. */
export function valuesOfMessage(message: Message, nameOf: (code: string) => string): EntryValues {
  const { language, title, message: description } = mainText(message)
  return {
    ...NOTHING_WRITTEN,
    ...{ title, description },
    countries: [...message.countries.map(nameOf), ...message.places].join('\n'),
    language: language === 'tl' ? 'fil' : language,
  }
}

/** Form values of an existing advisory; its countries by their names in the user's language. */
export function valuesOf(advisory: AdminAdvisory, nameOf: (code: string) => string): EntryValues {
  return {
    source_id: advisory.source_id,
    title: advisory.title,
    description: advisory.description,
    detailed_information: plainOf(advisory.detailed_information ?? ''),
    national_alert_level: advisory.national_alert_level ? String(advisory.national_alert_level) : '',
    severity_level: advisory.severity_level,
    original_wording: advisory.original_wording,
    advisory_type: advisory.advisory_type,
    countries: advisory.country_codes.map(nameOf).join('\n'),
    affected_regions: advisory.affected_regions.join('\n'),
    affected_cities: advisory.affected_cities.join('\n'),
    recommendations: advisory.recommendations.join('\n'),
    source_url: advisory.source_url,
    language: advisory.language,
    effective_date: localTime(advisory.effective_date),
    expiry_date: localTime(advisory.expiry_date),
    last_updated: localTime(advisory.last_updated),
    is_urgent: advisory.is_urgent ? 'on' : '',
    auto_notify: advisory.auto_notify ? 'on' : '',
  }
}

/** Form values as the endpoint expects them. Invalid values are passed on and rejected there. */
export function entryOf(values: EntryValues): AdvisoryEntryInput {
  const { severity_level, national_alert_level, advisory_type, language, ...texts } = values
  return {
    ...texts,
    ...(severity_level ? { severity_level: severity_level as never } : {}),
    national_alert_level: national_alert_level ? (Number(national_alert_level) as never) : null,
    advisory_type: (advisory_type || 'general') as never,
    language: language || 'en',
    countries: linesOf(values.countries),
    affected_regions: linesOf(values.affected_regions),
    affected_cities: linesOf(values.affected_cities),
    recommendations: linesOf(values.recommendations),
    effective_date: instantOf(values.effective_date),
    expiry_date: instantOf(values.expiry_date),
    last_updated: instantOf(values.last_updated),
    is_urgent: values.is_urgent === 'on',
    auto_notify: values.auto_notify === 'on',
  }
}

export const linesOf = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean)

/** The rejected lines of a list, each with its reason. */
export function wrongLines(field: EntryField, values: EntryValues, fields: Record<string, string>) {
  const lines = linesOf(values[field])
  return Object.entries(fields).flatMap(([name, message]) => {
    const [list, index] = name.split('.')
    return list === field && index !== undefined ? [{ line: lines[Number(index)] ?? '', message }] : []
  })
}

/** Plain paragraphs are shown as text; any other markup is left as it is. */
export function plainOf(html: string): string {
  if (!/^(<p>((?!<(?!br>)).)*<\/p>\n?)*$/s.test(html)) return html
  const plain = html
    .replace(/<\/p>\n?<p>/g, '\n\n')
    .replace(/<br>/g, '\n')
    .replace(/<\/?p>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
  // Text that would be parsed as markup stays escaped.
  return /<[a-z/!]|&#?\w+;/i.test(plain) ? html : plain
}

/** '2026-11-21T16:28' in UTC, for `datetime-local` inputs. */
const localTime = (instant: string | null) => instant?.slice(0, 16) ?? ''

const instantOf = (value: string) =>
  /T\d\d:\d\d(:\d\d)?$/.test(value) ? `${value}${value.length === 16 ? ':00' : ''}Z` : value
