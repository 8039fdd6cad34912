import type { AdvisoryRow } from '#server/advisories/advisory-row.ts'
import { plainLine } from '#server/advisories/feeds/html.ts'
import { phrasesIn } from '#server/advisories/phrases.ts'
import type { Countries } from '#server/countries/reference.ts'
import type { AnnouncementText } from '#server/db/tables-notifications.ts'
import { instructionLine, isolated } from '#server/delivery/templates/instruction-line.ts'
import { localTitle } from '#shared/advisories/phrases.ts'
import { SEVERITY_SIGNS } from '#shared/advisories/signs.ts'
import { firstOf } from '#shared/assert.ts'
import { nameOfCountry } from '#shared/countries/country.ts'
import type { AdvisoryReason } from '#shared/delivery/kinds.ts'
import { FORMAT_TAGS, inEachLanguage, type Language } from '#shared/language.ts'
import { newCountries, newTypes } from './detect.ts'
import { instructionOf } from './instruction.ts'
import { type NamedType, PHRASES } from './phrases.ts'

/** ADV-NOTIFY-53 (the news; the instruction precedes it) and 52. */
export const SHORT_CHARACTERS = 100
export const SNIPPET_CHARACTERS = 500
const TITLE_CHARACTERS = 150
/** Limit of the instruction in inbox and push; mail has it in full. */
export const INSTRUCTION_CHARACTERS = 300
/** With more countries, the text itself lists them. */
const MAX_LEADING_NAMES = 2
/** Up to this many countries are named; beyond that, only their number. */
const MAX_NAMES = 5

export type AdvisoryContent = Pick<
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

interface TextContext {
  before: AdvisoryRow | null
  reason: AdvisoryReason
  countries: Countries
}

/** The texts of an advisory in every language; source text stays unchanged and is attributed. */
export function advisoryTexts(advisory: AdvisoryContent, context: TextContext): Record<Language, AnnouncementText> {
  return inEachLanguage((language) => textsIn(language, advisory, context))
}

function textsIn(language: Language, advisory: AdvisoryContent, context: TextContext): AnnouncementText {
  const phrases = PHRASES[language]
  const nameOf = (code: string) => nameIn(language, code, context.countries)
  const codes = advisory.country_codes
  const names = advisory.affected_countries.map((name, at) => (codes[at] ? nameOf(codes[at]) : name))
  const { title, title_language } = localTitle(advisory, { language, countries: names, translate: phrasesIn(language) })
  const severity = phrases.severities[advisory.severity_level]
  const reason = reasonIn(language, advisory, context)
  const level = advisory.is_urgent ? phrases.urgently(severity.toLowerCase()) : severity
  const source = advisory.source_organization
  const news = cut(`${level}. ${reason}. ${source}`, SHORT_CHARACTERS)
  const advice = adviceIn(language, advisory, { names, context })
  return {
    title: isolated(cut(title, TITLE_CHARACTERS), title_language, language),
    message: [advice && cut(instructionLine(advice, language), INSTRUCTION_CHARACTERS), news].filter(Boolean).join(' '),
    news,
    ...advice,
    ...(codes.length === 1 ? { emergency_country: firstOf(codes) } : {}),
    severity: `${SEVERITY_SIGNS[advisory.severity_level].sign} ${severity}`,
    countries: listOf(language, names) || phrases.everywhere,
    reason,
    source,
    dated: phrases.published(dateIn(language, advisory)),
    snippet: snippetIn(language, advisory),
  }
}

type Advice = Record<'instruction', string> &
  Partial<Record<'instruction_lead' | 'instruction_language' | 'ask', string>>

