import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ASSISTANT_LANGUAGE_CODES, type AssistantLanguage } from '#shared/assistant/languages.ts'

type Phrases = Readonly<Record<string, string>>

const fileOf = (code: AssistantLanguage) => new URL(`./${code}.json`, import.meta.url)
const read = (code: AssistantLanguage) => JSON.parse(readFileSync(fileOf(code), 'utf8')) as Phrases

const english = read('en')
const PLURAL = /_(zero|one|two|few|many|other)$/
/** Only keys that have plural forms in English count: `service_other` is a kind of service. */
const COUNTED = new Set(Object.keys(english).flatMap((key) => (key.endsWith('_one') ? [key.replace(PLURAL, '')] : [])))
const baseOf = (key: string) => (COUNTED.has(key.replace(PLURAL, '')) ? key.replace(PLURAL, '') : key)
const basesOf = (phrases: Phrases) => [...new Set(Object.keys(phrases).map(baseOf))]
const namesIn = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!)
const faults = (phrases: Phrases, isWrong: (text: string, key: string) => boolean) =>
  Object.entries(phrases).flatMap(([key, text]) => (isWrong(text, key) ? [`${key}: ${text}`] : []))

describe.each(ASSISTANT_LANGUAGE_CODES)('the phrases of %s', (code) => {
  const phrases = read(code)
  const rules = new Intl.PluralRules(code)

  test('have the keys of English, in the same order', () => {
    expect(basesOf(phrases)).toEqual(basesOf(english))
  })

  test('have exactly the plural forms of the language', () => {
    const wanted = [...rules.resolvedOptions().pluralCategories].sort()
    for (const base of COUNTED) {
      const forms = Object.keys(phrases).filter((key) => baseOf(key) === base)
      expect([base, ...forms.map((key) => key.slice(base.length + 1)).sort()]).toEqual([base, ...wanted])
    }
  })

  test('contain the number in a plural form that covers several', () => {
    const numbersOf = (category: string) =>
      Array.from({ length: 200 }, (_, i) => i + 1).filter((n) => rules.select(n) === category)
    const silent = faults(phrases, (text, key) => {
      const category = key.match(PLURAL)?.[1]
      return (
        COUNTED.has(baseOf(key)) &&
        baseOf(key) !== key &&
        numbersOf(category!).length > 1 &&
        !text.includes('{{count}}')
      )
    })
    expect(silent).toEqual([])
  })

  test('have the same placeholders as English', () => {
    const valuesOf = (texts: Phrases) => (base: string) =>
      [
        ...new Set(
          Object.keys(texts)
            .filter((key) => baseOf(key) === base)
            .flatMap((key) => namesIn(texts[key]!)),
        ),
      ]
        .filter((name) => name !== 'count' || !COUNTED.has(base))
        .sort()
    expect(basesOf(phrases).map((base) => [base, valuesOf(phrases)(base)])).toEqual(
      basesOf(english).map((base) => [base, valuesOf(english)(base)]),
    )
    expect(faults(phrases, (text) => /[{}]/.test(text.replace(/\{\{\w+\}\}/g, '')))).toEqual([])
  })

  test('have each placeholder in every plural form', () => {
    for (const base of COUNTED) {
      const forms = Object.keys(phrases).filter((key) => baseOf(key) === base)
      const named = forms.map((key) =>
        namesIn(phrases[key]!)
          .filter((name) => name !== 'count')
          .sort(),
      )
      expect([base, ...named]).toEqual([base, ...forms.map(() => named[0])])
    }
  })

  test('are not empty and contain neither tags nor addresses', () => {
    expect(faults(phrases, (text) => text.trim() === '' || text !== text.trim())).toEqual([])
    expect(faults(phrases, (text) => /<|>|&\w+;/.test(text))).toEqual([])
    expect(faults(phrases, (text) => /https?:|www\.|\]\(|@|\b\w+\.(com|org|net|ph|gov)\b/i.test(text))).toEqual([])
    expect(faults(phrases, (text) => /\d/.test(text))).toEqual([])
  })

  test('are bold where English is', () => {
    const bold = (text: string) => [...text.matchAll(/\*\*(.+?)\*\*/g)].map(([, inside]) => inside)
    expect(faults(phrases, (text, key) => bold(text).join() !== bold(english[key] ?? text).join())).toEqual([])
  })
})
