import type { AdvisoryRow } from '#server/advisories/advisory-row.ts'
import { textBlocks } from '#server/advisories/feeds/html.ts'
import { leaveNowTest } from '#server/advisories/feeds/readers/us-text.ts'
import { sentences } from '#server/advisories/feeds/text.ts'
import { phrasesIn } from '#server/advisories/phrases.ts'
import { sentence } from '#server/delivery/templates/instruction-line.ts'
import { isInstruction, localWording, withoutLevel } from '#shared/advisories/phrases.ts'
import type { AdvisoryReason } from '#shared/delivery/kinds.ts'
import type { Language } from '#shared/language.ts'

type AdviceColumns = 'description' | 'detailed_information' | 'recommendations' | 'original_wording' | 'language'
export type AdvisedAdvisory = Pick<AdvisoryRow, AdviceColumns | 'affected_countries'>

export interface Instruction {
  text: string
  /** BCP 47 language of the text. */
  language: string
  /** The source states only its level: recipients should ask their coordinator. */
  isLevelOnly: boolean
  /** Describes the situation rather than what to do. */
  isDescription: boolean
  /** Tells everyone to leave now. */
  isLeaveNow: boolean
}

/** Longer lists are shortened; the full text is behind the link. */
const MAX_INSTRUCTION = 300

/**
 * What an advisory asks its readers to do, most pressing first: changed recommendations, an order to leave now, the
 * standard wording of its level, its recommendations. If there is none, the source's own wording of the level.
 */
export function instructionOf(
  advisory: AdvisedAdvisory,
  { before, reason, language }: { before: AdvisedAdvisory | null; reason: AdvisoryReason; language: Language },
): Instruction | null {
  if (reason === 'withdrawn') return null
  const own = (text: string, isLeaveNow = false): Instruction => ({
    ...{ text, language: advisory.language },
    ...{ isLevelOnly: false, isDescription: false, isLeaveNow },
  })
  const changed = reason === 'instruction_changed' && before ? newLines(before, advisory) : []
  if (changed.length > 0) return own(joined(changed))
  const leave = leaveNowSentence(advisory)
  if (leave) return own(leave, true)
  const hasAdvice = advisory.recommendations.length > 0
  if (hasAdvice && !isInstruction(advisory.original_wording)) return own(joined(advisory.recommendations))
  const isDescription = !isInstruction(advisory.original_wording)
  return { ...levelIn(language, advisory), isLevelOnly: !hasAdvice, isDescription, isLeaveNow: false }
}

/** Recommendations that were not there before. */
function newLines(before: AdvisedAdvisory, after: AdvisedAdvisory): string[] {
  const known = new Set(before.recommendations.map(collapseSpaces))
  return after.recommendations.filter((line) => !known.has(collapseSpaces(line)))
}

function leaveNowSentence(advisory: AdvisedAdvisory): string | undefined {
  const { recommendations, description, detailed_information, affected_countries } = advisory
  // Block by block, since list items often lack a full stop.
  const blocks = textBlocks(detailed_information ?? '').map(({ text }) => text)
  const texts = [...recommendations, description, ...blocks]
  return texts.flatMap(sentences).find(leaveNowTest(affected_countries))
}

function levelIn(language: Language, { original_wording, language: source }: AdvisedAdvisory) {
  const wording = withoutLevel(original_wording)
  if (source.startsWith(language)) return { text: wording, language: source }
  const local = localWording(wording, { language, translate: phrasesIn(language) })
  return local ? { text: local, language } : { text: wording, language: source }
}

/** As many whole lines as fit; always the first. */
function joined(lines: string[]): string {
  const [first = '', ...rest] = lines.map(collapseSpaces)
  return rest.reduce(
    (text, line) => (text.length + line.length < MAX_INSTRUCTION ? `${sentence(text)} ${line}` : text),
    first,
  )
}

const collapseSpaces = (text: string) => text.replace(/\s+/g, ' ').trim()
