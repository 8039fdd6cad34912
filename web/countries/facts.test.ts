import { expect, test } from 'vitest'
import countries from '#shared/countries/countries.json' with { type: 'json' }
import { factsOf } from './facts.ts'

const facts = (code: string, language: 'en' | 'ar' = 'en') =>
  factsOf(countries.find((country) => country.code === code)!, language)

test('names capital, languages and currency, and the clock of the capital', () => {
  expect(facts('MX')).toEqual({
    capital: 'Mexico City',
    languages: ['Spanish'],
    currency: 'Mexican Peso (MXN)',
    clock: { zone: 'America/Mexico_City', place: 'Mexico City' },
  })
})

test('shows no clock if no single time would be right', () => {
  expect(facts('US').clock).toBeNull()
  expect(facts('CH').clock).toEqual({ zone: 'Europe/Zurich', place: 'Bern' })
})

test('translates names known to the platform and leaves the rest', () => {
  const { languages, currency } = facts('MX', 'ar')
  expect(languages).toEqual(['الإسبانية'])
  expect(currency).toMatch(/بيزو.*\(MXN\)/)
})

test('omits unknown facts', () => {
  expect(facts('AQ')).toEqual({ capital: '', languages: [], currency: '', clock: null })
})
