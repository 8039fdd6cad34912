import { expect, test } from 'vitest'
import { administration } from '#server/advisories/admin/testing.ts'
import type { FeedItem } from '#server/advisories/feeds/feed.ts'
import { importFeed } from '#server/advisories/import-feed.ts'
import type { ImportContext } from '#server/advisories/import-plan.ts'
import type { Source } from '#server/advisories/sources.ts'
import { createCountries } from '#server/countries/reference.ts'
import { withClaims } from '#server/db/claims.ts'
import { feedItem, insertSource } from '#server/testing/factory.ts'
import { BURST_SIZE } from './announce.ts'
import { findWithheld } from './withheld-news.ts'

const { database, ask, audits, create, inside } = await administration()
const countries = createCountries()
const peru = feedItem({
  external_id: 'pe',
  title: 'Peru: Exercise Increased Caution',
  severity_level: 'warning',
  country_codes: ['PE'],
})
const read = (source: Source, items: FeedItem[], more: Partial<ImportContext> = {}) =>
  inside((db) =>
    importFeed(
      db,
      source,
      { items, rejected: [], follow: [], isComplete: true },
      { cause: 'schedule', now: new Date(), countries, ...more },
    ),
  )
const findAnnouncements = () =>
  inside((db) =>
    db.selectFrom('announcements').selectAll().where('status', '<>', 'cancelled').orderBy('created_at').execute(),
  )
const reasons = async () => (await findAnnouncements()).map(({ reason }) => reason)
const alerts = () =>
  inside((db) => db.selectFrom('notifications').selectAll().where('recipient_role', '=', 'admin').execute())
const sourceOf = (values: Partial<Source> = {}) => inside((db) => insertSource(db, { minimum_items: 1, ...values }))
async function knownSource(values: Partial<Source> = {}, items = [peru]) {
  const source = await sourceOf(values)
  await read(source, items)
  await inside((db) => db.deleteFrom('notifications').execute())
  return source
}

test('a feed announces new or more severe advisories, and never a mere import', async () => {
  const source = await knownSource()
  await read(source, [peru])
  const last_updated = new Date()
  await read(source, [{ ...peru, title: 'Peru: Exercise Caution', last_updated }])
  expect(await findAnnouncements()).toEqual([])
  const bolivia = feedItem({ external_id: 'bo', country_codes: ['BO'], severity_level: 'emergency' })
  await read(source, [{ ...peru, severity_level: 'critical', last_updated }, bolivia])
  const rows = await findAnnouncements()
  expect(rows.map(({ reason, priority }) => [reason, priority]).sort()).toEqual([
    ['escalated', 'high'],
    ['new', 'urgent'],
  ])
  const escalated = rows.find(({ reason }) => reason === 'escalated')!
  expect(escalated).toMatchObject({
    announcement_key: `advisory ${escalated.advisory_id} v3`,
    kind: 'advisory',
    template: 'advisory',
    action_url: `/travel-advisories/${escalated.advisory_id}`,
    advisory_version: 3,
    audience: null,
    channels: null,
    status: 'waiting',
  })
  expect(await alerts()).toEqual([])
})

test('the first import of a source announces nothing; one alert explains to administrators what to do', async () => {
  const source = await sourceOf()
  await read(source, [peru, feedItem({ severity_level: 'emergency' })])
  expect(await findAnnouncements()).toEqual([])
  expect(await alerts()).toMatchObject([
    {
      type: 'admin_alert',
      priority: 'urgent',
      action_url: `/admin/travel-advisories/sources/${source.id}#withheld`,
      data: { source_id: source.id, advisories: 2, urgent: 1 },
    },
  ])
  // Urgent changes wait for a decision, so that none is overlooked.
  expect(await withheld(source)).toMatchObject([{ priority: 'urgent', severity_level: 'emergency' }])
})

test('a snapshot never notifies, and the first import from the source itself is still its first', async () => {
  const source = await sourceOf()
  await read(source, [peru], { cause: 'sample', capturedOn: '2026-01-01' })
  expect(await alerts()).toEqual([])
  await read(source, [{ ...peru, severity_level: 'emergency' }])
  expect(await findAnnouncements()).toEqual([])
  expect(await alerts()).toHaveLength(1)
})

