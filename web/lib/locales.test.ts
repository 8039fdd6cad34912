import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const FOLDER = path.resolve(import.meta.dirname, '../../public/locales')
const PLURALS = {
  en: ['one', 'other'],
  ar: ['zero', 'one', 'two', 'few', 'many', 'other'],
  tl: ['one', 'other'],
} as const
const SUFFIX = /_(zero|one|two|few|many|other)$/

/** What travellers read. All other namespaces belong to the administration, which is in English and Arabic only. */
const OF_TRAVELLERS = [
  'accounts',
  'advisories',
  'advisory',
  'assistant',
  'church',
  'churchForms',
  'churches',
  'common',
  'content',
  'countries',
  'dashboard',
  'emergency',
  'forms',
  'localePhrases',
  'maps',
  'notifications',
  'phrases',
  'profile',
  'rollCallAnswer',
  'search',
  'signInChanges',
  'status',
  'subscriptions',
  'unsubscribe',
]

const namespaces = readdirSync(path.join(FOLDER, 'en')).map((file) => file.replace(/\.json$/, ''))
const read = (language: string, namespace: string): Record<string, string> =>
  JSON.parse(readFileSync(path.join(FOLDER, language, `${namespace}.json`), 'utf8'))

test('both languages have the same namespaces', () => {
  expect(readdirSync(path.join(FOLDER, 'ar'))).toEqual(readdirSync(path.join(FOLDER, 'en')))
})

describe.each(namespaces)('namespace %s', (namespace) => {
  const english = read('en', namespace)
  const arabic = read('ar', namespace)
  // "type_other" ends like a plural but is none: a plural has a form for one and a form for the others.
  const counted = new Set([...pluralKeys(english), ...pluralKeys(arabic)])
  const baseOf = (key: string) => (counted.has(key.replace(SUFFIX, '')) ? key.replace(SUFFIX, '') : key)

  test('has the same keys in both languages, in the same order', () => {
    expect(distinct(Object.keys(arabic).map(baseOf))).toEqual(distinct(Object.keys(english).map(baseOf)))
  })

  test('has every plural form that its language requires', () => {
    for (const key of counted) {
      // English may use one form: "9 of 50 advisories".
      if (!(key in english)) for (const form of PLURALS.en) expect(english).toHaveProperty(`${key}_${form}`)
      for (const form of PLURALS.ar) expect(arabic).toHaveProperty(`${key}_${form}`)
    }
  })

  test('has the same placeholders in both languages', () => {
    for (const [key, text] of Object.entries(arabic)) {
      const original = english[key] ?? english[`${baseOf(key)}_other`] ?? english[baseOf(key)] ?? ''
      const expected = placeholders(original)
      // "One country", "two countries": Arabic uses words where English uses the number.
      if (counted.has(baseOf(key)) && /_(zero|one|two)$/.test(key))
        expect(expected, key).toEqual(expect.arrayContaining(placeholders(text)))
      else expect(placeholders(text), key).toEqual(expected)
    }
  })

  test('has no empty text, and digits 0-9 and its own punctuation in Arabic', () => {
    for (const [key, text] of Object.entries(english)) expect(text.trim(), key).not.toBe('')
    for (const [key, text] of Object.entries(arabic)) {
      expect(text.trim(), key).not.toBe('')
      // An isolated example, such as an address or a rule, is written in Latin.
      expect(text.replace(/\u2066[^\u2069]*\u2069/g, ''), key).not.toMatch(/[,;?]|[\u0660-\u0669\u06f0-\u06f9]/)
    }
  })
})

describe.each(OF_TRAVELLERS)('namespace %s in Tagalog', (namespace) => {
  const english = read('en', namespace)
  const counted = pluralKeys(english)

  test('has the same keys as English, in the same order', () => {
    expect(Object.keys(read('tl', namespace))).toEqual(Object.keys(english))
  })

  // `one` is 0, 1, 2, 3, 5, 7, 8, 10 … and `other` ends in 4, 6 or 9 ("4 na lokal"): both need the number, where English
  // may write "1 church".
  test('has both plural forms, each with the placeholders of English', () => {
    const tagalog = read('tl', namespace)
    for (const key of counted) for (const form of PLURALS.tl) expect(tagalog).toHaveProperty(`${key}_${form}`)
    for (const [key, text] of Object.entries(tagalog)) {
      const base = key.replace(SUFFIX, '')
      const original = counted.has(base) ? english[`${base}_other`] : english[key]
      expect(placeholders(text), key).toEqual(placeholders(original ?? ''))
    }
  })

  test('has no empty text, and says kayo throughout', () => {
    for (const [key, text] of Object.entries(read('tl', namespace))) {
      expect(text.trim(), key).not.toBe('')
      expect(text, key).not.toMatch(/\b(?:niyo|ikaw|ka|mo|iyo)\b(?!-)/i)
    }
  })
})

/** Keys with plural forms. */
function pluralKeys(texts: Record<string, string>): Set<string> {
  const bases = Object.keys(texts)
    .filter((key) => key.endsWith('_one'))
    .map((key) => key.replace(SUFFIX, ''))
  return new Set(bases.filter((base) => `${base}_other` in texts))
}

const placeholders = (text: string) => distinct([...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]!)).sort()
const distinct = <T>(list: T[]): T[] => [...new Set(list)]
