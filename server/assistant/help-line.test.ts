import { describe, expect, test } from 'vitest'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { ASSISTANT_LANGUAGE_CODES } from '#shared/assistant/languages.ts'
import { answerTo, askOver, insertFacts, RATES_OF_TESTS, SOME_FACTS, sharedUnderstanding } from './testing.ts'

const database = await testDatabase()
await insertFacts(database, SOME_FACTS)
const understand = sharedUnderstanding()
const app = await testApp(database, { assistant: { rates: RATES_OF_TESTS, understand } })

/** The test interpreter, plus a question with possible danger. */
const doubting = await testApp(database, {
  assistant: {
    rates: RATES_OF_TESTS,
    understand: (question, circumstances) => {
      const understood = understand(question, circumstances)
      return { ...understood, analysis: { ...understood.analysis, dangers: [], possible_danger: 'violence' } }
    },
  },
})

describe('a user who may be in danger but did not clearly say so', () => {
  test.each(ASSISTANT_LANGUAGE_CODES)('gets a number first, then the answer, in %s', async (language) => {
    const { content, metadata } = await answerTo(doubting, 'Where is a church in Saudi Arabia?', { language })
    expect(metadata.danger).toBeNull()
    expect(metadata.help_line).toMatchObject({ country: 'SA', hotline: { phone: '999' } })
    expect(content.slice(0, 200)).toContain('999')
    expect(content).toContain('[1]')
    expect(metadata.citations[0]!.record).toBe(metadata.help_line!.hotline!.record)
    expect(content.split('\n\n').length).toBeGreaterThan(1)
  })

  test('is asked for the country if it is unknown', async () => {
    const { content, metadata } = await answerTo(doubting, 'he changed the lock again')
    expect(metadata.help_line).toMatchObject({ country: null })
    expect(content).toContain('Tell me which country you are in')
  })
})

describe('a question about an emergency service', () => {
  test.each([
    ['What is the number of the police in Riyadh?', '999'],
    ['where is our embassy in Saudi Arabia', '+966 11 482 3559'],
    ['ano po ang number ng pulis sa Riyadh', '999'],
  ])('%s is answered with it, and never with a church', async (question, phone) => {
    const { content, metadata } = await answerTo(app, question)
    expect(content).toContain(phone)
    expect(metadata.records.some((record) => record.startsWith('locale:'))).toBe(false)
    expect(metadata.quickActions.some(({ value }) => value === '/emergency/SA')).toBe(true)
  })

  test('is answered as unknown with the emergency page if no number is confirmed', async () => {
    const { content, metadata } = await answerTo(app, 'number of the fire brigade in Iceland?')
    expect(content).toContain('I have no confirmed number for this in Iceland')
    expect(metadata.quickActions.some(({ value }) => value === '/emergency/IS')).toBe(true)
  })

  test('about a church beside an embassy is still about the church', async () => {
    const { metadata } = await answerTo(app, 'church near the embassy in Riyadh')
    expect(metadata.intent_analysis?.intent).toBe('locale_inquiry')
  })
})

describe('over the limit', () => {
  const limited = () => testApp(database, { assistant: { rates: { address: 1, account: 1 }, understand } })

  test('danger is still answered', async () => {
    const busy = await limited()
    await askOver(busy, { message: 'Hello' })
    for (const message of ['My employer in Saudi Arabia beats me', 'help me', 'there is shooting outside in Riyadh']) {
      const { status, body } = await askOver(busy, { message })
      expect([message, status]).toEqual([message, 200])
      expect(body.metadata.danger ?? body.metadata.help_line).not.toBeNull()
    }
  })

  test('any other question is rejected with a number to call, for the country it names', async () => {
    const busy = await limited()
    await askOver(busy, { message: 'Hello' })
    const { status, body, headers } = await askOver(busy, { message: 'Where is a church in Saudi Arabia?' })
    expect(status).toBe(429)
    expect(headers.get('retry-after')).toMatch(/^\d+$/)
    expect(body.error).toContain('999')
    const other = await askOver(busy, { message: 'Wo ist eine Kirche?', language: 'de' })
    expect(other.body.error).toMatch(/Rufen Sie jetzt \S+/)
  })
})
