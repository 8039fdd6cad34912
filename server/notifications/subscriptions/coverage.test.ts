import { describe, expect, test } from 'vitest'
import { resolveAgain } from '#server/advisories/country-resolution.ts'
import { importFeed } from '#server/advisories/import-feed.ts'
import { createCountries } from '#server/countries/reference.ts'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { leaseDue } from '#server/delivery/leases.ts'
import { testDatabase } from '#server/testing/database.ts'
import { feedItem, insertAdvisory, insertSource } from '#server/testing/factory.ts'
import { createTestUser } from '#server/testing/users.ts'
import { announce } from '../announcements/create.ts'
import { fanOutDue } from '../announcements/fan-out.ts'
import { SKIP_REASON } from '../announcements/skip-reason.ts'

const database = await testDatabase()
const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)
const texts = { en: { title: 'Leave', message: 'Now.' }, ar: { title: 'غادروا', message: 'الآن.' } }
const subscriber = (more: object) =>
  createTestUser(database, 'traveler').then(async ({ id }) => {
    await inside((db) =>
      db
        .insertInto('advisory_subscriptions')
        .values({ user_id: id, channels: ['email'], ...more })
        .execute(),
    )
    return id
  })

/** Announces the advisory; returns who has a message and which of them are sent. */
async function announced(id: string) {
  await inside((db) =>
    announce(db, {
      key: `advisory ${id}`,
      kind: 'advisory',
      priority: 'high',
      template: 'advisory',
      texts,
      actionUrl: `/travel-advisories/${id}`,
      advisory: { id, version: 1, reason: 'new' },
      audience: null,
      channels: null,
    }),
  )
  await fanOutDue(database)
  const options = { limit: 500, madeUpDomain: undefined, skipReason: SKIP_REASON }
  const rows = await leaseDue(database, { channel: 'email', ...options })
  return {
    told: rows.map((row) => row.user_id),
    void: rows.filter((row) => row.skip_reason !== null).map((row) => row.user_id),
  }
}

type Advisory = Parameters<typeof insertAdvisory>[1]

describe('recipients of an advisory', () => {
  test.each<[string, object, Advisory, boolean]>([
    ['type asked for', { advisory_types: ['security'] }, { advisory_type: 'security' }, true],
    [
      'another type',
      { advisory_types: ['health'] },
      { advisory_type: 'security', advisory_types: ['security'] },
      false,
    ],
    ['no type in the source or its text', { advisory_types: ['health'] }, { advisory_type: 'general' }, true],
    ['no type, read for types', { advisory_types: ['health'] }, { advisory_type: 'general', advisory_types: [] }, true],
    [
      'the second of two types',
      { advisory_types: ['health'] },
      { advisory_type: 'security', advisory_types: ['security', 'health'] },
      true,
    ],
    ['an event of no listed type', { advisory_types: ['weather'] }, { advisory_type: 'other' }, true],
    [
      'an earthquake, for who asked for natural disasters',
      { advisory_types: ['weather'] },
      { advisory_type: 'other', advisory_types: ['weather'] },
      true,
    ],
    [
      'an earthquake, for who asked for health',
      { advisory_types: ['health'] },
      { advisory_type: 'other', advisory_types: ['weather'] },
      false,
    ],
    ['one of several countries', { countries: ['BO', 'PE'] }, { country_codes: ['CL', 'PE'] }, true],
    ['another country', { countries: ['BO'] }, { country_codes: ['PE'] }, false],
    [
      'one country known, another not resolved',
      { countries: ['PE'] },
      { country_codes: ['PE'], unresolved_countries: ['Tokelau'] },
      true,
    ],
    [
      'a government naming no country means the world',
      { countries: ['PE'] },
      { country_codes: [], affected_countries: [] },
      true,
    ],
    [
      'a government naming a region only',
      { countries: ['PE'] },
      { country_codes: [], affected_countries: [], affected_regions: ['Sulu Sea'] },
      false,
    ],
    [
      'a country that nobody could resolve, for who follows one country',
      { countries: ['PE'] },
      { country_codes: [], unresolved_countries: ['Hayastani'] },
      false,
    ],
    [
      'a country that nobody could resolve, for who follows all',
      { countries: [] },
      { country_codes: [], unresolved_countries: ['Hayastani'] },
      true,
    ],
    ['level asked for', { severity_levels: ['critical'] }, { severity_level: 'critical' }, true],
    ['another level', { severity_levels: ['emergency'] }, { severity_level: 'critical' }, false],
    [
      'type and country asked for, level not',
      { advisory_types: ['security'], countries: ['PE'], severity_levels: ['emergency'] },
      { advisory_type: 'security', country_codes: ['PE'], severity_level: 'critical' },
      false,
    ],
    [
      'type, country and level asked for',
      { advisory_types: ['security'], countries: ['PE'], severity_levels: ['emergency'] },
      { advisory_type: 'security', country_codes: ['PE'], severity_level: 'emergency' },
      true,
    ],
  ])('%s', async (_, subscription, advisory, reaches) => {
    const id = await subscriber(subscription)
    const { id: advisoryId } = await inside((db) => insertAdvisory(db, { severity_level: 'critical', ...advisory }))
    const { told: recipients, void: droppedUserIds } = await announced(advisoryId)
    expect(recipients.includes(id)).toBe(reaches)
    // The check at sending time applies the same rule: nothing announced is dropped later.
    expect(droppedUserIds).not.toContain(id)
  })

  test('an event over open sea, from a non-government source, does not match every country', async () => {
    const id = await subscriber({ countries: ['PE'] })
    const { id: source_id } = await inside((db) => insertSource(db, { country_code: null }))
    const sea = await inside((db) =>
      insertAdvisory(db, { source_id, severity_level: 'critical', country_codes: [], affected_countries: [] }),
    )
    expect((await announced(sea.id)).told).not.toContain(id)
  })
})

