import { readFileSync } from 'node:fs'
import * as z from 'zod'
import { ANSWER_STATUSES } from '#shared/assistant/answer.ts'
import { DANGERS, INTENTS } from '#shared/assistant/intents.ts'
import { ASSISTANT_LANGUAGE_CODES, type AssistantLanguage } from '#shared/assistant/languages.ts'

const arrayOrSingle = <T extends z.ZodType>(kind: T) =>
  z.union([kind.transform((value) => [value]), z.array(kind)]) as z.ZodType<z.output<T>[]>

/** Expected result of a question. Where several intents, statuses or languages are listed, any of them is correct. */
const Expected = z.strictObject({
  intent: arrayOrSingle(z.enum(INTENTS)).optional(),
  status: arrayOrSingle(z.enum(ANSWER_STATUSES)).nullish(),
  language: arrayOrSingle(z.enum(ASSISTANT_LANGUAGE_CODES)).optional(),
  records: z.array(z.string()).optional().describe('That must be cited'),
  exact: z.boolean().optional().describe('And no others'),
  without: z.array(z.string()).optional().describe('Beginnings of records that must not be cited'),
  expired: z.array(z.string()).optional().describe('Told as last confirmed too long ago'),
  says: z.array(z.string()).optional(),
  action: z.string().optional().describe('A page that is offered'),
  dangers: z.array(z.enum(DANGERS)).optional().describe('Empty: none; otherwise at least one of them'),
  country: z.string().nullish().describe('Whose numbers lead; null: it is asked for'),
})
export type Expected = z.output<typeof Expected>

const Written = z.strictObject({
  id: z.string(),
  before: z.array(z.string()).default([]).describe('What the same person asked before'),
  question: z.string(),
  expected: Expected.optional().describe('Absent: that of the id in expected.json'),
})

export interface EvaluatedQuestion {
  id: string
  /** Language of the file that contains the question. */
  language: AssistantLanguage
  before: string[]
  question: string
  expected: Expected
  /** Asked in every language. */
  isShared: boolean
  /** Held out: written for measuring only, before any fix was based on it. */
  isFresh: boolean
}

const SHARED = z.record(z.string(), Expected).parse(readJson('./expected.json'))

/** Question sets that were written and measured once before any fix was based on them. */
const FRESH_SETS = ['third', 'fourth', 'fifth', 'sixth']

export const questions = (): EvaluatedQuestion[] => ASSISTANT_LANGUAGE_CODES.flatMap(questionsIn)

function questionsIn(language: AssistantLanguage): EvaluatedQuestion[] {
  const first = z.array(Written).parse(readJson(`./questions/${language}.json`))
  for (const id of Object.keys(SHARED))
    if (!first.some((question) => question.id === id)) throw new Error(`${language} does not ask ${id}`)
  const fresh = FRESH_SETS.flatMap((set) => z.array(Written).parse(readJson(`./questions/${set}/${language}.json`)))
  const written = [...first, ...fresh]
  return written.map(({ expected: own, ...question }) => {
    const expected = own ?? SHARED[question.id]
    if (!expected) throw new Error(`Nobody says what has to come of ${question.id}`)
    return {
      ...question,
      language,
      expected,
      isShared: own === undefined,
      isFresh: fresh.some(({ id }) => id === question.id),
    }
  })
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'))
}