const many = (count: number, more: Partial<FeedItem> = {}) =>
  Array.from({ length: count }, (_, at) =>
    feedItem({ external_id: `n${at}`, country_codes: [at % 2 ? 'BO' : 'FJ'], severity_level: 'caution', ...more }),
  )
const withheld = async (source: Source) =>
  (await ask('GET', `/admin/travel-advisories/sources/${source.id}/withheld-news`)).body.news

test('a burst is withheld and listed; one change fewer is sent', async () => {
  const calm = await knownSource()
  await read(calm, [peru, ...many(BURST_SIZE)])
  expect(await findAnnouncements()).toHaveLength(BURST_SIZE)
  expect(await withheld(calm)).toEqual([])
  const wild = await knownSource()
  await read(wild, [peru, ...many(BURST_SIZE + 1)])
  expect(await findAnnouncements()).toHaveLength(BURST_SIZE)
  expect(await alerts()).toMatchObject([{ data: { source_id: wild.id, advisories: BURST_SIZE + 1 } }])
  expect(await withheld(wild)).toHaveLength(BURST_SIZE + 1)
})

test('urgent changes and rises to a warning are sent even in a burst', async () => {
  const countrySet = (code: string, severity_level: FeedItem['severity_level'], more: Partial<FeedItem> = {}) =>
    feedItem({ external_id: `set:${code}`, country_codes: [code], severity_level, ...more })
  const known = [countrySet('NE', 'caution'), countrySet('ML', 'critical'), countrySet('TD', 'info')]
  const source = await knownSource({}, [peru, ...known])
  await read(source, [
    peru,
    countrySet('NE', 'warning'),
    countrySet('ML', 'critical', { is_urgent: true, detailed_information: '<p>Leave now while flights go.</p>' }),
    countrySet('TD', 'caution'),
    feedItem({ external_id: 'storm', country_codes: ['FJ'], severity_level: 'warning' }),
    // A country list in a new form.
    countrySet('SO', 'critical'),
    ...many(BURST_SIZE),
  ])
  const sent = (await findAnnouncements()).map(
    ({ reason, priority, texts }) => `${reason} ${priority} ${texts.en.countries}`,
  )
  expect(sent.sort()).toEqual(['escalated medium Niger', 'escalated urgent Mali', 'new medium Fiji'])
  const rest = await withheld(source)
  expect(rest).toHaveLength(BURST_SIZE + 2)
  expect(rest[0]).toMatchObject({ reason: 'new', severity_level: 'critical' })
})

test('an administrator releases some withheld changes and drops the rest; each is decided once', async () => {
  const source = await knownSource()
  const burst = many(BURST_SIZE + 1)
  await read(source, [peru, ...burst])
  const [first, second, third, ...others] = await withheld(source)
  const path = `/admin/travel-advisories/sources/${source.id}/withheld-news`
  const decide = (ids: string[], decision: string) => ask('POST', path, { ids, decision })
  // One of them has expired meanwhile.
  await inside((db) =>
    db.updateTable('travel_advisories').set({ is_active: false }).where('id', '=', third.advisory_id).execute(),
  )
  // Nobody else sees or decides them, even without the router's access check.
  for (const claims of [{ as: 'anonymous' }, { as: 'user', userId: first.id, role: 'mfa_coordinator' }] as const)
    await expect(withClaims(database, claims, (db) => findWithheld(db, source.id)).catch(() => [])).resolves.toEqual([])
  const released = await decide([first.id, second.id, third.id], 'released')
  expect(released.body).toMatchObject({ released: 2, dropped: 1 })
  const rows = await findAnnouncements()
  expect(rows.map((row) => row.advisory_id).sort()).toEqual([first.advisory_id, second.advisory_id].sort())
  expect(rows[0]!.texts.en.reason).toBe('New advisory')
  const again = await decide([first.id], 'released')
  expect([again.status, again.body.code]).toEqual([409, 'stale'])
  const dropped = await decide(
    others.map(({ id }: { id: string }) => id),
    'dropped',
  )
  expect(dropped.body).toMatchObject({ released: 0, dropped: BURST_SIZE - 2 })
  expect(await findAnnouncements()).toHaveLength(2)
  expect(await withheld(source)).toEqual([])
  expect((await audits()).map(({ action }) => action)).toEqual(['news.release', 'news.drop'])
  // The next import withholds nothing again.
  await read(source, [peru, ...burst])
  expect(await withheld(source)).toEqual([])
})

