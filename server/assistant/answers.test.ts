import { describe, expect, test } from 'vitest'
import { projectLocales } from '#server/churches/projection.ts'
import { loadFaq } from '#server/content/faq-loader.ts'
import { inBackground } from '#server/db/claims.ts'
import { createLog } from '#server/log.ts'
import { loadSampleChurches } from '#server/sample/churches.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { insertAdvisory, insertSource } from '#server/testing/factory.ts'
import { createTestUser } from '#server/testing/users.ts'
import type { KnowledgeChunk } from '#shared/assistant/knowledge.ts'
import type { DestinationInfo } from './gathering/destination.ts'
import { answerTo, insertFacts, insertTokyo, RATES_OF_TESTS, SOME_FACTS } from './testing.ts'

const NOW = new Date('2026-03-10T09:00:00Z')
const database = await testDatabase()
await loadSampleChurches(database, createLog('silent'), NOW)
await insertFacts(database, SOME_FACTS)
await insertTokyo(database)
/** Eleven churches in Kenya, by name; only those numbered 8 and 11 publish a phone number and a service. */
await inBackground(database, 'test', async (db) => {
  const names = Array.from({ length: 11 }, (_, n) => `Locale ${String(n + 1).padStart(2, '0')}`)
  const rows = await db
    .insertInto('locales')
    .values(
      names.map((name, n) => ({ name, country_code: 'KE', phone: n === 7 || n === 10 ? `+2547000000${n}` : null })),
    )
    .returning('id')
    .execute()
  await db
    .insertInto('locale_schedules')
    .values(
      [7, 10].map((n) => ({
        ...{ locale_id: rows[n]!.id, day_of_week: 3, start_time: '19:00' },
        ...{ service_type: 'prayer_meeting', title: 'Prayer' },
      })),
    )
    .execute()
  const ids = rows.map(({ id }) => id)
  await projectLocales(db, ids, () => 'Kenya')
})
const [caution, emergency] = await inBackground(database, 'test', async (db) => {
  await loadFaq(db)
  const { id: source_id } = await insertSource(db, { last_success_at: NOW, last_attempt_at: NOW })
  await insertSource(db, { name: 'Silent Authority', last_success_at: new Date('2026-03-01T00:00:00Z') })
  const about = { source_id, country_codes: ['JP'], last_updated: new Date('2026-03-05T00:00:00Z') }
  return [
    await insertAdvisory(db, { ...about, title: 'Japan: Exercise Increased Caution', severity_level: 'caution' }),
    await insertAdvisory(db, { ...about, title: 'Japan: Typhoon', severity_level: 'emergency', is_urgent: true }),
  ]
})
const chunk: KnowledgeChunk = {
  id: '00000000-0000-4000-8000-00000000000a',
  content: 'Luggage of up to 30 kg travels free of charge.',
  metadata: {
    page_title: 'Luggage',
    page_url: 'https://dfa.example/luggage',
    source_domain: 'dfa.example',
    heading: 'How much',
    language: 'en',
    checked_at: '2026-02-01T00:00:00Z',
  },
  similarity: 0.8,
}
const app = await testApp(database, {
  now: () => NOW,
  assistant: {
    rates: RATES_OF_TESTS,
    findChunks: async (query) => (query.includes('luggage') ? [chunk, { ...chunk, similarity: 0.12 }] : []),
  },
})
const ask = (message: string, more = {}) => answerTo(app, message, more)

describe('country safety', () => {
  test('lists the advisories in force, most serious first, each with its authority and date', async () => {
    const { content, metadata } = await ask('Is it safe in Japan?')
    expect(metadata).toMatchObject({ status: 'answered', language: 'en' })
    expect(metadata.records.slice(0, 3)).toEqual(['country:JP', `advisory:${emergency!.id}`, `advisory:${caution!.id}`])
    expect(content).toContain('- **Emergency**: Japan: Typhoon (U.S. Department of State, March 5, 2026) [2]')
    expect(metadata.citations[1]).toMatchObject({ kind: 'advisory', url: `/travel-advisories/${emergency!.id}` })
    expect(metadata.quickActions).toContainEqual({
      label: 'More about Japan',
      action: 'navigate',
      value: '/countries/JP',
    })
  })

  test('gives no all-clear without advisories or when a source is unreachable', async () => {
    const { content, metadata } = await ask('Is it safe in Qatar?')
    expect(content).toMatch(/no advisory for Qatar.*does not mean it is safe/s)
    expect(content).toContain('Silent Authority')
    expect(metadata.records).toEqual(['country:QA', 'page:/travel-advisories/sources'])
  })

  test('lists the most serious advisories of all when no country is named', async () => {
    const { content, metadata } = await ask('Are there any travel advisories?')
    expect(metadata.records[1]).toBe(`advisory:${emergency!.id}`)
    expect(content).toMatch(/Which country is this about\?$/)
  })
})

