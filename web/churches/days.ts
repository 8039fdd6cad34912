import { present } from '#shared/assert.ts'
import type { Language } from '#shared/language.ts'

/* Written out, like the months in lib/format.ts: the Intl data of the server and of old phones differ. */
const SHORT: Record<Language, readonly string[]> = {
  en: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'],
  ar: ['الأحد', 'الاثنين', 'الثلاثاء', 'الأربعاء', 'الخميس', 'الجمعة', 'السبت'],
  tl: ['Linggo', 'Lunes', 'Martes', 'Miyerkules', 'Huwebes', 'Biyernes', 'Sabado'],
}
const LONG: Record<Language, readonly string[]> = {
  en: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  ar: SHORT.ar,
  tl: SHORT.tl,
}

/* In Arabic, 'every Sunday' and 'the first Sunday' have no article. */
const WITHOUT_ARTICLE: Record<Language, readonly string[]> = {
  en: LONG.en,
  ar: ['أحد', 'اثنين', 'ثلاثاء', 'أربعاء', 'خميس', 'جمعة', 'سبت'],
  tl: LONG.tl,
}

export const shortDay = (language: Language, day: number) => present(SHORT[language][day], 'a weekday')
export const longDay = (language: Language, day: number) => present(LONG[language][day], 'a weekday')

export const anyDay = (language: Language, day: number) => present(WITHOUT_ARTICLE[language][day], 'a weekday')

export interface ZoneMoment {
  year: number
  month: number
  day: number
  weekday: number
  clock: string
  /** 'YYYY-MM-DD', to compare days. */
  date: string
}

/** Date and time of an instant in a zone. */
export function momentIn(zone: string, instant: string | number): ZoneMoment {
  const of = Object.fromEntries(
    clockIn(zone)
      .formatToParts(new Date(instant))
      .map(({ type, value }) => [type, value]),
  )
  const [year, month, day] = [Number(of.year), Number(of.month), Number(of.day)]
  return {
    year,
    month,
    day,
    weekday: new Date(Date.UTC(year, month - 1, day)).getUTCDay(),
    clock: `${of.hour}:${of.minute}`,
    date: `${of.year}-${of.month}-${of.day}`,
  }
}

const clocks = new Map<string, Intl.DateTimeFormat>()

function clockIn(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  clocks.set(zone, made)
  return made
}

/** 'Manila' of 'Asia/Manila': the city of a zone. */
export const zonePlace = (zone: string) => zone.replace(/^.*\//, '').replaceAll('_', ' ')
