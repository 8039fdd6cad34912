import { emergencyUrl } from '#shared/emergency/address.ts'
import type { Language } from '#shared/language.ts'
import type { FactModel } from '../assistant/facts/model.ts'
import { firstNumberOf } from './emergency.ts'

/** One line each, short enough for the end of a text message. */
const TEXTS: Record<Language, { known: string; unknown: string }> = {
  en: { known: 'In danger? Call {phone}. {url}', unknown: 'In danger? Emergency numbers: {url}' },
  ar: { known: 'هل أنت في خطر؟ اتصل بالرقم {phone}. {url}', unknown: 'هل أنت في خطر؟ أرقام الطوارئ: {url}' },
}

interface FootInput {
  language: Language
  /** Where the message is about; null where it is about several countries or none. */
  country: string | null
  publicUrl: string
  now: Date
}

/** The foot of an urgent message: the confirmed number of its country, and the way to the emergency page. */
export function emergencyFoot(facts: FactModel, { language, country, publicUrl, now }: FootInput): string {
  const number = country && firstNumberOf(facts, country, now)
  const url = emergencyUrl(country, publicUrl)
  return number
    ? TEXTS[language].known.replace('{phone}', number.phone).replace('{url}', url)
    : TEXTS[language].unknown.replace('{url}', url)
}
