import { getCountryCallingCode, parsePhoneNumber } from 'libphonenumber-js/max'
import { expect, test } from 'vitest'
import type { HotlineCode } from '#shared/assistant/facts.ts'
import { GENERAL_NUMBER } from '#shared/emergency/address.ts'
import { shippedFacts } from './loader.ts'
import { isOfficial } from './official-hosts.ts'

const shipped = await shippedFacts()
const hotlines = shipped.filter(({ kind }) => kind === 'hotline')
const today = new Date().toISOString().slice(0, 10)

/** Countries where most Filipinos abroad work. */
const DESTINATIONS = 'SA AE QA KW BH OM SG HK TW KR JP MY IT ES GB US CA AU NZ IL JO LB CY GR DE FR NL NO'.split(' ')

test('each cites an https page, or a portal page for a rule of the organisation', () => {
  const elsewhere = shipped.filter(({ source_url }) => !/^https:\/\/[^/\s]+\.[a-z]{2,}(?:\/\S*)?$/.test(source_url))
  expect(
    elsewhere.filter(({ code, source_url }) => !code.startsWith('pdos') || !/^\/travel-faq#/.test(source_url)),
  ).toEqual([])
})

test('each cites an official page: a government, or the operator of the hotline', () => {
  expect(shipped.filter(({ source_url }) => !isOfficial(source_url)).map(({ id }) => id)).toEqual([])
})

test('a newspaper, a shop or a blog is not official, whatever its address looks like', () => {
  const official = [
    'https://www.gov.uk/foreign-travel-advice/japan',
    'https://www.smartraveller.gov.au/destinations/asia/china',
    'https://ovc.ojp.gov/news',
    'https://travel.gc.ca/destinations/spain',
    '/travel-faq#what-is-pdos',
  ]
  expect(official.filter((address) => !isOfficial(address))).toEqual([])
  const others = [
    'https://gulfnews.com/x',
    'https://en.wikipedia.org/wiki/112',
    'https://source.android.com/docs',
    'https://gov.uk.example.com/x',
    'https://mygov.uk/x',
    'https://respicio.ph/oec',
    'https://example.gov.evil.com/x',
    'not an address',
  ]
  expect(others.filter(isOfficial)).toEqual([])
})

test('almost none is expired, and those few are official', () => {
  const past = shipped.filter(({ valid_until }) => valid_until < '2026-11-22').map(({ id }) => id)
  expect(past).toEqual([
    'requirement.oec.work',
    'hotline.anywhere.trafficking',
    'hotline.FR.suicide_prevention',
    'hotline.GB.suicide_prevention',
    'hotline.IT.domestic_violence',
    'hotline.PH.trafficking',
    'hotline.US.domestic_violence',
    'hotline.MM.police',
    'hotline.MM.ambulance',
    'hotline.MM.fire',
    'hotline.UY.police',
    'hotline.LB.embassy',
    'hotline.LB.labour_attache',
  ])
})

test('the main destination countries still have an emergency number', () => {
  const has = new Set(
    hotlines
      .filter(({ code }) => ['emergency', 'police', 'ambulance'].includes(code))
      .map(({ country_code }) => country_code),
  )
  expect(
    [...DESTINATIONS, 'PH', 'CN', 'MO', 'BN', 'TH', 'VN', 'ID', 'IN'].filter((country) => !has.has(country)),
  ).toEqual([])
})

test('each was checked on a past date and expires later', () => {
  for (const { id, checked_on, valid_until } of shipped) {
    expect(checked_on <= today, id).toBe(true)
    expect(valid_until > checked_on, id).toBe(true)
  }
})

test('a number is a short code, or belongs to the country it is for', () => {
  const wrong = hotlines.filter(({ country_code, value }) => {
    const phone = String(value.phone)
    if (/^\d{2,6}$/.test(phone)) return country_code === null && phone !== GENERAL_NUMBER
    if (/^\+63 2 1\d{3}$/.test(phone)) return country_code !== null
    const { countryCallingCode, isValid } = valid(phone)
    return !isValid || countryCallingCode !== getCountryCallingCode((country_code ?? 'PH') as 'PH')
  })
  expect(wrong.map(({ id }) => id)).toEqual([])
})

test('no number appears twice for the same help in the same country', () => {
  const keys = hotlines.map(({ country_code, code, value }) =>
    [country_code, code, String(value.phone).replace(/\D/g, '')].join(' '),
  )
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([])
})

test('no other fact appears twice', () => {
  const keys = shipped
    .filter(({ kind }) => kind !== 'hotline')
    .map(({ kind, country_code, code, purpose }) => [kind, country_code, code, purpose].join(' '))
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([])
})

test.each<[HotlineCode, string]>([
  ['domestic_violence', 'SG HK KR MY IT US AU NZ IL LB DE FR NL'],
  ['suicide_prevention', 'SG HK JP MY IT ES GB US CA NZ IL CY GR DE FR NL NO'],
  ['migrant_helpline', 'KR'],
])('a hotline of kind %s is known for the countries where its page was found', (code, countries) => {
  const known = new Set(hotlines.filter((hotline) => hotline.code === code).map(({ country_code }) => country_code))
  expect(DESTINATIONS.filter((country) => known.has(country))).toEqual(
    DESTINATIONS.filter((country) => countries.split(' ').includes(country)),
  )
})

test('the certificate of overseas employment appears once, for those leaving the Philippines', () => {
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
