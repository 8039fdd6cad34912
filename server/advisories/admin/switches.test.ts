import { expect, test } from 'vitest'
import { createCountries } from '#server/countries/reference.ts'
import { feedItem, insertSource } from '#server/testing/factory.ts'
import type { FeedItem } from '../feeds/feed.ts'
import { importFeed } from '../import-feed.ts'
import type { Source } from '../sources.ts'
import { administration, haiti } from './testing.ts'

const { app, ask, audits, create, inside, publicTitles } = await administration()

const countries = createCountries()
const JAPAN = feedItem({ external_id: 'jp', title: 'Japan: Exercise Increased Caution', severity_level: 'caution' })
const PERU = feedItem({ external_id: 'pe', title: 'Peru: Exercise Normal Precautions', country_codes: ['PE'] })
const read = (source: Source, ...items: FeedItem[]) =>
  inside((db) =>
    importFeed(
      db,
      source,
      { items, rejected: [], follow: [], isComplete: true },
      { cause: 'schedule', now: new Date(), countries },
    ),
  )
const findRow = (external_id: string) =>
  inside((db) =>
    db.selectFrom('travel_advisories').selectAll().where('external_id', '=', external_id).executeTakeFirstOrThrow(),
  )
async function set(external_id: string, body: object) {
  const { id, updated_at } = await findRow(external_id)
  return ask('PATCH', `/travel-advisories/${id}`, { made_from: updated_at.toISOString(), ...body })
}

async function imported() {
  const source = await inside((db) => insertSource(db, { minimum_items: 1, content_hash: 'read before' }))
  await read(source, JAPAN, PERU)
  return source
}

test('an imported advisory taken off the list stays off when its source edits or lists it again', async () => {
  const source = await imported()
  const answer = await set('jp', { is_active: false, reason: 'Refers to another Japan' })
  expect(answer.body.advisory).toMatchObject({ standing: 'withdrawn', is_active: false })
  expect(await publicTitles()).toEqual(['Peru: Exercise Normal Precautions'])
  await read(source, { ...JAPAN, description: 'Edited.' }, PERU)
  await read(source, PERU, feedItem({ external_id: 'x', title: 'Chile: Fine' }))
  await read(source, JAPAN, PERU)
  expect(await findRow('jp')).toMatchObject({ is_active: false, description: JAPAN.description })
  expect(await publicTitles()).not.toContain(JAPAN.title)
  expect((await audits()).at(-1)).toMatchObject({
    action: 'advisory.withdraw',
    reason: 'Refers to another Japan',
    before: { is_active: true },
    after: { is_active: false },
  })
})

test('it returns when its source raises the level: that is a new warning', async () => {
  const source = await imported()
  await set('jp', { is_active: false, reason: 'Old' })
  await read(source, { ...JAPAN, severity_level: 'info' }, PERU)
  expect(await publicTitles()).not.toContain(JAPAN.title)
  await read(source, { ...JAPAN, severity_level: 'critical' }, PERU)
  expect(await publicTitles()).toContain(JAPAN.title)
  expect(await findRow('jp')).toMatchObject({ withdrawn_at: null, is_active: true })
})

test('taking it off the list needs a reason; putting it back shows it and re-reads its source in full', async () => {
  const source = await imported()
  expect((await set('jp', { is_active: false })).body.fields).toEqual({ reason: 'This field is required' })
  await set('jp', { is_active: false, reason: 'Old' })
  expect((await set('jp', { is_active: true })).body.advisory).toMatchObject({ standing: 'in_force' })
  expect(await publicTitles()).toContain(JAPAN.title)
  const row = await inside((db) =>
    db.selectFrom('advisory_sources').selectAll().where('id', '=', source.id).executeTakeFirstOrThrow(),
  )
  expect(row.content_hash).toBeNull()
})

test('an advisory ended by its source is brought back only by its source', async () => {
  const source = await imported()
  await inside((db) =>
    db.updateTable('travel_advisories').set({ is_active: false }).where('external_id', '=', 'jp').execute(),
  )
  const answer = await set('jp', { is_active: true })
  expect([answer.status, answer.body.code]).toEqual([409, 'ended_by_source'])
  expect(source.id).toBe((await findRow('jp')).source_id)
})

test('an advisory marked urgent by the portal says so in a version and keeps the mark when its source edits it', async () => {
  const source = await imported()
  await set('jp', { is_urgent: true })
  await read(source, { ...JAPAN, description: 'Edited.' }, PERU)
  await app.readModel.catchUp()
  const { id } = await findRow('jp')
  const shown = (await ask('GET', `/travel-advisories/${id}`, undefined, null)).body
  expect(shown.advisory).toMatchObject({ is_urgent: true, urgent_by_portal: true, description: 'Edited.' })
  expect(
    shown.versions.map(({ changes }: { changes: { field: string }[] }) => changes.map(({ field }) => field)),
  ).toEqual([['text'], ['is_urgent'], []])
  await set('jp', { is_urgent: false })
  expect(await findRow('jp')).toMatchObject({ is_urgent: false, urgent_by_portal: false, version: 4 })
})

test('once its source marks it urgent, the mark is the source’s and the portal cannot remove it', async () => {
  const source = await imported()
  await set('jp', { is_urgent: true })
  await read(source, { ...JAPAN, is_urgent: true }, PERU)
  expect(await findRow('jp')).toMatchObject({ is_urgent: true, urgent_by_portal: false })
  const answer = await set('jp', { is_urgent: false })
  expect([answer.status, answer.body.code]).toEqual([409, 'urgent_by_source'])
})

test('the text of a source cannot be edited, duplicated or deleted', async () => {
  await imported()
  const { id, updated_at } = await findRow('jp')
  const made_from = updated_at.toISOString()
  for (const [method, path, body] of [
    ['PUT', `/travel-advisories/${id}`, { ...haiti(), made_from }],
    ['POST', `/travel-advisories/${id}/duplicate`, undefined],
    ['DELETE', `/travel-advisories/${id}`, { made_from }],
  ] as const) {
    const answer = await ask(method, path, body)
    expect([method, answer.status, answer.body.code]).toEqual([method, 409, 'not_ours'])
  }
})

test('an advisory written here is taken off and put back; an expired one needs a later end first', async () => {
  const made = await create({ expiry_date: '2099-01-01' })
  const change = async (body: object) => {
    const { advisory } = (await ask('GET', `/admin/travel-advisories/${made.id}`)).body
    return ask('PATCH', `/travel-advisories/${made.id}`, { made_from: advisory.updated_at, ...body })
  }
  await change({ is_active: false, reason: 'Over' })
  expect(await publicTitles()).toEqual([])
  await change({ is_active: true, auto_notify: true })
  expect(await publicTitles()).toEqual(['Haiti: Alert level 3'])
  await inside((db) =>
    db.updateTable('travel_advisories').set({ expiry_date: '2020-01-01', is_active: false }).execute(),
  )
  expect((await change({ is_active: true })).body.code).toBe('expired')
  const { advisory } = (await ask('GET', `/admin/travel-advisories/${made.id}`)).body
  expect(advisory.standing).toBe('expired')
  await ask('PUT', `/travel-advisories/${made.id}`, {
    ...haiti({ expiry_date: '2099-06-01' }),
    made_from: advisory.updated_at,
  })
  expect(await publicTitles()).toEqual(['Haiti: Alert level 3'])
})
