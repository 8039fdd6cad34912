import { detectLanguage } from '#server/assistant/understanding/language-detector.ts'
import { read } from '#server/assistant/understanding/tokenizer.ts'
import type { AssistantLanguage } from '#shared/assistant/languages.ts'

const SCRIPTS: Partial<Record<AssistantLanguage, RegExp>> = {
  ar: /\p{sc=Arabic}/gu,
  hi: /\p{sc=Devanagari}/gu,
  ja: /[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]/gu,
  ko: /\p{sc=Hangul}/gu,
  zh: /\p{sc=Han}/gu,
}
const LEAST_SHARE = 0.6
/** Minimum number of letters for detecting a language. */
const LEAST_LETTERS = 25
/** Below this number of letters, a detected language is likely but not certain. */
const FEW_LETTERS = 60
const LEAST_LIKELY = 0.1

/** Whether a text is in a language, judged by the share of its script and by the portal's detector. */
export function isIn(language: AssistantLanguage, content: string): boolean {
  // Quotations keep their own language and are labelled with it.
  const text = content
    .replace(/“[^”]*”|„[^“]*“|「[^」]*」|『[^』]*』|«[^»]*»/g, ' ')
    .replace(/\b(?:PDOS|OEC|MFA)\b/g, ' ')
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  if (letters < LEAST_LETTERS) return true
  const script = SCRIPTS[language]
  if (script && (text.match(script)?.length ?? 0) / letters < LEAST_SHARE) return false
  const { language: detected, shares } = detectLanguage(text, read(text))
  if (letters < FEW_LETTERS && shares.some((entry) => entry.language === language && entry.share >= LEAST_LIKELY))
    return true
  // A list of days and places contains hardly any kana.
  const isTerseJapanese = language === 'ja' && detected === 'zh' && /\p{sc=Hiragana}/u.test(text)
  return detected === language || isTerseJapanese
}