describe('churches', () => {
  test('in a country are listed with address, next service in local time and a map link', async () => {
    const { content, metadata } = await ask('Where are churches in Japan?')
    expect(content).toContain('12 churches in Japan: [1]')
    expect(content).toContain(
      '**Sample Locale Adachi**, 0-0-0 Senju, Adachi, Tokyo, Japan · next: Wednesday, March 11, 2026',
    )
    expect(metadata.mapLocales).toHaveLength(5)
    expect(metadata.quickActions[0]).toMatchObject({ action: 'navigate', value: '/church-locator?country=JP' })
  })

  test('in a city without one are those within 50 km, nearest first', async () => {
    const { content } = await ask('Is there a church in Tokyo?')
    expect(content).toContain('7 churches within 50 km of Tokyo')
    expect(content.indexOf('Shinjuku')).toBeLessThan(content.indexOf('Yokohama'))
    expect(content).toContain('1.2 km away')
  })

  test('are read ten at a time, of which five are shown', async () => {
    const { content, metadata } = await ask('Where are churches in Kenya?')
    expect(content).toContain('11 churches in Kenya')
    expect(metadata.citations.filter(({ kind }) => kind === 'locale').map(({ title }) => title)).toEqual(
      ['01', '02', '03', '04', '05'].map((n) => `Locale ${n}`),
    )
  })

  test('with the requested detail come before those without', async () => {
    const phone = await ask('What is the phone number of the church in Kenya?')
    expect(phone.content).toContain('+25470000007')
    expect(phone.content).not.toContain('+254700000010')
    expect(phone.metadata.status).toBe('answered')
    const services = await ask('What time is the prayer meeting in Kenya on Wednesday?')
    expect(services.content).toMatch(/Locale 08.*Wednesday/s)
    expect(services.metadata.citations.filter(({ kind }) => kind === 'locale')).toHaveLength(3)
  })

  test('near the user are found by their location; without one, the answer asks for the place', async () => {
    const { content } = await ask('Where is a church near me?', { location: { latitude: 35.69, longitude: 139.7 } })
    expect(content).toMatch(/within 50 km of your location/)
    const unplaced = await ask('Where is a church near me?')
    expect(unplaced.content).toBe('Which city or country are you in?')
    expect(unplaced.metadata).toMatchObject({ status: 'partly', records: [] })
  })

  test('beyond the radius are the nearest ones', async () => {
    const { content } = await ask('Is there a church near me?', { location: { latitude: 0, longitude: -140 } })
    expect(content).toMatch(/^No churches listed within 50 km of your location/)
  })

  test('with a hidden location keep it hidden', async () => {
    const { content, metadata } = await ask('Where is a church in Riyadh?')
    expect(content).toContain('write to the church first')
    expect(content).not.toMatch(/Sample Locale Riyadh|0-0/)
    expect(metadata.mapLocales).toEqual([])
    const approximate = await ask('Where is a church in Chiba, Japan?')
    expect(approximate.metadata.mapLocales[0]).toMatchObject({ is_area: true })
  })

  test('that are closed or unconfirmed are labelled as such', async () => {
    expect((await ask('Where is a church in Nagoya?')).content).toContain('closed until April 4, 2026')
    expect((await ask('Where is a church in Asahikawa?')).content).toContain('call first')
  })

  test('are not invented where there are none', async () => {
    const { content, metadata } = await ask('Where is a church in Iceland?')
    expect(content).toContain('No churches listed in Iceland')
    expect(metadata.records).toEqual(['country:IS'])
  })
})

