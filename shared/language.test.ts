import { describe, expect, test } from 'vitest'
import { detectLanguage, directionOf, languageOf } from './language.ts'

describe('language of the interface (I18N-03)', () => {
  test.each([
    ['the query parameter comes first', { query: 'ar', cookie: 'en', browser: 'en' }, 'ar'],
    ['then the cookie', { cookie: 'ar', browser: 'en-US,en;q=0.9' }, 'ar'],
    ['then the browser', { browser: 'fr-FR, ar-SA;q=0.8, en;q=0.5' }, 'ar'],
    ['a device set to Filipino gets Tagalog', { browser: 'fil-PH, fil;q=0.9, en-US;q=0.8' }, 'tl'],
    ['a language refused by the browser does not count', { browser: 'ar;q=0, en;q=0.1' }, 'en'],
    ['without any hint it is English', {}, 'en'],
    ['an unknown language is passed over', { query: 'xx', cookie: '', browser: 'de, ar;q=0.2' }, 'ar'],
    ['hostile values are passed over', { query: '<script>', cookie: 'ar\n', browser: ';q=,;;ar;q=1e999' }, 'ar'],
  ] as const)('%s', (_, hints, language) => {
    expect(detectLanguage(hints)).toBe(language)
  })
})

test('a tag with a region or another case is the same language', () => {
  expect(['ar-EG', 'AR_sa', ' en-GB ', 'arz', '', null].map(languageOf)).toEqual([
    'ar',
    'ar',
    'en',
    undefined,
    undefined,
    undefined,
  ])
})

test('Tagalog is tl inside and fil on devices', () => {
  expect(['tl', 'TL-ph', 'fil', 'fil-PH', 'FIL_PH', 'fi-FI', 'filo'].map(languageOf)).toEqual([
    ...['tl', 'tl', 'tl', 'tl', 'tl'],
    ...[undefined, undefined],
  ])
})

test('text runs from right to left if the language starts with ar', () => {
  expect(['ar', 'ar-EG', 'en', 'fil'].map(directionOf)).toEqual(['rtl', 'rtl', 'ltr', 'ltr'])
})
