import { describe, expect, test } from 'vitest'
import { createCountries } from '#server/countries/reference.ts'
import { understand } from '#server/testing/understanding.ts'
import { LEXICONS } from '../lexicon/lexicon.ts'
import { createUnderstanding } from './interpreter.ts'

const placeIn = (question: string) => {
  const { analysis, unknownPlace } = understand(question)
  const { city, country, destination } = analysis.entities
  return { place: city ?? country ?? destination, name: unknownPlace?.name ?? null, meant: unknownPlace?.meant ?? [] }
}

test.each([
  ['Is it safe in Zubrowka?', 'Zubrowka'],
  ['is it safe in zubrowka', 'zubrowka'],
  ['Is Wakanda safe?', 'Wakanda'],
  ['Travel advisory for Wakanda', 'Wakanda'],
  ['visa for Genovia', 'Genovia'],
  ['police number in Wakanda', 'Wakanda'],
  ['Is it safe in Nikonia', 'Nikonia'],
  ['Is Nutella safe', 'Nutella'],
  ['Is it safe in New Freedonia?', 'Freedonia'],
  ['Safe ba sa Zubrowka?', 'Zubrowka'],
  ['¿Es seguro viajar a Zubrowka?', 'Zubrowka'],
  ['Est-il sûr de voyager en Syldavie ?', 'Syldavie'],
  ['È sicuro viaggiare in Freedonia?', 'Freedonia'],
  ['É seguro viajar para a Ruritânia?', 'Ruritânia'],
  ['Ist es in Ruritanien sicher?', 'Ruritanien'],
  ['هل السفر إلى زوبروفكا آمن؟', 'زوبروفكا'],
  ['क्या ज़ुब्रोव्का की यात्रा सुरक्षित है?', 'ज़ुब्रोव्का'],
  ['ズブロフカは安全ですか', 'ズブロフカ'],
  ['祖布罗夫卡安全吗', '祖布罗夫卡'],
  ['주브로브카는 안전한가요?', '주브로브카'],
])('%j names an unknown place', (question, name) => {
  const { place, name: found } = placeIn(question)
  expect(place).toBeNull()
  expect(found).toContain(name)
})

test.each([
  ['Is it safe in Kuwiat?', 'KW'],
  ['church in Singapor', 'SG'],
  ['is it saef in japn', 'JP'],
  ['Are there advisories in Guinea Bisau', 'GW'],
  ['New Zeland safe?', 'NZ'],
  ['South Koria advisories', 'KR'],
  ['from Qatar to Kuwiat, which visa?', 'KW'],
  ['Is it safe in Samsung', 'TR'],
])('a misspelt name in %j is asked about, and not assumed', (question, country) => {
  const { meant } = placeIn(question)
  expect(meant.map((place) => place.country)).toContain(country)
  const { entities } = understand(question).analysis
  expect([entities.country, entities.destination]).not.toContain(country)
})

test.each([
  ['Is it safe in Deutschland', 'DE'],
  ['Safe ba sa Tsina?', 'CN'],
  ['هل الكويت آمنة؟', 'KW'],
  ['科威特安全吗', 'KW'],
  ['クウェートは安全ですか', 'KW'],
  ['Is Saudi Arabai safe', 'SA'],
])('the name in %j is correct in another language, or by the other words', (question, country) => {
  expect(placeIn(question)).toEqual({ place: country, name: null, meant: [] })
})

test.each([
  'Is it safe?',
  'What advisories are there?',
  'Is it safe to travel now?',
  'Is it safe to fly with a baby?',
  'Is it safe in winter?',
  'Ligtas ba ngayon?',
  'Any travel warnings today?',
  'I am Zenaida, is it safe to travel?',
  'wie verlängere ich meine OWWA Mitgliedschaft',
  'does POEA charge for the exit clearance',
  'OWWA会员怎么续费',
])('%j names no place', (question) => {
  expect(placeIn(question)).toEqual({ place: null, name: null, meant: [] })
})

test('an unknown place is not replaced by that of the previous question', () => {
  const { entities } = understand('Is it safe in Japan?').analysis
  const next = (question: string) =>
    understand(question, { previous: entities, previousIntent: 'travel_inquiry' }).analysis.entities.country
  expect(next('and the visa?')).toBe('JP')
  expect(next('And in Zubrowka?')).toBeNull()
  expect(next('And Kuwiat?')).toBeNull()
})

describe('a city in several countries', () => {
  const TOWNS = Array.from({ length: 2_000 }, (_, i) => ({ name: `Town ${i}`, country: 'US' }))
  const NAMESAKES = ['Manila', 'Tokyo', 'London', 'Paris', 'Rome', 'Cebu City'].map((name) => ({
    name,
    country: 'US',
  }))
  const withChurches = createUnderstanding({
    lexicons: LEXICONS,
    countries: createCountries().all(),
    cities: [...NAMESAKES, ...TOWNS],
  })
  const about = (question: string) => {
    const { analysis, otherCountries } = withChurches(question, { now: new Date('2026-11-21T09:00:00Z') })
    return [analysis.entities.country ?? analysis.entities.destination, ...otherCountries]
  }

  test.each([
    ['Manila', 'PH'],
    ['Tokyo', 'JP'],
    ['London', 'GB'],
    ['Paris', 'FR'],
    ['Rome', 'IT'],
    ['Cebu City', 'PH'],
  ])('is the largest: %s is in %s wherever there are churches, and the others are offered', (city, country) => {
    for (const question of [`church in ${city}`, `Is it safe in ${city}?`, `I go to ${city}`]) {
      const [taken, ...others] = about(question)
      expect([question, taken]).toEqual([question, country])
      expect(others).toContain('US')
    }
  })

  test('is the one whose country is named, and then no other is offered', () => {
    expect(about('church in Manila, USA')).toEqual(['US'])
    expect(about('church in London, Canada')).toEqual(['CA'])
    expect(about('church in Town 7')).toEqual(['US'])
  })
})