describe('services', () => {
  test('are listed with day, time and time zone of the church', async () => {
    const { content } = await ask('When are the services in Shinjuku, Japan?')
    expect(content).toContain('- Worship service: Sunday 10:00 AM (Japan Standard Time)')
    expect(content).toContain('- Meeting of newcomers: March 28, 2026 2:00 PM')
  })

  test('are filtered by kind and day, and the answer says so when none match', async () => {
    const { content } = await ask('What time is the prayer meeting in Shinjuku on Wednesday?')
    expect(content).toContain('Prayer meeting: Wednesday 7:00 PM')
    expect(content).not.toContain('Worship service')
    const none = await ask('What time is the prayer meeting in Shinjuku on Friday?')
    expect(none.content).toContain('no such service')
  })

  test('can be requested in a follow-up to a question about a church', async () => {
    const messages = [
      { role: 'user', content: 'Where is a church in Shinjuku, Japan?' },
      { role: 'assistant', content: 'One church in Shinjuku' },
      { role: 'user', content: 'What time is the worship service?' },
    ]
    const { content } = await ask('', { message: undefined, messages })
    expect(content).toContain('Sample Locale Shinjuku')
    expect(content).toContain('Worship service: Sunday 10:00 AM')
  })
})

test('contacts are listed as published, with the contact form of the portal', async () => {
  const { content, metadata } = await ask('What is the phone number of the church in Shinjuku, Japan?')
  expect(content).toContain('Phone: +00 00 0000')
  expect(content).not.toContain('did not agree')
  expect(metadata.quickActions.some(({ action }) => action === 'call')).toBe(true)
  expect(metadata.quickActions.some(({ value }) => value.endsWith('/write'))).toBe(true)
})

test('a role without a published contact is not invented', async () => {
  const { metadata } = await ask('Who is the coordinator in Shinjuku, Japan?')
  expect(metadata.status).toBe('partly')
})

test('a lost passport is answered with numbers and steps from the same records in every language', async () => {
  const { content, metadata } = await ask('My passport was stolen in Saudi Arabia, what do I do?')
  expect(metadata.records).toEqual([
    'fact:call.SA.embassy',
    'fact:call.SA.police',
    'fact:call.SA.violence',
    'fact:call.any.home',
    'faq:passport-lost-or-stolen',
  ])
  expect(content).toContain('My passport is lost or stolen')
  const german = await ask('Mein Reisepass wurde in Saudi-Arabien gestohlen, was soll ich tun?')
  expect(german.metadata).toMatchObject({ language: 'de', records: metadata.records })
  expect(german.content).toContain('Englisch')
})

describe('travel documents', () => {
  test('of a country include those required everywhere, always with PDOS', async () => {
    const { content, metadata } = await ask('Which documents do I need to work in Saudi Arabia?')
    expect(metadata.status).toBe('answered')
    expect(metadata.records).toEqual([
      'fact:need.SA.visa',
      'fact:need.SA.passport',
      'fact:need.SA.contract',
      'fact:need.pdos',
    ])
    expect(content).toContain('Passport, valid for at least 6 months')
    expect(metadata.citations[0]).toMatchObject({ checked_on: '2026-01-10', source: 'Department of Migrant Workers' })
  })

  test('differ by purpose of travel', async () => {
    const { metadata } = await ask('Which documents do I need to visit Saudi Arabia as a tourist?')
    expect(metadata.records).not.toContain('fact:need.SA.contract')
  })

  test('are not invented for a country without a list, and PDOS is still included', async () => {
    const { content, metadata } = await ask('Which documents do I need for Iceland?')
    expect(content).toContain('no confirmed list of documents for Iceland')
    expect(metadata).toMatchObject({ status: 'partly', records: ['fact:need.pdos'] })
  })
})

test('PDOS is explained by its rules: 8 hours in one day, valid for a year, and who registers', async () => {
  const { content, metadata } = await ask('What is PDOS and how long is it valid?')
  expect(content).toContain('1 day (8 hours)')
  expect(content).toContain('valid for 1 year')
  expect(metadata.records).toEqual(
    ['rule.pdos.required', 'rule.pdos.duration', 'rule.pdos.validity', 'rule.pdos.register'].map((id) => `fact:${id}`),
  )
  expect(metadata.quickActions.length).toBeGreaterThan(0)
})

