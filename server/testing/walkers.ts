import { sql } from 'kysely'
import type { Database } from '#server/db/connection.ts'
import { COORDINATORS, type Role } from '#shared/roles.ts'
import type { TwoCountries } from './two-countries.ts'
import { createTestUser, type TestUser } from './users.ts'

export interface Walker {
  name: string
  who: TestUser
  role: Role
  /** What this user must not see anywhere. */
  foreign: RegExp
}

/** Created before any notification, so that group notifications are theirs too. */
const EARLIER = { created_at: new Date('2020-01-01') }

const OUTSIDE_JAPAN = /only-(?:it|nowhere)[ -][^"<&,]*/gi
const ALL = /only-(?:jp|it|nowhere)[ -][^"<&,]*/gi
const OUTSIDE_CHURCH =
  /only-(?:it|nowhere)[ -][^"<&,]*|only-jp (?:caller|case|roll call|newcomer|member|traveler|chapter)/gi

/** All users with a limited view: Japan, one chapter or church in it, or nothing yet. */
export async function walkersOf(database: Database, { JP, inside }: TwoCountries): Promise<Walker[]> {
  const ofChurch = await createTestUser(database, 'local_servant', { scope_countries: ['IS'], ...EARLIER })
  await inside((db) =>
    db
      .insertInto('locale_servants')
      .values({ locale_id: JP.church.id, name: 'Second servant', user_id: ofChurch.id })
      .execute(),
  )
  const group = await createTestUser(database, 'coordinator', EARLIER)
  const member = await createTestUser(database, 'member', { country_code: 'IT', ...EARLIER })
  const unscoped: Walker[] = []
  for (const role of COORDINATORS)
    unscoped.push({ name: `a ${role} without scope`, who: await withoutScope(database, role), role, foreign: ALL })
  return [
    { name: 'an MFA coordinator of Japan', who: JP.coordinator, role: 'mfa_coordinator', foreign: OUTSIDE_JAPAN },
    { name: 'a PDOS coordinator of Japan', who: JP.pdos, role: 'pdos_coordinator', foreign: OUTSIDE_JAPAN },
    { name: 'a servant of Japan', who: JP.servant, role: 'local_servant', foreign: OUTSIDE_JAPAN },
    { name: 'a coordinator of one chapter', who: JP.byChapter, role: 'mfa_coordinator', foreign: OUTSIDE_JAPAN },
    { name: 'a servant of one church', who: ofChurch, role: 'local_servant', foreign: OUTSIDE_CHURCH },
    { name: 'a group coordinator', who: group, role: 'coordinator', foreign: ALL },
    { name: 'a member', who: member, role: 'member', foreign: ALL },
    ...unscoped,
  ]
}

/** Rows that are no longer written but may come from an old backup. */
export async function withoutScope(database: Database, role: Role): Promise<TestUser> {
  const { kysely } = database.background
  await sql`alter table user_profiles drop constraint if exists user_profiles_scope_required`.execute(kysely)
  const who = await createTestUser(database, role, { display_name: `No scope ${role}`, ...EARLIER })
  const none = { scope_everywhere: false, scope_reason: null }
  await kysely.updateTable('user_profiles').set(none).where('id', '=', who.id).execute()
  return who
}

/** Ids of every kind from Italy and from no country. */
export async function foreignIds({ IT, nowhere, inside }: TwoCountries): Promise<string[]> {
  const { newcomer, traveler, coordinator, chapter, church, conversation, rollCall, announcement, file, subscription } =
    IT
  const notifications = await inside((db) =>
    db
      .selectFrom('notifications')
      .select('id')
      .where('user_id', 'in', [coordinator.id, traveler.id])
      .orderBy('created_at')
      .limit(2)
      .execute(),
  )
  return [
    ...[newcomer.id, traveler.id, coordinator.id, chapter, church.id, church.correction, church.message, conversation],
    ...[rollCall, announcement, file, subscription, IT.cases[0]!.id, nowhere.id],
    ...notifications.map(({ id }) => id),
  ]
}

/** Content in a text that this user must not see. */
export const leaksIn = (text: string, { foreign }: Walker): string[] => [...new Set(text.match(foreign) ?? [])]
