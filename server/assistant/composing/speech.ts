import { type AssistantLanguage, directionOfAssistant } from '#shared/assistant/languages.ts'
import { LEXICONS } from '../lexicon/lexicon.ts'
import { type PhraseKey, phrase } from '../phrases/phrases.ts'
import { escapeMarkdown, isolate, singleLine } from './markdown.ts'

type Values = Readonly<Record<string, string | number>>

export type Speech = ReturnType<typeof createSpeech>

const made = new Map<AssistantLanguage, Speech>()

/** Localisation for one of the twelve languages: phrases, country names, dates, times and numbers. */
export function speechOf(language: AssistantLanguage): Speech {
  const speech = made.get(language) ?? createSpeech(language)
  made.set(language, speech)
  return speech
}

function createSpeech(language: AssistantLanguage) {
  // Latin digits everywhere, to match phone numbers.
  const tag = `${language}-u-nu-latn`
  const isRightToLeft = directionOfAssistant(language) === 'rtl'
  const regions = new Intl.DisplayNames(tag, { type: 'region', fallback: 'none' })
  const languages = new Intl.DisplayNames(tag, { type: 'language', fallback: 'code' })
  const days = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' })
  const wholeDays = new Intl.DateTimeFormat(tag, { dateStyle: 'full', timeZone: 'UTC' })
  const weekdays = new Intl.DateTimeFormat(tag, { weekday: 'long', timeZone: 'UTC' })
  const times = new Intl.DateTimeFormat(tag, { timeStyle: 'short', timeZone: 'UTC' })
  const list = new Intl.ListFormat(tag, { type: 'conjunction' })
  const near = new Intl.NumberFormat(tag, { maximumFractionDigits: 1 })
  const far = new Intl.NumberFormat(tag, { maximumFractionDigits: 0 })
  const zones = new Map<string, string>()

  const inMarkdown = (value: string) => isolate(escapeMarkdown(value), isRightToLeft)
  const asText = (value: string) => isolate(singleLine(value), isRightToLeft)
  const withValues = (key: PhraseKey, values: Values, write: (value: string) => string) =>
    phrase(
      language,
      key,
      Object.fromEntries(Object.entries(values).map(([k, v]) => [k, typeof v === 'number' ? v : write(v)])),
    )

  return {
    language,
    isRightToLeft,
    /** A phrase as Markdown, with its values escaped. */
    say: (key: PhraseKey, values: Values = {}) => withValues(key, values, inMarkdown),
    /** The same as plain text, for labels and panels. */
    plain: (key: PhraseKey, values: Values = {}) => withValues(key, values, asText),
    /** A name or text of a record as Markdown. */
    name: inMarkdown,
    country: (code: string) => regions.of(code) ?? code,
    /** Localised name of a city, if it has one. */
    city: (name: string) => LEXICONS[language].cities[name]?.[0] ?? name,
    languageName: (tag: string) => languages.of(tag) ?? tag,
    /** A day as YYYY-MM-DD, or an instant. */
    date: (day: string) => days.format(Date.parse(day)),
    /** The same with its weekday. */
    wholeDate: (day: string) => wholeDays.format(Date.parse(day)),
    /** 0 is Sunday. */
    weekday: (day: number) => weekdays.format(Date.UTC(2026, 0, 4 + day)),
    /** Local time as HH:MM. */
    time: (time: string) => times.format(Date.parse(`2026-01-01T${time}Z`)),
    distance: (km: number) => (km < 10 ? near : far).format(km),
    list: (names: readonly string[]) => list.format(names),
    zone(zone: string, now: Date) {
      const known = zones.get(zone) ?? zoneName(tag, zone, now)
      zones.set(zone, known)
      return known
    },
  }
}

function zoneName(tag: string, timeZone: string, now: Date): string {
  const parts = new Intl.DateTimeFormat(tag, { timeZone, timeZoneName: 'longGeneric' }).formatToParts(now)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
}
