import { expect, test } from 'vitest'
import { createCountries } from '#server/countries/reference.ts'
import { inBackground } from '#server/db/claims.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { answerTo, RATES_OF_TESTS } from '../testing.ts'
import { loadFacts, shippedFacts } from './loader.ts'

const database = await testDatabase()
await inBackground(database, 'test', async (db) => loadFacts(db, await shippedFacts()))
const app = await testApp(database, { assistant: { rates: RATES_OF_TESTS } })
const { find } = createCountries()
const arabic = new Intl.DisplayNames('ar', { type: 'region' })

async function ask(message: string) {
  const { content, metadata } = await answerTo(app, message)
  const hotlines = metadata.danger?.hotlines ?? []
  return { content, metadata, hotlines, phones: hotlines.map(({ phone }) => phone) }
}

test.each([
  ['SA', ['911']],
  ['KW', ['112']],
  ['HK', ['+852 2522 0434', '999']],
  ['DE', ['116016', '110']],
  ['NZ', ['+64 800 733 843', '111']],
  ['JP', ['110']],
])(
  'violence in %s is answered with the domestic violence hotline, then the police, in English and in Arabic',
  async (country, first) => {
    const english = await ask(`My employer in ${find(country)!.name} beats me`)
    expect(english.metadata.danger).toMatchObject({ country, dangers: ['violence'] })
    expect(english.phones.slice(0, first.length)).toEqual(first)
    expect(english.metadata.quickActions[0]).toMatchObject({ action: 'call', value: first[0]!.replaceAll(' ', '') })

    const inArabic = await ask(`صاحب العمل في ${arabic.of(country)} يضربني`)
    expect(inArabic.metadata.danger).toMatchObject({ country, dangers: ['violence'] })
    expect(inArabic.phones).toEqual(english.phones)
    expect(inArabic.metadata.records).toEqual(english.metadata.records)

    for (const { content, hotlines } of [english, inArabic])
      for (const { phone } of hotlines) expect(content).toContain(phone)
    for (const { is_expired, checked_on, phone } of english.hotlines) {
      const line = english.content.split('\n').find((text) => text.includes(phone))
      expect(line?.includes('last confirmed'), `${phone} of ${checked_on}: ${line}`).toBe(is_expired)
    }
  },
)

test.each([
  ['IT', '112'],
  ['US', '911'],
  ['OM', '9999'],
])(
  'trafficking in %s is answered with the emergency number first if no trafficking hotline is confirmed',
  async (country, first) => {
    const { metadata, phones } = await ask(
      `I was sold to somebody in ${find(country)!.name} and cannot leave, human trafficking`,
    )
    expect(metadata.danger).toMatchObject({ country })
    expect(phones[0]).toBe(first)
  },
)

test.each([
  ['US', '988'],
  ['JP', '+81 120 061 338'],
  ['HK', '+852 2896 0000'],
])('suicidal thoughts in %s are answered with the crisis hotline first', async (country, first) => {
  const { metadata, phones } = await ask(`I am in ${find(country)!.name} and I want to kill myself`)
  expect(metadata.danger).toMatchObject({ country, dangers: ['self_harm'] })
  expect(phones[0]).toBe(first)
})

test.each([
  ['JP', '110'],
  ['KR', '+82 1577 1366'],
  ['TW', '110'],
])(
  'a withheld passport in %s is answered with the workers’ hotline first, else the police,',
  async (country, first) => {
    const { metadata, phones } = await ask(`My employer in ${find(country)!.name} took my passport`)
    expect(metadata.danger).toMatchObject({ country })
    expect(phones[0]).toBe(first)
  },
)

test.each([
  [
    'What papers do I need to work in Germany?',
    'Overseas Employment Certificate (OEC), for workers who leave the Philippines',
  ],
  ['ما الأوراق المطلوبة للعمل في ألمانيا؟', 'شهادة العمل في الخارج (OEC)، للعاملين الذين يغادرون الفلبين'],
])('%s: the certificate is described as required for leaving the Philippines', async (message, certificate) => {
  const { content } = await answerTo(app, message)
  expect(content).toContain(certificate)
})
