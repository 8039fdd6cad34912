import type { FirstSteps } from '#shared/advisories/advisory-text.ts'
import { type TextBlock, textBlocks } from './feeds/html.ts'
import { leaveNowTest } from './feeds/readers/us-text.ts'
import { sentences } from './feeds/text.ts'
import { instructionTest } from './instruction-sentence.ts'

interface Source {
  description: string
  detailed_information: string | null
  recommendations: readonly string[]
  affected_countries: readonly string[]
  language: string
}

interface Candidate {
  text: string
  /** Whom the line above a list addresses. */
  audience: 'here' | 'planning' | null
}

/** More is not "first"; the full text has the rest. */
const MAX_STEPS = 12

/**
 * What an advisory tells its readers to do, in the sentences of its source and no others: those in the country, and
 * those who plan to go. `isOwnList`: the source publishes its recommendations as a list of its own, so that each of
 * them is an instruction; lists that our readers found in a text also hold remarks.
 */
export function firstStepsOf(source: Source, { isOwnList }: { isOwnList: boolean }): FirstSteps {
  const language = source.language.slice(0, 2)
  const mustLeave = leaveNowTest([...source.affected_countries])
  const isInstruction = instructionTest(language)
  const steps: FirstSteps = { here: [], planning: [], all: [] }
  const known = new Set<string>()
  const take = (group: keyof FirstSteps, text: string) => {
    const key = text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
    if (known.has(key) || steps[group].length >= MAX_STEPS) return
    known.add(key)
    steps[group].push(text)
  }
  const found = candidatesOf(source).filter(({ text }) => text.length <= MAX_LENGTH)
  for (const { text } of found) if (mustLeave(text)) take('here', text)
  if (isOwnList) for (const recommendation of source.recommendations) take('all', recommendation)
  const instructions = found.filter(({ text }) => isInstruction(text))
  for (const { text, audience } of byUrgency(instructions)) take(groupOf(text, audience, language), text)
  return steps
}

const MAX_LENGTH = 320

/** Sentences of the text with the list they are in; the description only where it is all there is. */
function candidatesOf({ description, detailed_information, recommendations }: Source): Candidate[] {
  const blocks = textBlocks(detailed_information ?? '')
  const body = blocks.length > 0 ? inLists(blocks) : [{ text: description, audience: null }]
  const listed = recommendations.map((text): Candidate => ({ text, audience: null }))
  return [...body, ...listed].flatMap(({ text, audience }) =>
    sentences(text).map((sentence) => ({ text: sentence.replace(LIST_JOINT, ''), audience })),
  )
}

/** Between two entries of a list. */
const LIST_JOINT = /[,;] (?:and|or|und|oder)$/i

function inLists(blocks: readonly TextBlock[]): Candidate[] {
  let audience: Candidate['audience'] = null
  let isAboutOthers = false
  const isAlsoForReaders = blocks.some(({ text }) => text.length <= MAX_LENGTH && SAME_FOR_READERS.test(text))
  return blocks.flatMap(({ kind, text, lead }) => {
    if (kind !== 'item') {
      audience = audienceOf(text)
      const end = text.slice(-200)
      isAboutOthers = UNFINISHED.test(end) || (STAFF.test(end) && !isAlsoForReaders)
    }
    if (kind === 'heading' || (kind === 'item' && isAboutOthers)) return []
    // A bold label at the start is a heading: "Country Summary: Violent crimes are common."
    return [{ text: lead.length < text.length ? text.slice(lead.length).replace(/^[\s:.–-]+/, '') : text, audience }]
  })
}

/** "Embassy staff must:", "Kidnappers may:", "Demonstrations often": the list below says what others do. */
const STAFF = /\b(?:employees|personnel|staff|diplomats)\b[^.]*$/i
const UNFINISHED = /(?<!\byou )\b(?:may|can|could|might|will|often|sometimes|have|who|that|includ(?:e|ing))\s*:?$/i
/** What embassy staff must do is advice for everybody where the source says so. */
const SAME_FOR_READERS =
  /\b(?:citizens|travell?ers|you)\b[^.]* (?:advised to|urged to|should) take the same precautions\b/i

function audienceOf(line: string): Candidate['audience'] {
  if (line.length > 200) return null
  if (/^if you\b[^:]{0,40}\b(decide|choose|plan)\b[^:]{0,40}\btravel/i.test(line)) return 'planning'
  return /^if you (are|live)( still| currently| already)? in\b/i.test(line) ? 'here' : null
}

const URGENT = wordsOf(
  'leave (?:the|now|immediately)|depart|evacuat\\w*|shelter|indoors|curfew|escort|demonstrations?|protests?|crowds',
  'local authorities|local media|higher ground|ausreise|verlassen|demonstrationen|menschenansammlungen',
)

const LEVEL = /^(?:do not|reconsider|avoid (?:all|non-?essential)) travel\b/i

const byUrgency = (list: readonly Candidate[]) => list.toSorted((a, b) => urgencyOf(b.text) - urgencyOf(a.text))

const urgencyOf = (text: string) => (LEVEL.test(text) ? 2 : Number(URGENT.test(text)))

/** Preparation is for those who plan to go; what to do and avoid there is for everybody who is there. */
function groupOf(text: string, audience: Candidate['audience'], language: string): keyof FirstSteps {
  const rules = PLANNING[language]
  if (!rules) return 'all'
  if (audience === 'here' || rules.never.test(text)) return 'here'
  return rules.planning.some((pattern) => pattern.test(text)) ? 'planning' : 'here'
}

const BEFORE = '(?:before|prior to) (?:you |your |commencing )?(?:travel|go|leav|depart|trip|journey|enter)\\w*'
const NOT_PREPARATION = 'to|local|media|out|inside|away|the (?:news|weather)|arrangements to|leaving|departing|sure you'
const PLANNING: Record<string, { planning: RegExp[]; never: RegExp }> = {
  en: {
    planning: [
      wordsOf('travel to|avoid (?:all|non-?essential) travel|postpone|for your trip|travel advisory', BEFORE),
      wordsOf('insurance|vaccin\\w*|prophylaxis|a will|contingency plan|backup plan|transport provider'),
      wordsOf('bring (?:enough|a|an|adequate|sufficient|plenty)|leave (?:dna|your (?:expensive|valuable))'),
      wordsOf('passport is valid'),
      /^(?:enroll|register|buy|purchase|obtain|arrange|update|establish|develop|discuss|plan|pack|book|apply)\b/i,
      /^(?:consult|reconsider|cancel|erase|choose|share|identify|draft)\b/i,
      new RegExp(`^(?:prepare|get|check|consider|make) (?!(?:${NOT_PREPARATION})\\b)`, 'i'),
    ],
    never: wordsOf('(?:make|have) (?:back-?up |contingency )?plans to leave|contact your insurance'),
  },
  de: {
    planning: [wordsOf('reisen? (?:nach|in)|\\w*versicherung|visum|impf\\w*|vor (?:der reise|abreise|reiseantritt)')],
    never: /$^/,
  },
}

function wordsOf(...alternatives: string[]): RegExp {
  return new RegExp(`\\b(?:${alternatives.join('|')})\\b`, 'i')
}
