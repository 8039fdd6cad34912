import { expect, test } from 'vitest'
import { inBackground, withClaims } from '#server/db/claims.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { clampTopK } from '#shared/assistant/knowledge.ts'
import { pageOfText } from './chunks.ts'
import { writePage } from './page-import.ts'
import { findChunks } from './search.ts'

const database = await testDatabase()
const app = await testApp(database)

const PAGES: [string, string, string][] = [
  [
    'Lost passports',
    'en',
    '# Lost passports\n\nGo to the police first and ask for a report.\n\n# Renewal\n\nRenew your passport at the consulate. 100% of the fee is paid in cash.',
  ],
  ['Contracts', 'en', 'A contract is verified by the Migrant Workers Office before you leave.'],
  ['جوازات السفر المفقودة', 'ar', 'اذهب إلى الشرطة أولًا واطلب تقريرًا عن ضياع جواز السفر.'],
]
await inBackground(database, 'test', async (db) => {
  for (const [title, language, text] of PAGES)
    await writePage(db, {
      page_title: title,
      page_url: `https://owwa.example/${encodeURIComponent(title)}`,
      language,
      origin: 'markdown',
      page: pageOfText(text),
      by: null,
      now: new Date(),
    })
})
const find = (query: string, options = {}) =>
  withClaims(database, { as: 'anonymous' }, (db) => findChunks(db, query, options))

test('the number of chunks is limited to 1 to 50, with a default of 5', () => {
  expect([0, 99, null, undefined, 7.9, -3].map(clampTopK)).toEqual([1, 50, 5, 5, 7, 1])
})

test('a chunk containing the exact query comes first, with its page, heading and score', async () => {
  const [first] = await find('renew your passport')
  expect(first).toMatchObject({
    content: 'Renew your passport at the consulate. 100% of the fee is paid in cash.',
    metadata: {
      page_title: 'Lost passports',
      page_url: 'https://owwa.example/Lost%20passports',
      source_domain: 'owwa.example',
      heading: 'Renewal',
      language: 'en',
    },
  })
  expect(first!.similarity).toBeGreaterThanOrEqual(0.9)
})

test('a full question finds the chunk that shares its rare words, ignoring endings', async () => {
  const [first] = await find('Who must verify the contracts of workers like me?')
  expect(first?.metadata.page_title).toBe('Contracts')
})

test('a misspelt word still matches', async () => {
  expect((await find('pasport consulat')).map(({ metadata }) => metadata.heading)).toContain('Renewal')
})

test('a question in Arabic finds the Arabic page', async () => {
  const [first] = await find('ضياع جواز السفر', { language: 'ar' })
  expect(first?.metadata.language).toBe('ar')
})

test('wildcards and operators are literal text', async () => {
  expect(await find('%%%')).toEqual([])
  expect((await find('100%')).map(({ metadata }) => metadata.heading)).toEqual(['Renewal'])
  for (const query of ["' | !police & (:*", 'a <-> b', '\\', '""'])
    await expect(find(query)).resolves.toBeInstanceOf(Array)
})

test('an unrelated or empty query finds nothing', async () => {
  expect(await find('zzzzqqqq')).toEqual([])
  expect(await find('  ')).toEqual([])
})

test('the HTTP endpoint is public and uses the field names of the specification', async () => {
  for (const path of ['kb/search', 'functions/kb-search']) {
    const response = await app.request(`http://portal.test/api/${path}`, {
      method: 'POST',
      headers: { origin: 'http://portal.test', 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'police report', top_k: 0, min_similarity: 0.1 }),
    })
    const body = (await response.json()) as { success: boolean; chunks: { similarity: number }[] }
    expect(body.success).toBe(true)
    expect(body.chunks).toHaveLength(1)
  }
})
