import { readdirSync } from 'node:fs'
import path from 'node:path'
import * as z from 'zod'
import type { App } from '#server/app.ts'
import { DANGERS } from '#shared/assistant/intents.ts'
import { ASSISTANT_LANGUAGE_CODES, type AssistantLanguage } from '#shared/assistant/languages.ts'
import { askAll, type RunResult } from '../runner.ts'
import { readTsv } from './training.ts'

const OTHER_KINDS = ['harmless', 'services', 'unknown_country', 'same_city'] as const

const UnseenColumns = z.object({
  kind: z.enum([...DANGERS, ...OTHER_KINDS]),
  style: z.string(),
  country: z.string().regex(/^([A-Z]{2}|-)$/),
  text: z.string().min(1),
})
type UnseenQuestion = z.infer<typeof UnseenColumns> & { language: AssistantLanguage }

interface UnseenResult {
  question: UnseenQuestion
  came: RunResult
}

/** Characters of an answer that a reader sees at first glance. */
const FIRST_SIGHT = 200
const FOLDER = new URL('./unseen/', import.meta.url)

/** Held-out questions: not used to build the word lists, the rules or the model. */
export function readUnseen(): UnseenQuestion[] {
  return readdirSync(FOLDER)
    .sort()
    .flatMap((file) => {
      const language = ASSISTANT_LANGUAGE_CODES.find((code) => code === path.basename(file, '.tsv'))
      if (!language) throw new Error(`${file} is in no language of the assistant`)
      return readTsv(new URL(file, FOLDER), UnseenColumns).map((row) => ({ ...row, language }))
    })
}

/** Asks all held-out questions without a model. Returns the results as Markdown, listing each miss. */
export async function reportUnseen(app: App): Promise<string> {
  const questions = readUnseen()
  const came = await askAll(
    app,
    questions.map(({ language, text }, at) => ({
      id: `unseen.${at}`,
      language,
      before: [],
      question: text,
      expected: {},
      isShared: false,
      isFresh: true,
    })),
    { atOnce: 1, streams: false },
  )
  const all = questions.map((question, at): UnseenResult => ({ question, came: came[at]! }))
  const inDanger = all.filter(({ question: { kind } }) => !(OTHER_KINDS as readonly string[]).includes(kind))
  const harmless = all.filter(({ question: { kind } }) => kind === 'harmless')
  return [
    '## Danger, in words that nothing was made by',
    table(inDanger),
    alarms(harmless),
    `Panels with numbers of a wrong country: ${inDanger.filter(hasWrongCountry).length}; the country not found: ${inDanger.filter(lacksCountry).length} of ${inDanger.filter(({ question: { country } }) => country !== '-').length} that name one.`,
    services(all.filter(({ question: { kind } }) => kind === 'services')),
    '### Not heard',
    list(inDanger.filter((result) => !isHeard(result))),
    '### With numbers of a wrong country',
    list(inDanger.filter(hasWrongCountry)),
    '### Alarmed for nothing',
    list(harmless.filter(({ came }) => came.reply.metadata.danger !== null)),
  ].join('\n\n')
}

/** A phone number leads the answer: in the danger panel, in the help line, or as the answer itself. */
const isHeard = (result: UnseenResult) => phonesOf(result).length > 0 && hasNumberAtFirstSight(result)

function phonesOf({ came: { reply } }: UnseenResult): string[] {
  const { danger, help_line, intent_analysis, quickActions } = reply.metadata
  const calls = quickActions.filter(({ action }) => action === 'call').map(({ value }) => value)
  const own = intent_analysis?.intent === 'emergency_support' ? calls : []
  return [...(danger?.hotlines ?? []), ...(help_line?.hotline ? [help_line.hotline] : [])]
    .map(({ phone }) => phone)
    .concat(own)
}

function hasNumberAtFirstSight(result: UnseenResult): boolean {
  const seen = digitsOf(result.came.reply.content.slice(0, FIRST_SIGHT))
  return phonesOf(result).some((phone) => seen.includes(digitsOf(phone)))
}

const digitsOf = (text: string) => text.replace(/[^\d]/g, '')

const countryOf = ({ came: { reply } }: UnseenResult) =>
  reply.metadata.danger?.country ?? reply.metadata.help_line?.country
const lacksCountry = (result: UnseenResult) => result.question.country !== '-' && !countryOf(result)
const hasWrongCountry = (result: UnseenResult) => {
  const country = countryOf(result)
  return country != null && result.question.country !== '-' && country !== result.question.country
}

function table(all: readonly UnseenResult[]): string {
  const share = (of: readonly UnseenResult[]) => `${of.filter(isHeard).length} of ${of.length}`
  const cell = (kind: string, language: string) => {
    const of = all.filter(({ question }) => question.kind === kind && question.language === language)
    return String(of.filter(isHeard).length)
  }
  const styles = ['plain', 'indirect', 'text']
  return [
    `Heard, with a number at first sight: **${share(all)}** (${styles
      .map((style) => `${style} ${share(all.filter(({ question }) => question.style === style))}`)
      .join(', ')}). Of each kind and language 15 were asked:`,
    [
      `| | ${ASSISTANT_LANGUAGE_CODES.join(' | ')} | all |`,
      `|---|${'--:|'.repeat(ASSISTANT_LANGUAGE_CODES.length + 1)}`,
      ...DANGERS.map(
        (kind) =>
          `| ${kind} | ${ASSISTANT_LANGUAGE_CODES.map((language) => cell(kind, language)).join(' | ')} | ${share(
            all.filter(({ question }) => question.kind === kind),
          )} |`,
      ),
    ].join('\n'),
  ].join('\n\n')
}

function alarms(all: readonly UnseenResult[]): string {
  const line = (style: string) => {
    const of = all.filter(({ question }) => question.style === style)
    const panels = of.filter(({ came }) => came.reply.metadata.danger !== null).length
    const lines = of.filter(({ came }) => came.reply.metadata.help_line !== null).length
    return `${style} ${panels} panels and ${lines} calm lines of ${of.length}`
  }
  return `Harmless: ${['lookalike', 'everyday'].map(line).join('; ')}.`
}

function services(all: readonly UnseenResult[]): string {
  const withChurch = all.filter(({ came }) =>
    came.reply.metadata.records.some((record) => record.startsWith('locale:')),
  )
  const understood = all.filter(({ came }) => came.reply.metadata.intent_analysis?.intent === 'emergency_support')
  return `Asked for the police, an ambulance, the fire brigade or a mission: ${understood.length} of ${all.length} answered about that, ${withChurch.length} with churches.`
}

function list(all: readonly UnseenResult[]): string {
  if (all.length === 0) return 'Nothing.'
  return all
    .map(
      ({ question: { language, kind, country, text }, came }) =>
        `- ${language} ${kind}${country === '-' ? '' : ` ${country}`} “${text}”${came.reply.metadata.danger ? `: ${came.reply.metadata.danger.dangers.join(', ')} ${came.reply.metadata.danger.country ?? ''}` : ''}`,
    )
    .join('\n')
}
