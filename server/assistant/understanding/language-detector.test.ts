import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ASSISTANT_LANGUAGE_CODES, type AssistantLanguage } from '#shared/assistant/languages.ts'
import { isLocalized } from './detection.ts'
import { detectLanguage } from './language-detector.ts'
import { read } from './tokenizer.ts'

interface Row {
  lang: string
  kind: string
  text: string
}
const rowsOf = (url: URL) =>
  readFileSync(url, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)
const detect = (text: string, interfaceLanguage?: AssistantLanguage) =>
  detectLanguage(text, read(text), { interfaceLanguage })

const EXTRACT = rowsOf(new URL('../../../fixtures/text/languages.jsonl', import.meta.url))
const rateOf = (rows: readonly Row[]) =>
  rows.filter(({ lang, text }) => detect(text).language === lang).length / rows.length

describe('the language of a text', () => {
  test.each(ASSISTANT_LANGUAGE_CODES)('sentences in %s are detected', (code) => {
    const rows = EXTRACT.filter(({ lang, kind }) => lang === code && ['sentences', 'declaration'].includes(kind))
    expect(rows.length).toBeGreaterThan(12)
    expect(rateOf(rows)).toBeGreaterThanOrEqual(0.9)
  })

  test('two words are mostly detected, and nearly always with that interface language', () => {
    const rows = EXTRACT.filter(({ kind }) => kind === 'word-pairs')
    expect(rateOf(rows)).toBeGreaterThan(0.75)
    const helped = rows.filter(({ lang, text }) => detect(text, lang as AssistantLanguage).language === lang)
    expect(helped.length / rows.length).toBeGreaterThan(0.9)
  })

  test('text in an unsupported language is hardly ever answered in one of the twelve', () => {
    const rows = EXTRACT.filter(({ kind }) => kind === 'outside-the-12')
    const taken = rows.filter(({ text }) => {
      const { language, confidence } = detect(text)
      return isLocalized(language, confidence)
    })
    expect(taken.length / rows.length).toBeLessThan(0.2)
    expect(taken.filter(({ lang }) => ['fa', 'ur', 'ru', 'th'].includes(lang))).toEqual([])
  })

  test.each([
    ['Saan po ang church sa Riyadh?', 'tl'],
    ['Pwede ba mag-register for PDOS?', 'tl'],
    ['Anong oras po ang prayer meeting?', 'tl'],
    ['Is it safe in Manila?', 'en'],
    ['Où est l’église à Dubaï ?', 'fr'],
    ['¿Dónde está la iglesia en Madrid?', 'es'],
    ['Onde fica a igreja em Lisboa?', 'pt'],
    ['Dov’è la chiesa a Roma?', 'it'],
    ['Wo ist die Kirche in Berlin?', 'de'],
    ['PDOSのレジストレーションはどこですか', 'ja'],
    ['東京の教会', 'ja'],
    ['迪拜的教会在哪里？', 'zh'],
    ['日本大使館電話番号', 'ja'],
    ['Dubai에 교회가 있나요?', 'ko'],
    ['دبي أين الكنيسة PDOS', 'ar'],
    ['दुबई में चर्च कहाँ है?', 'hi'],
  ])('%j is %s with certainty', (text, language) => {
    const detected = detect(text)
    expect(detected.language).toBe(language)
    expect(detected.confidence).toBeGreaterThan(0.7)
  })

  test.each(['', '😀😀😀', '12345', '???', 'Где церковь?', 'โบสถ์อยู่ที่ไหน', 'xkcd qzx'])(
    '%j defaults to English',
    (text) => {
      const { language, confidence } = detect(text)
      expect(language).toBe('en')
      expect(isLocalized(language, confidence)).toBe(false)
    },
  )

  test('Persian and Urdu are not mistaken for Arabic', () => {
    for (const text of ['کلیسا در ریاض کجاست؟', 'چگونه می توانم ویزا بگیرم', 'ریاض میں چرچ کہاں ہے؟']) {
      expect([text, detect(text).confidence < 0.1]).toEqual([text, true])
    }
  })
})

test('above 0.7, the answer is in the detected language other than English', () => {
  expect(isLocalized('tl', 0.7)).toBe(false)
  expect(isLocalized('tl', 0.71)).toBe(true)
  expect(isLocalized('en', 1)).toBe(false)
})

// The full data sets are stored outside the repository.
const TEXTS = new URL('../../../../shared/data/text/', import.meta.url)

describe.skipIf(!existsSync(TEXTS))('the full data sets', () => {
  test('98 of 100 sentences are detected in every language', () => {
    const rows = rowsOf(new URL('language-detection-sample.jsonl', TEXTS)).filter(({ kind }) => kind === 'sentences')
    for (const code of ASSISTANT_LANGUAGE_CODES) {
      expect([code, rateOf(rows.filter(({ lang }) => lang === code)) >= 0.96]).toEqual([code, true])
    }
    expect(rateOf(rows)).toBeGreaterThan(0.98)
  })
})
