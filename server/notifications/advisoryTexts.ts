import { localTitle } from '#shared/advisories/phrases.ts'
import { SEVERITY_SIGNS } from '#shared/advisories/signs.ts'
import type { Language } from '#shared/language.ts'
import type { AdvisoryReason } from '#shared/notifications/kinds.ts'
import type { AdvisoryRow } from '../advisories/advisoryRow.ts'
import { plainLine } from '../advisories/feeds/html.ts'
import { phrasesIn } from '../advisories/phrases.ts'
import type { Countries } from '../countries/reference.ts'
import { instructionLine, isolated } from '../messages/instruction-line.ts'
import { instructionOf } from './advisoryInstruction.ts'
import { newCountries, newTypes } from './advisoryMatter.ts'
import { type NamedType, WORDS } from './advisoryWords.ts'
import type { AnnouncementText } from './announcing.ts'

/** ADV-NOTIFY-53 (of the news; what to do comes before it) and 52. */
export const SHORT_CHARACTERS = 100
export const SNIPPET_CHARACTERS = 500
const TITLE_CHARACTERS = 150
/** What a bell and a browser show of what to do; a mail has it whole. */
export const INSTRUCTION_CHARACTERS = 300
/** Of more countries the text itself says which. */
const MAX_LEADING_NAMES = 2
/** So many countries are named; of more, their number. */
const MOST_NAMES = 5

export type ToldAdvisory = Pick<
  AdvisoryRow,
  | 'title'
  | 'description'
  | 'detailed_information'
  | 'recommendations'
  | 'original_wording'
  | 'severity_level'
  | 'is_urgent'
  | 'affected_countries'
  | 'country_codes'
  | 'source_organization'
  | 'language'
  | 'last_updated'
  | 'date_precision'
>

const TAGS: Record<Language, string> = { en: 'en', ar: 'ar-u-nu-latn' }

interface Telling {
  before: AdvisoryRow | null
  reason: AdvisoryReason
  countries: Countries
}

/** What is said of an advisory in both languages: its own words stay those of its source, and are marked as such. */
export function advisoryTexts(advisory: ToldAdvisory, telling: Telling): Record<Language, AnnouncementText> {
  return { en: textsIn('en', advisory, telling), ar: textsIn('ar', advisory, telling) }
}

function textsIn(language: Language, advisory: ToldAdvisory, telling: Telling): AnnouncementText {
  const words = WORDS[language]
  const nameOf = (code: string) => nameIn(language, code, telling.countries)
  const codes = advisory.country_codes
  const names = advisory.affected_countries.map((name, at) => (codes[at] ? nameOf(codes[at]) : name))
  const { title, title_language } = localTitle(advisory, { language, countries: names, say: phrasesIn(language) })
  const severity = words.severities[advisory.severity_level]
  const reason = reasonIn(language, advisory, telling)
  const level = advisory.is_urgent ? words.urgently(severity.toLowerCase()) : severity
  const source = advisory.source_organization
  const news = cut(`${level}. ${reason}. ${source}`, SHORT_CHARACTERS)
  const advice = adviceIn(language, advisory, { names, telling })
  return {
    title: isolated(cut(title, TITLE_CHARACTERS), title_language, language),
    message: [advice && cut(instructionLine(advice, language), INSTRUCTION_CHARACTERS), news].filter(Boolean).join(' '),
    news,
    ...advice,
    ...(codes.length === 1 ? { emergency_country: codes[0]! } : {}),
    severity: `${SEVERITY_SIGNS[advisory.severity_level].sign} ${severity}`,
    countries: listOf(language, names) || words.everywhere,
    reason,
    source,
    dated: words.published(dateIn(language, advisory)),
    snippet: snippetIn(language, advisory),
  }
}

type Advice = Record<'instruction', string> &
  Partial<Record<'instruction_lead' | 'instruction_language' | 'ask', string>>

