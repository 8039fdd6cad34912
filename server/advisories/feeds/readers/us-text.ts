import { isShort, type TextBlock } from '../html.ts'
import { firstSentence, sentences, summary } from '../text.ts'

/**
 * Editors of the source leave the first words outside their paragraph: "Exercise increased caution<p>in <b>Mexico</b>
 * …" and the same as two paragraphs.
 */
export function joinOpening(html: string): string {
  return html.replace(
    /(exercise (?:normal precautions?|increased caution)|(?:reconsider|do not) travel)\s*(?:<\/p>\s*)?<p>\s*(?=(?:in|to)\b)/i,
    (_, phrase: string) => `${phrase} `,
  )
}

/** The source's reason for the level, without the note on its edits. */
export function reasonOf(blocks: readonly TextBlock[]): string {
  const end = blocks.findIndex(({ text }) => isAdviceLeadIn(text))
  const all = blocks.slice(0, end < 0 ? undefined : end).map(withoutNote)
  const body = all.slice(Math.max(0, all.findIndex(isOpening)))
  const reasons = body.flatMap(({ kind, text }, i) => {
    if (i === 0 && REASONS_FOLLOW.test(text)) return [[text, ...itemsFrom(body, 1)].join(' ')]
    return kind === 'paragraph' && /[.!?…)]$/.test(text) ? sentences(text.replace(LABEL, '')) : []
  })
  return summary(
    reasons.filter((sentence) => !EDITORIAL.test(sentence) && !/^(please )?read /i.test(sentence)).join('\n'),
  )
}

/** The note on the edit is a paragraph of its own, or the leading bold text of the first. */
function withoutNote(block: TextBlock): TextBlock {
  return EDITORIAL.test(block.lead) ? { ...block, text: block.text.slice(block.lead.length).trim() } : block
}

function isOpening({ text }: TextBlock): boolean {
  return REASONS_FOLLOW.test(text) || (OPENING.test(text) && !text.endsWith(':'))
}

const OPENING = /^(exercise|reconsider|do not)\b.*\b(precautions?|caution|travel)\b/i
const REASONS_FOLLOW = /^do not travel to [^:]* due to:$/i
const LABEL = /^((country|advisory) )?summary\s*:?\s+(?=\p{Lu})/iu
const EDITORIAL =
  /^(last update:? *)?(re-?issued|updated (to|with|due|information)|the advisory (level|summary)|there (was|were) no change|advisory summary was)/i

/**
 * The source's recommendations to travellers: the bullets after "If you decide to travel to …:", and those around STEP.
 */
export function adviceOf(blocks: readonly TextBlock[]): string[] {
  return listsOf(blocks).flatMap(({ leadIn, items }) => {
    // The first bullet may be the lead-in.
    const inside = items.findIndex(isAdviceLeadIn)
    if (inside >= 0) return items.slice(inside + 1)
    return isAdviceLeadIn(leadIn) || items.some((item) => STEP.test(item)) ? items : []
  })
}

function isAdviceLeadIn(text: string): boolean {
  return isShort(text) && ADVICE_FOLLOWS.test(text)
}

const ADVICE_FOLLOWS =
  /\bif\b[^:]{0,40}\byou\b[^:]{0,60}\b(decide|choose|travel|are currently in)\b[^:]{0,80}[:\p{L}]$/iu
// The programme every such list recommends enrolling in; its lead-in is occasionally missing.
const STEP = /^enroll in the .*smart traveler enrollment/i

/** Areas the source lists under "Do not travel to:", "Reconsider travel to:" or "Exercise increased caution in:". */
export function regionsOf(blocks: readonly TextBlock[]): string[] {
  const named = listsOf(blocks).flatMap(({ leadIn, items }) =>
    REGIONS_FOLLOW.test(leadIn) ? items.filter(isShort).map(regionName) : [],
  )
  return [...new Set(named)].filter((region) => region !== '' && region.length <= 200 && !SENTENCE.test(region))
}

