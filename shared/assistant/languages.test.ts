import { expect, test } from 'vitest'
import {
  ASSISTANT_LANGUAGE_CODES,
  ASSISTANT_LANGUAGES,
  assistantLanguageOf,
  directionOfAssistant,
} from './languages.ts'

test('the assistant answers in twelve languages with the specified confidence', () => {
  const confidence = Object.fromEntries(
    ASSISTANT_LANGUAGE_CODES.map((code) => [code, ASSISTANT_LANGUAGES[code].confidence]),
  )
  expect(confidence).toEqual({
    en: 1,
    tl: 1,
    es: 0.95,
    ar: 0.9,
    zh: 0.88,
    fr: 0.92,
    de: 0.9,
    it: 0.89,
    ja: 0.87,
    ko: 0.86,
    pt: 0.91,
    hi: 0.85,
  })
})

test.each(Object.entries(ASSISTANT_LANGUAGES))('%s has names, forms of address and regions', (_, language) => {
  for (const text of [language.name, language.native_name, language.greeting, language.blessing])
    expect(text.trim()).not.toBe('')
  expect(['casual', 'polite', 'formal']).toContain(language.formality)
  expect(language.honorifics.length).toBeGreaterThan(0)
  for (const region of language.regions) expect(region).toMatch(/^[A-Z]{2}$/)
  expect(language.regions.length).toBeGreaterThan(0)
})

test('only Arabic is read from right to left', () => {
  expect(ASSISTANT_LANGUAGE_CODES.filter((code) => directionOfAssistant(code) === 'rtl')).toEqual(['ar'])
})

test('resolves known language tags only', () => {
  expect(['pt-BR', 'ZH_hant', ' en ', 'fil-PH'].map(assistantLanguageOf)).toEqual(['pt', 'zh', 'en', 'tl'])
  expect(['xx', 'eng', '', null, undefined].map(assistantLanguageOf)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
