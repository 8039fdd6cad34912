import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { welcomeNewAccount } from '#server/accounts/welcome.ts'
import type { App } from '#server/app.ts'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import { fanOutDue } from '#server/notifications/announcements/fan-out.ts'
import { createSession, createTestUser, type TestUser } from './users.ts'

/** The two countries of the scene. Data of only one of them is marked in every text: "ONLY-IT note". */
export const COUNTRIES = ['JP', 'IT'] as const
export type Place = (typeof COUNTRIES)[number]
export const only = (place: Place | 'NOWHERE', what: string) => `ONLY-${place} ${what}`

export type TwoCountries = Awaited<ReturnType<typeof twoCountries>>

/**
 * Two countries with everything one can contain: a chapter, a church with its servant and mailbox, users, new accounts,
 * cases, roll calls, announcements, files and messages, and the notifications these caused. Also an account, a case
 * and a chapter without a country, and a roll call that asks both countries.
 */
export async function twoCountries(database: Database, app: App) {
  const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)
  const tokens = new Map<string, string>()
  async function tokenOf(who: TestUser) {
    const token = tokens.get(who.id) ?? (await createSession(database, who))
    tokens.set(who.id, token)
    return token
  }
  async function call(who: TestUser | null, method: string, path: string, body?: unknown) {
    const response = await app.request(`http://portal.test/api${path}`, {
      method,
      headers: {
        ...(who ? { authorization: `Bearer ${await tokenOf(who)}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, text, body: (text.startsWith('{') ? JSON.parse(text) : {}) as any }
  }
  async function made(who: TestUser | null, method: string, path: string, body?: unknown) {
    const answer = await call(who, method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return answer.body
  }
  async function createUser(
    place: Place | 'NOWHERE',
    name: string,
    role: Parameters<typeof createTestUser>[1],
    more: Parameters<typeof createTestUser>[2] = {},
  ) {
    const email = `only-${place.toLowerCase()}-${name.toLowerCase()}-${randomUUID().slice(0, 6)}@example.org`
    const who = await createTestUser(database, role, { email, display_name: only(place, name), ...more })
    await inside((db) =>
      db
        .updateTable('persons as o')
        .from('user_profiles as p')
        .set({ last_name: only(place, name) })
        .whereRef('o.id', '=', 'p.person_id')
        .where('p.id', '=', who.id)
        .execute(),
    )
    return { ...who, email }
  }

  const admin = await createTestUser(database, 'admin', { display_name: 'Ada Admin' })

  async function country(place: Place) {
    const mark = (what: string) => only(place, what)
    const prefix = place === 'JP' ? '+81900000' : '+39300000'
    const coordinator = await createUser(place, 'Coordinator', 'mfa_coordinator', { scope_countries: [place] })
    const pdos = await createUser(place, 'Pdos', 'pdos_coordinator', { scope_countries: [place] })
    const servant = await createUser(place, 'Servant', 'local_servant', { scope_countries: [place] })
    const chapter = await inside(async (db) => {
      const contact = { contact_person: mark('contact'), contact_email: `only-${place.toLowerCase()}-desk@example.org` }
      const values = { chapter_name: mark('chapter'), country_code: place, city: mark('city'), ...contact }
      const row = await db
        .insertInto('mfa_local_chapters')
        .values(values as never)
        .returning('id')
        .executeTakeFirstOrThrow()
      return row.id
    })
    const byChapter = await createUser(place, 'ChapterCoordinator', 'mfa_coordinator', { scope_chapters: [chapter] })
    const emergency_contact = JSON.stringify({ name: mark('mother'), phone: `${prefix}9` }) as never
    const newcomer = await createUser(place, 'Newcomer', 'traveler', {
      ...{ country_code: place, profile_status: 'pending', phone_number: `${prefix}1`, emergency_contact },
      ...{ status_reason: mark('reason'), is_flagged: true, admin_notes: mark('notes') },
    })
    await welcomeNewAccount(database, newcomer.authUserId, { publicUrl: 'http://portal.test', brand: () => 'Portal' })
    const member = await createUser(place, 'Member', 'member', { chapter_id: chapter, profile_status: 'pending' })
    const traveler = await createUser(place, 'Traveler', 'traveler', {
      country_code: place,
      phone_number: `${prefix}2`,
    })

    const church = await inside(async (db) => {
      const values = {
        ...{
          name: mark('church'),
          city: mark('city'),
          country_code: place,
          is_public: false,
          closed_reason: mark('closed'),
        },
        ...{
          local_address: mark('address'),
          phone: `${prefix}3`,
          email: `only-${place.toLowerCase()}-church@example.org`,
        },
        ...{ created_at: new Date('2020-01-01') },
      }
      const { id } = await db
        .insertInto('locales')
        .values(values as never)
        .returning('id')
        .executeTakeFirstOrThrow()
      await db
        .insertInto('locale_servants')
        .values({
          locale_id: id,
          name: mark('servant'),
          user_id: servant.id,
          email: `only-${place.toLowerCase()}-s@example.org`,
        })
        .execute()
      const correction = await db
        .insertInto('locale_corrections')
        .values({ locale_id: id, kind: 'other', message: mark('correction'), contact: mark('contact') } as never)
        .returning('id')
        .executeTakeFirstOrThrow()
      const message = await db
        .insertInto('locale_messages')
        .values({
          ...{ locale_id: id, kind: 'question', sender_name: mark('visitor'), message: mark('question') },
          sender_contact: `only-${place.toLowerCase()}-visitor@example.org`,
        } as never)
        .returning('id')
        .executeTakeFirstOrThrow()
      return { id, correction: correction.id, message: message.id }
    })

    const conversation = (await made(traveler, 'POST', '/ai/conversations', {})).conversation.id as string
    await made(traveler, 'POST', `/ai/conversations/${conversation}/messages`, { content: mark('words') })
    for (const kind of ['danger', 'call_back', 'hand_over'])
      await made(traveler, 'POST', '/ai/cases', {
        ...{ kind, country: place, name: mark('caller'), safe_phone: `${prefix}4`, note: mark('case') },
      })
    const cases = await inside((db) =>
      db.selectFrom('assistant_cases').select(['id', 'kind']).where('country_code', '=', place).execute(),
    )
    // All from one sender, and so one case.
    const taken = cases[0]!.id
    await made(coordinator, 'PUT', `/admin/assistant/cases/${taken}`, { status: 'taken', note: mark('taken') })

    const where = { countries: [place] }
    const { people } = await made(coordinator, 'POST', '/roll-calls/count', where)
    const details = { title: mark('roll call'), message: mark('are you safe'), people, once: randomUUID() }
    const rollCall = (await made(coordinator, 'POST', '/roll-calls', { ...where, ...details })).id as string
    await made(traveler, 'PUT', `/account/roll-calls/${rollCall}/answer`, {
      answer: 'need_help',
      note: mark('help me'),
    })

    const texts = {
      en: { title: mark('announcement'), message: mark('told') },
      ar: { title: mark('خبر'), message: mark('قيل') },
    }
    const announcement = (
      await made(coordinator, 'POST', '/admin-operations/announcements', {
        ...{ audience: { roles: ['traveler', 'member'] }, channels: ['in-app', 'email'], texts },
      })
    ).id as string
    await made(coordinator, 'POST', `/admin-operations/announcements/${announcement}/send`, {})

    const file = await inside(async (db) => {
      const values = {
        ...{ bucket: 'pdos-documents', owner_id: traveler.id, path: mark('file'), name: `${mark('file')}.pdf` },
        ...{ content_type: 'application/pdf', size: 3, sha256: 'x'.repeat(64) },
      }
      const row = await db
        .insertInto('stored_files')
        .values(values as never)
        .returning('id')
        .executeTakeFirstOrThrow()
      return row.id
    })
    const subscription = await inside(async (db) => {
      const values = { user_id: traveler.id, countries: [place], channels: ['email'] }
      const row = await db
        .insertInto('advisory_subscriptions')
        .values(values as never)
        .returning('id')
        .executeTakeFirstOrThrow()
      return row.id
    })
    return {
      ...{ coordinator, pdos, servant, byChapter, newcomer, member, traveler, chapter, church },
      ...{ conversation, cases, rollCall, announcement, file, subscription },
    }
  }

  const JP = await country('JP')
  const IT = await country('IT')
  const nowhere = await createUser('NOWHERE', 'Newcomer', 'traveler', { profile_status: 'pending' })
  await welcomeNewAccount(database, nowhere.authUserId, { publicUrl: 'http://portal.test', brand: () => 'Portal' })
  await made(nowhere, 'POST', '/ai/cases', {
    kind: 'danger',
    name: only('NOWHERE', 'caller'),
    note: only('NOWHERE', 'case'),
  })

  const both = { countries: [...COUNTRIES] }
  const { people } = await made(admin, 'POST', '/roll-calls/count', both)
  const shared = (
    await made(admin, 'POST', '/roll-calls', {
      ...both,
      title: 'Both countries',
      message: 'All well?',
      people,
      once: randomUUID(),
    })
  ).id as string
  for (const place of [JP, IT])
    await made(place.traveler, 'PUT', `/account/roll-calls/${shared}/answer`, {
      ...{ answer: 'need_help', note: only(place === JP ? 'JP' : 'IT', 'again') },
    })
  await fanOutDue(database)
  await app.readModel.catchUp()

  /** The contents of all tables, except what merely reading changes. */
  const state = () =>
    inside(async (db) => {
      const { rows } = await sql<{ name: string }>`
        select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
          and relname not like 'auth\\_%' and relname not in ('rate_limits', 'migrations')
          and has_table_privilege('portal_service', oid, 'select') order by 1`.execute(db)
      const found: Record<string, string> = {}
      for (const { name } of rows) {
        const { rows: hashed } = await sql<{ hash: string | null }>`
          select md5(string_agg(t::text, '|' order by t::text)) as hash from ${sql.table(name)} t`.execute(db)
        found[name] = hashed[0]!.hash ?? ''
      }
      return found
    })

  return { admin, JP, IT, nowhere, shared, person: createUser, tokenOf, call, inside, state }
}