function regionName(item: string): string {
  return firstSentence(item)
    .replace(/\s*[,–-]?\s*\b(due to|because of)\b.*$/i, '')
    .replace(/[\s.,;:]+$/, '')
}

const REGIONS_FOLLOW =
  /^((do not|reconsider) travel to|exercise increased caution (in|to|due to [^:.]* in))( (these|the following|the below)\b[^:]*:|:?)$/i
// Such lists also hold remarks: "Visit our website for …", "All personnel must …", "described in detail below".
const SENTENCE = /^visit\b|\b(is|are|was|were|must|should|can|may|has|have|weakens?|limits? how)\b|\bbelow$/i

/**
 * Whether a Level 4 text tells everyone to leave the country now, or says that the Department of State has ordered its
 * staff out. Advice to be ready, to leave one region, or about an order since lifted does not count.
 */
export function saysLeaveNow(blocks: readonly TextBlock[], countryNames: readonly string[]): boolean {
  const statements = blocks.flatMap(({ text }) =>
    sentences(text.replace(/\bU\.\s?S\./g, 'US')).map((it) => it.slice(0, 2_000)),
  )
  if (statements.some(leaveNowTest(countryNames))) return true
  return (
    statements.some((sentence) => ORDERED.test(sentence)) && !statements.some((sentence) => ORDER_ENDED.test(sentence))
  )
}

/** Whether a sentence tells everyone in one of these countries to leave now. */
export function leaveNowTest(countryNames: readonly string[]): (sentence: string) => boolean {
  const patterns = leaveNowPatterns(countryNames)
  return (sentence) => !HYPOTHETICAL.test(sentence) && patterns.some((pattern) => pattern.test(sentence))
}

function leaveNowPatterns(countryNames: readonly string[]): RegExp[] {
  const names = ['the country', ...countryNames].map((name) => name.replace(/[^\p{L}\p{N} ]/gu, '\\$&')).join('|')
  const leaveNow = `(?:leave|depart)(?: from)?(?: (?:${names}))? (?:now|immediately|at once|without delay|as soon as|while commercial)\\b`
  return [
    new RegExp(
      `\\b(?:should|must|(?:urged|advised|encouraged|instructed|told) to|(?:urges|advises) .{0,80} to) ${leaveNow}`,
      'i',
    ),
    new RegExp(`^${leaveNow}`, 'i'),
    new RegExp(`^if you are (?:still |currently |already )?in [^,]{2,60}, (?:please )?${leaveNow}`, 'i'),
  ]
}

const HYPOTHETICAL = /^(if (?!you are (still |currently |already )?in )|in case|in the event|should |when )/i
const ORDERED =
  /\bDepartment(?: of State)?\b.{0,40}\bordered\b.*\b(?:departure|depart|leave)\b|\bordered departure (?:is|remains) in\b/i
const ENDING = '(?:lift(?:s|ed|ing)?|end(?:s|ed|ing)?|terminat\\w+|rescind\\w*|cancel\\w*|revo[kc]\\w+)'
const ORDER_ENDED = new RegExp(`\\b${ENDING}\\b.*\\bordered departure\\b|\\bordered departure\\b.*\\b${ENDING}\\b`, 'i')

/** Each list with the block before it. */
function listsOf(blocks: readonly TextBlock[]): { leadIn: string; items: string[] }[] {
  return blocks.flatMap((block, i) => {
    const isFirst = block.kind === 'item' && blocks[i - 1]?.kind !== 'item'
    return isFirst ? [{ leadIn: blocks[i - 1]?.text ?? '', items: itemsFrom(blocks, i) }] : []
  })
}

function itemsFrom(blocks: readonly TextBlock[], start: number): string[] {
  const end = blocks.findIndex(({ kind }, i) => i >= start && kind !== 'item')
  return blocks.slice(start, end < 0 ? undefined : end).map(({ text }) => text)
}