const countries = createCountries()
const peru = feedItem({
  external_id: 'pe',
  title: 'Peru: Exercise Increased Caution',
  description: 'Exercise increased caution due to health.',
  severity_level: 'caution',
  country_codes: ['PE'],
})

async function reasonsOf(before: object, after: object) {
  const source = await inside((db) => insertSource(db, { minimum_items: 1 }))
  const read = (item: object, index: number) =>
    inside((db) =>
      importFeed(
        db,
        source,
        { items: [{ ...peru, ...item }], rejected: [], follow: [], isComplete: true },
        { cause: 'schedule', now: new Date(Date.now() + index * 1_000), countries },
      ),
    )
  await read(before, 0)
  await read(after, 1)
  return inside((db) =>
    db
      .selectFrom('announcements as n')
      .innerJoin('travel_advisories as a', 'a.id', 'n.advisory_id')
      .select(['n.reason', 'n.texts'])
      .where('a.source_id', '=', source.id)
      .where('n.status', '<>', 'cancelled')
      .execute(),
  )
}

describe('an advisory that changes', () => {
  test('a further type: its subscribers are notified of what it concerns now', async () => {
    const [announcement, ...more] = await reasonsOf(
      {},
      { description: 'Exercise increased caution due to health and crime.' },
    )
    expect(announcement).toMatchObject({
      reason: 'escalated',
      texts: { en: { message: expect.stringContaining('security') } },
    })
    expect(more).toEqual([])
  })

  test('a first type, or fewer: nobody is notified again', async () => {
    expect(await reasonsOf({ description: 'Be careful.' }, { description: 'Be careful due to crime.' })).toEqual([])
    expect(await reasonsOf({ description: 'Due to crime and health.' }, { description: 'Due to crime.' })).toEqual([])
  })

  test('a raised level: subscribers to that level alone are notified', async () => {
    const id = await subscriber({ severity_levels: ['critical'], countries: ['PE'] })
    expect(await reasonsOf({}, { severity_level: 'critical' })).toMatchObject([{ reason: 'escalated' }])
    await fanOutDue(database)
    const sent = await inside((db) => db.selectFrom('messages').selectAll().where('user_id', '=', id).execute())
    expect(sent).toHaveLength(1)
  })

  test('a country name resolved by an administrator: followers of that country are notified', async () => {
    const id = await subscriber({ severity_levels: ['critical'], countries: ['AM'] })
    await inside((db) =>
      insertAdvisory(db, {
        severity_level: 'critical',
        auto_notify: true,
        country_codes: [],
        unresolved_countries: ['Armenia'],
      }),
    )
    await inside((db) => resolveAgain(db, countries))
    await fanOutDue(database)
    const sent = await inside((db) => db.selectFrom('messages').selectAll().where('user_id', '=', id).execute())
    expect(sent).toHaveLength(1)
  })
})