test('a source or an advisory excluded from notifications announces nothing', async () => {
  const quiet = await knownSource({ auto_notify: false })
  await read(quiet, [{ ...peru, severity_level: 'emergency' }])
  const source = await knownSource()
  await inside((db) => db.updateTable('travel_advisories').set({ auto_notify: false }).execute())
  await read(source, [{ ...peru, severity_level: 'emergency' }])
  expect(await findAnnouncements()).toEqual([])
  const [row] = await inside((db) => db.selectFrom('travel_advisories').selectAll().execute())
  expect(row!.auto_notify).toBe(false)
})

test('a duplicate from a second feed of the same authority is announced once', async () => {
  const [first, second] = [
    await knownSource({ authority: 'twins', position: 1 }),
    await knownSource({ authority: 'twins', position: 2 }),
  ]
  const worse = { ...peru, severity_level: 'critical' as const }
  await read(second, [worse])
  await read(first, [worse])
  expect(await findAnnouncements()).toMatchObject([{ reason: 'escalated' }])
  const detailed_information = '<p>Leave now.</p>'
  await read(second, [{ ...worse, detailed_information }])
  expect(await findAnnouncements()).toHaveLength(1)
  await read(first, [{ ...worse, detailed_information }])
  expect(await reasons()).toEqual(['escalated', 'instruction_changed'])
})

test('a cancelled advisory is announced as withdrawn, a replaced one as its replacement', async () => {
  const alert = feedItem({ external_id: 'a1', severity_level: 'critical', country_codes: ['PE'] })
  const source = await knownSource({}, [peru, alert])
  await read(source, [peru, feedItem({ ...alert, external_id: 'a2', supersedes: ['a1'] })], { isPartial: true })
  expect(await reasons()).toEqual(['new'])
  const cancellation = feedItem({ ...alert, external_id: 'a3', supersedes: ['a2'], is_cancellation: true })
  await read(source, [peru, cancellation], { isPartial: true })
  expect(await reasons()).toEqual(['new', 'withdrawn'])
})

test('an administrator announces by publishing, marking as urgent, withdrawing and restoring', async () => {
  const { id } = await create({ auto_notify: true })
  const set = async (body: object) => {
    const { updated_at } = await inside((db) =>
      db.selectFrom('travel_advisories').select('updated_at').where('id', '=', id).executeTakeFirstOrThrow(),
    )
    const made_from = updated_at.toISOString()
    const answer = await ask('PATCH', `/travel-advisories/${id}`, { made_from, reason: 'As we heard', ...body })
    expect(answer.status).toBe(200)
  }
  for (const body of [{ is_urgent: true }, { is_active: false }, { is_active: true }, { is_active: false }])
    await set(body)
  const rows = await findAnnouncements()
  expect(rows.map(({ reason }) => reason)).toEqual(['new', 'escalated', 'withdrawn', 'new', 'withdrawn'])
  expect(rows[3]!.texts.en.reason).toBe('In force again')
})

test('drafts, tests and excluded advisories are announced to nobody', async () => {
  await create({ auto_notify: true, is_draft: true })
  await create({ auto_notify: true, title: 'TEST: Haiti' })
  await create({ auto_notify: false })
  expect(await findAnnouncements()).toEqual([])
})

test('resolving a country name notifies those who follow that country', async () => {
  const lost = feedItem({
    external_id: 'x',
    country_codes: [],
    unresolved_countries: ['Atlantis'],
    severity_level: 'critical',
  })
  await knownSource({}, [peru, lost])
  expect(await findAnnouncements()).toEqual([])
  const answer = await ask('POST', '/admin/travel-advisories/unresolved', { name: 'Atlantis', country: 'BO' })
  expect(answer.body).toMatchObject({ resolved: 1 })
  const [row] = await findAnnouncements()
  expect(row).toMatchObject({
    reason: 'escalated',
    texts: { en: { reason: 'Now also covers Bolivia', countries: 'Bolivia' } },
  })
})
