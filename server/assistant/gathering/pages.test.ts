import { describe, expect, test } from 'vitest'
import { loadFaq } from '#server/content/faq-loader.ts'
import { inBackground } from '#server/db/claims.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { pageOfText } from '../knowledge/chunks.ts'
import { writePage } from '../knowledge/page-import.ts'
import { answerTo, insertFacts, RATES_OF_TESTS, SOME_FACTS, sharedUnderstanding } from '../testing.ts'

const database = await testDatabase()
await insertFacts(database, SOME_FACTS)
const write = (page_title: string, page_url: string, text: string) =>
  inBackground(database, 'test', async (db) => {
    const { id } = await writePage(db, {
      ...{ page_title, page_url, language: 'en', origin: 'markdown', page: pageOfText(text), by: null },
      now: new Date('2026-02-01'),
    })
    const pieces = await db.selectFrom('knowledge_chunks').select('id').where('source_id', '=', id).execute()
    return pieces.map((piece) => `page:${piece.id}`)
  })
await inBackground(database, 'test', loadFaq)
const [owwa] = await write(
  'OWWA membership',
  'https://owwa.example/membership',
  'Membership of OWWA costs 25 US dollars and lasts two years. Renew it in the app or at the counter of the welfare office.',
)
const [oec] = await write(
  'Exit clearance',
  'https://dmw.example/oec',
  'An Overseas Employment Certificate (OEC) is valid for 60 days. The Department of Migrant Workers (DMW), formerly the POEA (POEA), issues it without a fee.',
)
const [dress] = await write(
  'How to dress',
  'https://portal.example/dress',
  'There is a dress code at each service: modest clothes, sleeves, and no shorts.',
)
const [fees] = await write(
  'PDOS of the government',
  'https://gov.example/pdos',
  'The PDOS of the government takes place in Manila, on weekdays, for workers only.',
)
const assistant = { rates: RATES_OF_TESTS, understand: sharedUnderstanding() }
const app = await testApp(database, { assistant })
const ask = (message: string, more = {}) => answerTo(app, message, more)

describe('an institution mentioned on a page', () => {
  test.each([
    ['How much is the OWWA membership?', owwa],
    ['how do i renew my owwa', owwa],
    ['what is the contact number of OWWA', owwa],
    ['OWWA hotline?', owwa],
    ['Paano po mag-renew ng OWWA membership?', owwa],
    ['Magkano ang OWWA?', owwa],
    ['¿Cómo renuevo mi membresía de OWWA?', owwa],
    ['كيف أجدد عضويتي في OWWA؟', owwa],
    ['OWWA会员怎么续费？', owwa],
    ['How long is an OEC valid?', oec],
    ['where can i get my oec', oec],
    ['paano kumuha ng OEC', oec],
    ['Is POEA still open?', oec],
    ["What is the DMW's fee?", oec],
    ['OEC는 얼마나 유효합니까?', oec],
  ])('is answered from that page: %s', async (question, page) => {
    const { content, metadata } = await ask(question)
    expect(metadata.records[0]).toBe(page)
    expect(['answered', 'partly']).toContain(metadata.status)
    expect(metadata.citations[0]).toMatchObject({ kind: 'page', n: 1 })
    expect(content).toContain('[1]')
  })

  test('is answered without asking for a city; the numbers of the country still follow', async () => {
    const { content } = await ask('what is the contact number of OWWA')
    expect(content).not.toContain('Which city')
    const { content: hotline, metadata } = await ask('OWWA hotline in Saudi Arabia?')
    expect(metadata.records).toEqual(expect.arrayContaining([owwa, 'fact:call.SA.police']))
    expect(hotline.indexOf('25 US dollars')).toBeLessThan(hotline.indexOf('999'))
  })

  test('comes after the numbers in an accident', async () => {
    const { metadata } = await ask('I had an accident in Saudi Arabia and am bleeding, does OWWA help?')
    expect(metadata.records[0]).toMatch(/^fact:call\.SA\./)
    expect(metadata.records).toContain(owwa)
  })

  test('is left out if the user is in danger: only what helps', async () => {
    const { metadata } = await ask('My employer in Saudi Arabia beats me, should I call OWWA?')
    expect(metadata.danger).not.toBeNull()
    expect(metadata.records.every((record) => record.startsWith('fact:call.'))).toBe(true)
  })

  test('is known as soon as its page is, and until the page is removed', async () => {
    expect((await ask('What does PhilHealth or SSS pay for?')).metadata.status).toBe('unknown')
    const [sss] = await write(
      'SSS for workers abroad',
      'https://sss.example/abroad',
      'Contributions begin at 960 pesos.',
    )
    await app.readModel.catchUp()
    expect((await ask('Magkano ang hulog sa SSS?')).metadata.records).toEqual([sss])
    await inBackground(database, 'test', (db) =>
      db.deleteFrom('knowledge_sources').where('page_url', '=', 'https://sss.example/abroad').execute(),
    )
    await app.readModel.catchUp()
    expect((await ask('Magkano ang hulog sa SSS?')).metadata.records).not.toContain(sss)
  })
})

describe('a page beside a follow-up question', () => {
  test('is quoted if it contains what the question is about', async () => {
    const { content, metadata } = await ask('Is there a dress code at the worship service?')
    expect(metadata).toMatchObject({ status: 'partly', records: [dress] })
    expect(content).toMatch(/Which city or country are you in\?$/)
  })

  test('is not quoted for words that every such question contains', async () => {
    for (const question of [
      'When is the service?',
      'Where is a church near me?',
      'What time is the service at your church?',
    ])
      expect((await ask(question)).metadata.records).toEqual([])
  })
})

describe('the seminar', () => {
  test('is answered from the organisation’s own rules if they are sufficient', async () => {
    for (const question of ['What is PDOS?', 'How long is my PDOS certificate valid?', 'How do I register for PDOS?'])
      expect((await ask(question)).metadata.records).not.toContain(fees)
  })

  test('is answered with a page after the rules if the page says more about the question', async () => {
    const { metadata } = await ask('Does PDOS take place in Manila on weekdays?')
    expect(metadata.records[0]).toBe('fact:rule.pdos.required')
    expect(metadata.records).toContain(fees)
  })
})

test('an answer that is complete without a page does not wait for one and gets no warning', async () => {
  const hanging = await testApp(database, {
    assistant: {
      ...assistant,
      findChunks: () => new Promise(() => {}),
      waits: { lookUp: 600_000, lookUpBeside: 30 },
    },
  })
  const { metadata } = await answerTo(hanging, 'OWWA or police number in Saudi Arabia?')
  expect(metadata.records).toContain('fact:call.SA.police')
  expect(metadata.warning).toBeNull()
  expect((await answerTo(hanging, 'What is the police number in Saudi Arabia?')).metadata.status).toBe('answered')
})
