import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { createCountries } from '#server/countries/reference.ts'
import { withClaims } from '#server/db/claims.ts'
import { feedItem, insertSource } from '#server/testing/factory.ts'
import type { FeedItem } from '../feeds/feed.ts'
import { importFeed } from '../import-feed.ts'
import type { Source } from '../sources.ts'
import { acceptLevel, acceptLevelsOfSource } from './level-acceptance.ts'
import { administration } from './testing.ts'

const { database, app, inside, ask, audits } = await administration()
const countries = createCountries()

let source: Source
beforeEach(async () => {
  source = await inside((db) => insertSource(db, { id: 'us', minimum_items: 0, content_hash: 'x', etag: '"1"' }))
})

const niger = feedItem({
  external_id: 'set:NE',
  title: 'Niger: Do Not Travel',
  country_codes: ['NE'],
  severity_level: 'critical',
  original_wording: 'Level 4: Do Not Travel',
  detailed_information: '<p>Do not travel to Niger due to terrorism and kidnapping.</p>',
})
const lower = {
  ...niger,
  title: 'Niger: Exercise Normal Precautions',
  severity_level: 'info',
  original_wording: 'Level 1: Exercise Normal Precautions',
  detailed_information: '<p>Summary not available</p>',
  effective_date: new Date('2026-09-19T00:00:00Z'),
  last_updated: new Date('2026-09-20T00:00:00Z'),
} as const

async function read(...items: FeedItem[]) {
  const parsed = { items, rejected: [], follow: [], isComplete: true }
  const context = { cause: 'schedule', now: new Date(), countries, document: randomUUID() } as const
  await inside((db) => importFeed(db, source, parsed, context))
}

async function pendingNiger() {
  await read(niger)
  await read(lower)
  await app.readModel.catchUp()
  return rowOf()
}
const rowOf = () =>
  inside((db) =>
    db.selectFrom('travel_advisories').selectAll().where('external_id', '=', 'set:NE').executeTakeFirstOrThrow(),
  )

test('the public list keeps the old level and says why', async () => {
  await pendingNiger()
  const answer = await app.request('http://portal.test/api/public/travel-advisories')
  expect(await answer.json()).toMatchObject({
    advisories: [
      {
        severity_level: 'critical',
        pending_severity_level: 'info',
        pending_reason: 'no_text',
        pending_wording: 'Level 1: Exercise Normal Precautions',
      },
    ],
  })
})

test('an administrator sees a pending level and accepts it: level, text and dates of the source are applied and audited', async () => {
  const { id, updated_at } = await pendingNiger()
  const list = await ask('GET', '/admin/travel-advisories?status=pending_level')
  expect(list.body.advisories.map((advisory: { id: string }) => advisory.id)).toEqual([id])
  const body = { made_from: updated_at.toISOString(), reason: 'Compared with the page of the embassy' }
  const answer = await ask('POST', `/admin/travel-advisories/${id}/accept-level`, body)
  expect(answer.body.advisory).toMatchObject({
    severity_level: 'info',
    original_wording: 'Level 1: Exercise Normal Precautions',
    effective_date: '2026-09-19T00:00:00.000Z',
    last_updated: '2026-09-20T00:00:00.000Z',
    version: 2,
    pending_severity_level: null,
    pending_since: null,
  })
  expect((await audits()).at(-1)).toMatchObject({
    action: 'advisory.accept_level',
    subject_id: id,
    before: { severity_level: 'critical' },
    after: { severity_level: 'info' },
    reason: 'Compared with the page of the embassy',
  })
  expect(await inside((db) => db.selectFrom('announcements').selectAll().execute())).toEqual([])
  // The source repeats it unchanged.
  await read(lower)
  expect(await rowOf()).toMatchObject({ version: 2, pending_since: null })
})

test('after an acceptance by mistake, the warning of an older date returns with its text', async () => {
  const { id, updated_at } = await pendingNiger()
  await ask('POST', `/admin/travel-advisories/${id}/accept-level`, { made_from: updated_at.toISOString() })
  await read(niger)
  expect(await rowOf()).toMatchObject({ severity_level: 'critical', is_active: true })
})

test('nothing pending, or already accepted: rejected with a hint on what to do', async () => {
  await read(niger)
  const { id, updated_at } = await rowOf()
  const path = `/admin/travel-advisories/${id}/accept-level`
  const none = await ask('POST', path, { made_from: updated_at.toISOString() })
  expect([none.status, none.body.code]).toEqual([409, 'nothing_pending'])
  const stale = await ask('POST', path, { made_from: '2026-01-01T00:00:00Z' })
  expect([stale.status, stale.body.code]).toEqual([409, 'stale'])
})

test('all levels a source lowered are accepted at once, if the count matches the one shown', async () => {
  await pendingNiger()
  const path = '/admin/travel-advisories/sources/us/accept-levels'
  const wrong = await ask('POST', path, { count: 2 })
  expect([wrong.status, wrong.body.code]).toEqual([409, 'stale'])
  const { body } = await ask('GET', '/admin/travel-advisories/sources/us')
  expect(body.source.pending_count).toBe(1)
  const answer = await ask('POST', path, { count: 1, reason: 'Checked' })
  expect(answer.body).toMatchObject({ accepted: 1 })
  expect(await rowOf()).toMatchObject({ severity_level: 'info', pending_since: null })
  const now = await inside((db) =>
    db.selectFrom('advisory_sources').selectAll().where('id', '=', 'us').executeTakeFirstOrThrow(),
  )
  // The next fetch reads the whole list again.
  expect(now).toMatchObject({ content_hash: null, etag: null })
})

test("without the router's access check, the database still rejects an acceptance by anyone else", async () => {
  const { id, updated_at } = await pendingNiger()
  const by = { id: randomUUID(), name: 'Mallory', role: 'mfa_coordinator' } as const
  const writing = { by, now: new Date(), countries }
  const claims = { as: 'user', userId: by.id, role: by.role } as const
  const input = { made_from: updated_at.toISOString(), reason: '' }
  await expect(withClaims(database, claims, (db) => acceptLevel(db, id, input, writing))).rejects.toThrow()
  const all = { count: 1, reason: '' }
  await expect(withClaims(database, claims, (db) => acceptLevelsOfSource(db, 'us', all, writing))).rejects.toThrow()
  expect(await rowOf()).toMatchObject({ severity_level: 'critical', pending_severity_level: 'info' })
})
