import { describe, expect, test } from 'vitest'
import { localTitle } from './phrases.ts'

const arabic = {
  language: 'ar' as const,
  countries: ['النيجر'],
  translate: (key: string, p?: { phrase: string }) => (p ? `[${p.phrase}+]` : key),
}
const english = { ...arabic, language: 'en' as const, countries: ['Sudan'] }

describe('title in the reader’s language', () => {
  test.each([
    ['Niger: Do Not Travel', 'النيجر: phrase_do_not_travel'],
    ['Niger: Exercise a high degree of caution (with regional advisories)', 'النيجر: [phrase_high_caution+]'],
    [
      'Niger: FCDO advises against all travel to parts of the country, and all but essential travel to other parts',
      'النيجر: phrase_against_all_parts؛ phrase_against_non_essential_other_parts',
    ],
    ['Niger: No FCDO warning against travel', 'النيجر: phrase_no_warning'],
  ])('%s', (title, expected) => {
    expect(localTitle({ title, language: 'en' }, arabic)).toEqual({ title: expected, title_language: 'ar' })
  })

  test('joins several phrases with the punctuation of the language', () => {
    const title =
      'Niger: FCDO advises against all travel to parts of the country, and all but essential travel to other parts'
    const reader = { ...arabic, language: 'tl' as const, countries: ['Niger'] }
    expect(localTitle({ title, language: 'en' }, reader).title).toBe(
      'Niger: phrase_against_all_parts; phrase_against_non_essential_other_parts',
    )
  })

  test('translates German phrases into English', () => {
    expect(localTitle({ title: 'Sudan: Reisewarnung', language: 'de' }, english).title).toBe(
      'Sudan: phrase_travel_warning',
    )
  })

  test.each(['Tropical Cyclone POLO-26', 'Niger: Some words of its own', 'Niger: constructor', 'Niger'])(
    'leaves %s unchanged',
    (title) => {
      expect(localTitle({ title, language: 'en' }, arabic)).toEqual({ title, title_language: 'en' })
    },
  )

  test('leaves titles in the reader’s language, without a country or with a long list unchanged', () => {
    const title = 'Niger: Do Not Travel'
    expect(localTitle({ title, language: 'en-GB' }, english).title).toBe(title)
    expect(localTitle({ title, language: 'en' }, { ...arabic, countries: [] }).title).toBe(title)
    expect(localTitle({ title, language: 'en' }, { ...arabic, countries: ['1', '2', '3', '4'] }).title).toBe(title)
  })
})