test('hotlines of the country come before international ones', async () => {
  const { content, metadata } = await ask('What are the emergency numbers in Saudi Arabia?')
  expect(metadata.records).toEqual([
    'fact:call.SA.police',
    'fact:call.SA.embassy',
    'fact:call.SA.violence',
    'fact:call.any.home',
  ])
  expect(content).toContain('**Police**: 999 [1]')
  const unknown = await ask('What are the emergency numbers in Iceland?')
  expect(unknown.content).toContain('no confirmed number for Iceland')
  expect(unknown.metadata).toMatchObject({ status: 'partly', records: ['fact:call.any.home'] })
})

describe('applications', () => {
  test('are not disclosed for a reference number alone', async () => {
    const { content, metadata } = await ask('What is the status of my application PDOS-2026-001?')
    expect(metadata.status).toBe('refused')
    expect(content).toContain('Sign in')
    expect(metadata.records).toEqual([])
  })

  test('are those of the signed-in user, who has none yet', async () => {
    const ana = await createTestUser(database, 'traveler')
    const { metadata } = await ask('What is the status of my application PDOS-2026-001?', { as: ana.as })
    expect(metadata).toMatchObject({ status: 'answered', records: ['own:applications'] })
  })
})

describe('a question without a matching record', () => {
  test('is answered as unknown, without assertions', async () => {
    const { content, metadata } = await ask('What is the weather on Mars?')
    expect(metadata).toMatchObject({ status: 'unknown', records: [], citations: [] })
    expect(content).toContain('I will not guess')
    expect((await ask('🙂🙂🙂')).metadata.status).toBe('unknown')
  })

  test('may be answered from the travel FAQ', async () => {
    const { content, metadata } = await ask('How do I recognise a false job offer?')
    expect(metadata.records).toContain('faq:false-job-offers')
    expect(metadata.citations[0]!.url).toBe('/travel-faq#false-job-offers')
    expect(content).not.toMatch(/<p>|<li>/)
  })

  test('may be answered from a sufficiently similar page', async () => {
    const { content, metadata } = await ask('How many kilos of luggage may travel free?')
    expect(metadata.records).toEqual([`page:${chunk.id}`])
    expect(content).toContain('Luggage says: “Luggage of up to 30 kg travels free of charge.” [1]')
    expect(metadata.citations[0]).toMatchObject({
      title: 'Luggage – How much',
      url: 'https://dfa.example/luggage',
      source: 'dfa.example',
    })
  })
})

test('small talk asserts nothing: a greeting by name, thanks, a request for a person', async () => {
  const ana = await createTestUser(database, 'traveler')
  expect((await ask('Hello', { as: ana.as })).content).toMatch(/^Hello, Test!/)
  expect((await ask('Thank you')).content).toContain('God bless you')
  const reply = await ask('I want to talk to a person')
  expect(reply.metadata).toMatchObject({ status: 'answered', records: [] })
})

test('without a model the answer is complete and does not mention a model', async () => {
  for (const question of ['Is it safe in Japan?', 'Hello', 'What is the weather on Mars?'])
    expect((await ask(question)).metadata.notice).toBeNull()
})

test('an expired fact is labelled with its confirmation date', async () => {
  await insertFacts(database, [
    {
      id: 'need.NZ.visa',
      kind: 'requirement',
      country_code: 'NZ',
      code: 'visa',
      checked_on: '2024-01-10',
      valid_until: '2025-01-10',
    },
  ])
  await app.readModel.catchUp()
  const { content, metadata } = await ask('Which documents do I need for New Zealand?')
  expect(content).toContain('Visa (last confirmed on January 10, 2024')
  expect(metadata.citations[0]!.is_expired).toBe(true)
})

test('a destination is returned with its records', async () => {
  const { data } = await ask('I am going to Saudi Arabia', { context: 'destination_info' })
  const info = data!.destinationInfo as DestinationInfo
  expect(info).toMatchObject({ country: 'SA', country_name: 'Saudi Arabia' })
  const codes = info.requirements.map(({ code }) => code)
  expect(codes).toContain('pdos')
  expect(new Set(codes).size).toBe(codes.length)
  expect(info.hotlines.map(({ phone }) => phone)).toContain('999')
  expect(info.churches.length).toBeGreaterThan(0)
  expect((await ask('Hello', { context: 'destination_info' })).data).toEqual({ destinationInfo: null })
})