/** What to do, led by what the reader needs to place it: of which country, and in whose words if they are not the reader's. */
function adviceIn(
  language: Language,
  advisory: ToldAdvisory,
  { names, telling }: { names: string[]; telling: Telling },
): Advice | undefined {
  const found = instructionOf(advisory, { ...telling, language })
  if (!found) return undefined
  const words = WORDS[language]
  const isForeign = !found.language.startsWith(language)
  const isNamed = names.some((name) => found.text.toLowerCase().includes(name.toLowerCase()))
  const isPlaced = names.length === 0 || names.length > MAX_LEADING_NAMES || (isNamed && !isForeign)
  const inOther = found.isLeaveNow ? words.leaveNow : found.isDescription ? words.inLanguage : words.whatToDo
  const whose = isForeign ? inOther(languageName(language, found.language)) : ''
  // Where the source says nothing of what to do, whom to ask is what comes first and is cut last.
  const asks = found.isDescription ? words.ask : ''
  const lead = [asks, isPlaced ? '' : `${listOf(language, names)}:`, whose].filter(Boolean).join(' ')
  return {
    instruction: found.text,
    ...(lead ? { instruction_lead: lead } : {}),
    ...(isForeign ? { instruction_language: found.language } : {}),
    ...(found.isLevelOnly && !found.isDescription ? { ask: words.ask } : {}),
  }
}

function reasonIn(language: Language, advisory: ToldAdvisory, { before, reason, countries }: Telling): string {
  const words = WORDS[language]
  switch (reason) {
    case 'new':
      return before && before.status !== 'draft' ? words.isBack : words.isNew
    case 'escalated': {
      if (!before) return words.isNew
      const [was, is] = [words.severities[before.severity_level], words.severities[advisory.severity_level]]
      if (was !== is) return words.escalated(was.toLowerCase(), is.toLowerCase())
      if (advisory.is_urgent && !before.is_urgent) return words.urgentNow
      const added = newCountries(before, advisory as AdvisoryRow).map((code) => nameIn(language, code, countries))
      const types = newTypes(before, advisory as AdvisoryRow).map((type) => words.types[type as NamedType])
      if (added.length === 0 && types.length > 0) return words.alsoAbout(listOf(language, types))
      return words.alsoFor(listOf(language, added) || words.everywhere)
    }
    case 'instruction_changed':
      return words.instruction
    case 'withdrawn':
      return words.withdrawn
    case 'by_hand':
      return words.byHand
  }
}

/** The beginning of the advisory's own text; in another language than the reader's it says in which. */
function snippetIn(language: Language, advisory: ToldAdvisory): string {
  const text = (advisory.description || plainLine(advisory.detailed_information ?? '')).replace(/\s+/g, ' ').trim()
  if (!text || advisory.language.startsWith(language)) return cut(text, SNIPPET_CHARACTERS)
  const head = WORDS[language].inLanguage(languageName(language, advisory.language))
  const room = SNIPPET_CHARACTERS - [...head].length - 3
  return `${head} ${isolated(cut(text, room), advisory.language, language)}`
}

/** Of "en-US" the language alone: its country would be taken for the one that is warned of. */
const languageName = (language: Language, code: string) =>
  new Intl.DisplayNames(language, { type: 'language' }).of(code.split('-')[0]!) ?? code

function nameIn(language: Language, code: string, countries: Countries): string {
  const country = countries.find(code)
  return (language === 'ar' ? country?.names.ar : country?.name) ?? code
}

function listOf(language: Language, names: string[]): string {
  const shown = names.length > MOST_NAMES ? names.slice(0, MOST_NAMES - 1) : names
  const rest = names.length - shown.length
  return new Intl.ListFormat(language).format(rest > 0 ? [...shown, WORDS[language].more(rest)] : shown)
}

function dateIn(language: Language, { last_updated, date_precision }: ToldAdvisory): string {
  const time = date_precision === 'minute' ? ({ timeStyle: 'short' } as const) : {}
  const date = new Intl.DateTimeFormat(TAGS[language], { dateStyle: 'long', timeZone: 'UTC', ...time }).format(
    last_updated,
  )
  return date_precision === 'minute' ? `${date} UTC` : date
}

/** Three dots instead of the one sign for them, which a text message would pay for (C-36). Cut where a word ends. */
function cut(text: string, most: number): string {
  const characters = [...text]
  if (characters.length <= most) return text
  const kept = characters.slice(0, most - 3).join('')
  const space = kept.lastIndexOf(' ')
  return `${(space > kept.length / 2 ? kept.slice(0, space) : kept).replace(/[\s,;:،؛.–—-]+$/u, '')}...`
}