/** The instruction, preceded by the country and, if the text is not in the reader's language, its source. */
function adviceIn(
  language: Language,
  advisory: AdvisoryContent,
  { names, context }: { names: string[]; context: TextContext },
): Advice | undefined {
  const found = instructionOf(advisory, { ...context, language })
  if (!found) return undefined
  const phrases = PHRASES[language]
  const isForeign = !found.language.startsWith(language)
  const isNamed = names.some((name) => found.text.toLowerCase().includes(name.toLowerCase()))
  const isPlaced = names.length === 0 || names.length > MAX_LEADING_NAMES || (isNamed && !isForeign)
  const inOther = found.isLeaveNow ? phrases.leaveNow : found.isDescription ? phrases.inLanguage : phrases.whatToDo
  const whose = isForeign ? inOther(languageName(language, found.language)) : ''
  // Without an instruction from the source, whom to ask comes first and is cut last.
  const askFirst = found.isDescription ? phrases.ask : ''
  const lead = [askFirst, isPlaced ? '' : `${listOf(language, names)}:`, whose].filter(Boolean).join(' ')
  return {
    instruction: found.text,
    ...(lead ? { instruction_lead: lead } : {}),
    ...(isForeign ? { instruction_language: found.language } : {}),
    ...(found.isLevelOnly && !found.isDescription ? { ask: phrases.ask } : {}),
  }
}

function reasonIn(language: Language, advisory: AdvisoryContent, { before, reason, countries }: TextContext): string {
  const phrases = PHRASES[language]
  switch (reason) {
    case 'new':
      return before && before.status !== 'draft' ? phrases.isBack : phrases.isNew
    case 'escalated': {
      if (!before) return phrases.isNew
      const [was, is] = [phrases.severities[before.severity_level], phrases.severities[advisory.severity_level]]
      if (was !== is) return phrases.escalated(was.toLowerCase(), is.toLowerCase())
      if (advisory.is_urgent && !before.is_urgent) return phrases.urgentNow
      const added = newCountries(before, advisory as AdvisoryRow).map((code) => nameIn(language, code, countries))
      const types = newTypes(before, advisory as AdvisoryRow).map((type) => phrases.types[type as NamedType])
      if (added.length === 0 && types.length > 0) return phrases.alsoAbout(listOf(language, types))
      return phrases.alsoFor(listOf(language, added) || phrases.everywhere)
    }
    case 'instruction_changed':
      return phrases.instruction
    case 'withdrawn':
      return phrases.withdrawn
    case 'manual':
      return phrases.manual
  }
}

/** The beginning of the advisory's text; names its language if it differs from the reader's. */
function snippetIn(language: Language, advisory: AdvisoryContent): string {
  const text = (advisory.description || plainLine(advisory.detailed_information ?? '')).replace(/\s+/g, ' ').trim()
  if (!text || advisory.language.startsWith(language)) return cut(text, SNIPPET_CHARACTERS)
  const head = PHRASES[language].inLanguage(languageName(language, advisory.language))
  const room = SNIPPET_CHARACTERS - [...head].length - 3
  return `${head} ${isolated(cut(text, room), advisory.language, language)}`
}

/** Only the language of "en-US": the region could be mistaken for the country concerned. */
const languageName = (language: Language, code: string) =>
  new Intl.DisplayNames(language, { type: 'language' }).of(firstOf(code.split('-'))) ?? code

function nameIn(language: Language, code: string, countries: Countries): string {
  const country = countries.find(code)
  return country ? nameOfCountry(country, language) : code
}

function listOf(language: Language, names: string[]): string {
  const shown = names.length > MAX_NAMES ? names.slice(0, MAX_NAMES - 1) : names
  const rest = names.length - shown.length
  return new Intl.ListFormat(language).format(rest > 0 ? [...shown, PHRASES[language].more(rest)] : shown)
}

function dateIn(language: Language, { last_updated, date_precision }: AdvisoryContent): string {
  const time = date_precision === 'minute' ? ({ timeStyle: 'short' } as const) : {}
  const date = new Intl.DateTimeFormat(FORMAT_TAGS[language], { dateStyle: 'long', timeZone: 'UTC', ...time }).format(
    last_updated,
  )
  return date_precision === 'minute' ? `${date} UTC` : date
}

/** Uses three dots, since an ellipsis character costs text messages extra segments (C-36). Cuts at a word boundary. */
function cut(text: string, max: number): string {
  const characters = [...text]
  if (characters.length <= max) return text
  const head = characters.slice(0, max - 3).join('')
  const space = head.lastIndexOf(' ')
  return `${(space > head.length / 2 ? head.slice(0, space) : head).replace(/[\s,;:،؛.–—-]+$/u, '')}...`
}
