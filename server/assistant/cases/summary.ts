import type { CaseChannel, CaseKind } from '#shared/assistant/cases.ts'
import type { Danger, Intent } from '#shared/assistant/intents.ts'
import { ASSISTANT_LANGUAGES, type AssistantLanguage } from '#shared/assistant/languages.ts'
import type { AdminLanguage } from '#shared/language.ts'
import caseTexts from './case-texts.json' with { type: 'json' }
import { fill } from './template.ts'

export interface CaseDetails {
  kind: CaseKind
  dangers: readonly Danger[]
  country: string | null
  language: AssistantLanguage
  /** Intents of the questions, as detected by the portal. */
  intents: readonly Intent[]
  questions: number
  safePhone: string | undefined
  safeTime: string | undefined
  channel?: CaseChannel
}

/** Summary of a case in the reader's language, built from the portal's own data rather than from user text. */
export function summaryOf(details: CaseDetails, reader: AdminLanguage): string {
  const { kind, dangers, country, language, intents, questions, safePhone, safeTime } = details
  const texts = caseTexts[reader].summary
  const join = (names: readonly (Danger | Intent)[]) =>
    names.map((name) => texts[name]).join(reader === 'ar' ? '، ' : ', ')
  const count = fill(texts[`count_${new Intl.PluralRules(reader).select(questions)}`], { n: String(questions) })
  const isText = details.channel !== undefined && details.channel !== 'portal'
  const lines = [
    isText ? texts[details.channel as 'sms' | 'whatsapp'] : texts[kind],
    dangers.length > 0 && fill(texts.signs, { signs: join(dangers) }),
    fill(texts.country, { country: country ? nameOf(reader, 'region', country) : texts.not_said }),
    fill(texts.language, {
      language: reader === 'en' ? ASSISTANT_LANGUAGES[language].name : nameOf(reader, 'language', language),
    }),
    questions > 0 &&
      fill(intents.length > 0 ? texts.questions_about : texts.questions, { count, intents: join(intents) }),
    safePhone && isText && fill(texts.from, { phone: safePhone }),
    safePhone && !isText && fill(texts.number, { phone: safePhone, time: safeTime ?? texts.no_time }),
  ]
  return lines.filter(Boolean).join('\n')
}

const nameOf = (reader: AdminLanguage, type: 'region' | 'language', code: string): string =>
  new Intl.DisplayNames(reader, { type, fallback: 'code' }).of(code) ?? code
