import { type PhraseKey, phrasesOf } from '#server/assistant/phrases/phrases.ts'
import type { ChatReply } from '#shared/assistant/chat.ts'
import { DANGERS } from '#shared/assistant/intents.ts'
import type { AssistantLanguage } from '#shared/assistant/languages.ts'
import type { KnownRecords } from './known-records.ts'

/** Phrases that assert nothing: greetings, follow-up questions, offers and list leads. */
const ASSERT_NOTHING: readonly PhraseKey[] = [
  'greeting',
  'thanks',
  'unknown',
  'unknown_more',
  'partly',
  'ask_country',
  'ask_place',
  'unknown_place',
  'did_you_mean',
  'city_taken',
  'refused_defamation',
  'refused_personal',
  'refused_instructions',
  'other_language',
  'hand_over_offer',
  'connect_begin',
  'connect_also',
  'connect_more',
  'status_sign_in',
  'pdos_lead',
  'requirements_lead',
  'requirements_lead_any',
  'requirements_always',
  'requirements_none',
  'churches_none',
  'churches_shown',
  'emergency_lead',
  'emergency_anywhere',
  'emergency_ask_country',
  'emergency_none',
  'help_line_none',
  ...DANGERS.flatMap((danger) => [`danger_title_${danger}`, `danger_message_${danger}`] as const),
]

/** Lines of an answer that assert something without citing a record, and citations of unknown records. */
export function unsupported({ content, metadata }: ChatReply, known: KnownRecords): string[] {
  const numbers = new Set(metadata.citations.map(({ n }) => n))
  const isCited = (text: string) => {
    const marks = [...text.matchAll(/(?<!\\)\[(\d+)\]/g)].map(([, n]) => Number(n))
    return marks.length > 0 && marks.every((n) => numbers.has(n))
  }
  const assertsNothing = (text: string) => patternsOf(metadata.language).some((pattern) => pattern.test(text))
  const unknown = metadata.records.filter((record) => !known.isRecord(record))
  let lead = ''
  const bare: string[] = []
  for (const paragraph of content.split('\n\n')) {
    const items = paragraph.startsWith('- ') ? paragraph.split('\n') : []
    if (items.length === 0) {
      lead = paragraph
      if (!isCited(paragraph) && !assertsNothing(paragraph)) bare.push(paragraph)
    } else bare.push(...items.filter((item) => !isCited(item) && !isCited(lead)))
  }
  return [...bare, ...unknown.map((record) => `there is no ${record}`)]
}

/** Lines that a model has changed, added or left out, compared with the same answer without a model. */
export function altered(without: ChatReply, withModel: ChatReply): string[] {
  const { language } = without.metadata
  const connectors = CONNECTORS.map((key) => phrasesOf(language)[key])
  const lines = ({ content }: ChatReply) =>
    content
      .split(/\n+/)
      .map((line) => line.replace(/ ?(?<!\\)\[\d+\]/g, ''))
      .filter((line) => !connectors.includes(line))
  const [before, after] = [lines(without), lines(withModel)]
  return [
    ...after.filter((line) => !before.includes(line)).map((line) => `added: ${line}`),
    ...before.filter((line) => !after.includes(line)).map((line) => `left out: ${line}`),
    ...(before.length === after.length ? [] : [`${after.length} lines, not ${before.length}`]),
  ]
}

const CONNECTORS = ['connect_begin', 'connect_also', 'connect_more'] as const satisfies readonly PhraseKey[]

const made = new Map<AssistantLanguage, RegExp[]>()

/** Phrases of a language as patterns that accept any value in their placeholders. */
function patternsOf(language: AssistantLanguage): RegExp[] {
  const known = made.get(language)
  if (known) return known
  const patterns = Object.entries(phrasesOf(language))
    .filter(([key]) =>
      ASSERT_NOTHING.some((name) => key === name || new RegExp(`^${name}_(zero|one|two|few|many|other)$`).test(key)),
    )
    .map(
      ([, text]) =>
        new RegExp(
          `^(?:\\*\\*)?${text
            .split(/\{\{\w+\}\}/)
            .map(escaped)
            .join('[^\\n]*')}(?:\\*\\*)?$`,
          'u',
        ),
    )
  made.set(language, patterns)
  return patterns
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
