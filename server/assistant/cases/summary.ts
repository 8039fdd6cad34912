import type { CaseKind } from '#shared/assistant/cases.ts'
import type { Danger } from '#shared/assistant/intents.ts'
import { ASSISTANT_LANGUAGES, type AssistantLanguage } from '#shared/assistant/languages.ts'

const KINDS: Record<CaseKind, string> = {
  danger: 'Asks that a coordinator is told at once.',
  call_back: 'Asks for a call.',
  hand_over: 'Wants to talk to a person.',
}
const DANGERS: Record<Danger, string> = {
  self_harm: 'thoughts of self-harm',
  violence: 'violence',
  trafficking: 'trafficking or forced work',
  withheld_passport: 'a passport that is kept from them',
}

export interface Told {
  kind: CaseKind
  dangers: readonly Danger[]
  countryName: string | null
  language: AssistantLanguage
  /** What the questions were about, as the portal understood them. */
  intents: readonly string[]
  questions: number
  safePhone: string | undefined
  safeTime: string | undefined
}

/** What a case is about in plain English, from what the portal knows and not from anybody's wording. */
export function summaryOf(told: Told): string {
  const { dangers, intents, countryName, safePhone, safeTime, questions } = told
  const lines = [
    KINDS[told.kind],
    dangers.length > 0 && `Signs of ${dangers.map((danger) => DANGERS[danger]).join(', ')}.`,
    `Country: ${countryName ?? 'not said'}.`,
    `Language: ${ASSISTANT_LANGUAGES[told.language].name}.`,
    questions > 0 &&
      `${questions === 1 ? 'One question' : `${questions} questions`}${
        intents.length > 0 ? `, about ${intents.map((intent) => intent.replaceAll('_', ' ')).join(', ')}` : ''
      }.`,
    safePhone && `Safe number: ${safePhone}${safeTime ? `, ${safeTime}` : ', no time given'}.`,
  ]
  return lines.filter(Boolean).join('\n')
}
