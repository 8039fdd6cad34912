import { getCountryCallingCode, parsePhoneNumber } from 'libphonenumber-js/max'
import { expect, test } from 'vitest'
import type { HotlineCode } from '#shared/assistant/facts.ts'
import { shippedFacts } from './loading.ts'

const shipped = await shippedFacts()
const hotlines = shipped.filter(({ kind }) => kind === 'hotline')
const today = new Date().toISOString().slice(0, 10)

/** Where most Filipinos work abroad. */
const DESTINATIONS = 'SA AE QA KW BH OM SG HK TW KR JP MY IT ES GB US CA AU NZ IL JO LB CY GR DE FR NL NO'.split(' ')

test('each has its page under a secure address, or is a rule of the organisation on a page of the portal', () => {
  const elsewhere = shipped.filter(({ source_url }) => !/^https:\/\/[^/\s]+\.[a-z]{2,}(?:\/\S*)?$/.test(source_url))
  expect(
    elsewhere.filter(({ code, source_url }) => !code.startsWith('pdos') || !/^\/travel-faq#/.test(source_url)),
  ).toEqual([])
})

test('each was checked on a day that has been, and is warned of from a later day on', () => {
  for (const { id, checked_on, valid_until } of shipped) {
    expect(checked_on <= today, id).toBe(true)
    expect(valid_until > checked_on, id).toBe(true)
  }
})

test('a number is a short one, or one of the country it is for', () => {
  const wrong = hotlines.filter(({ country_code, value }) => {
    const phone = String(value.phone)
    if (/^\d{2,6}$/.test(phone)) return country_code === null
    if (/^\+63 2 1\d{3}$/.test(phone)) return country_code !== null
    const { countryCallingCode, isValid } = valid(phone)
    return !isValid || countryCallingCode !== getCountryCallingCode((country_code ?? 'PH') as 'PH')
  })
  expect(wrong.map(({ id }) => id)).toEqual([])
})

test('no number stands twice for the same help in the same country', () => {
  const said = hotlines.map(({ country_code, code, value }) =>
    [country_code, code, String(value.phone).replace(/\D/g, '')].join(' '),
  )
  expect(said.filter((one, at) => said.indexOf(one) !== at)).toEqual([])
})

test('no other fact stands twice', () => {
  const said = shipped
    .filter(({ kind }) => kind !== 'hotline')
    .map(({ kind, country_code, code, purpose }) => [kind, country_code, code, purpose].join(' '))
  expect(said.filter((one, at) => said.indexOf(one) !== at)).toEqual([])
})

test.each<[HotlineCode, string]>([
  ['domestic_violence', 'SA QA BH SG HK TW KR JP MY IT ES GB US AU NZ IL JO LB CY GR DE FR NL NO'],
  ['trafficking', 'OM SG IT GB US CA AU NZ NL'],
  ['suicide_prevention', 'SG HK KR JP MY IT ES GB US CA AU NZ IL JO LB CY GR DE FR NL NO'],
  ['labour_authority', 'AE SG US NL'],
  ['migrant_helpline', 'SG HK TW KR CA NZ'],
])('who offers help of the kind %s is known where a page of theirs was found', (code, countries) => {
  const known = new Set(hotlines.filter((one) => one.code === code).map(({ country_code }) => country_code))
  expect(DESTINATIONS.filter((country) => known.has(country))).toEqual(
    DESTINATIONS.filter((country) => countries.split(' ').includes(country)),
  )
})

test('the certificate of overseas employment is said once, of those who leave the Philippines', () => {
  const everywhere = shipped.filter(({ kind, country_code }) => kind === 'requirement' && country_code === null)
  expect(everywhere.map(({ code, purpose }) => [code, purpose])).toEqual([
    ['pdos', null],
    ['oec', 'work'],
  ])
})

function valid(phone: string) {
  const parsed = parsePhoneNumber(phone)
  return { isValid: parsed.isValid(), countryCallingCode: parsed.countryCallingCode }
}
