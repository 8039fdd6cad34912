import { fill } from '#server/delivery/templates/fill.ts'
import type { Language } from '#shared/language.ts'

export interface Occasion {
  /** The event's name, in both languages if they differ. */
  name: string | Record<Language, string>
  startsAt: Date
  place?: string | undefined
}

/** The text of a reminder from its rule, with the local time of the reader and the zone's name. */
export function reminderText(
  text: { title: string; message: string },
  { name, startsAt, place }: Occasion,
  language: Language,
  zone: string,
): { title: string; message: string } {
  const tokens = {
    name: typeof name === 'string' ? name : name[language],
    starts: timeIn(language, startsAt, zone),
    place: place || NOWHERE[language],
  }
  return {
    title: fill(text.title, tokens).slice(0, 300).toWellFormed(),
    message: fill(text.message, tokens).slice(0, 5_000).toWellFormed(),
  }
}

const NOWHERE: Record<Language, string> = { en: 'the agreed place', ar: 'المكان المتفق عليه' }
const TAGS: Record<Language, string> = { en: 'en-GB', ar: 'ar-u-nu-latn' }

/** 'Saturday, 21 November 2026 at 16:30 (Asia/Manila)'. */
export function timeIn(language: Language, instant: Date, zone: string): string {
  const day = new Intl.DateTimeFormat(TAGS[language], {
    timeZone: zone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  }).format(instant)
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(instant)
  return `${day}${language === 'ar' ? '، ' : ', '}${clock} (${zone})`
}
