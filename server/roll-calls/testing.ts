import type { App } from '#server/app.ts'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import type { ReadSession } from '#server/http/session.ts'
import { AS } from '#server/testing/app.ts'
import { createTestUser, type TestUser } from '#server/testing/users.ts'
import type { Role } from '#shared/roles.ts'

/** "role id countries chapters", lists separated by commas, or a minus. */
export const scopedSession: ReadSession = (request, address) => {
  const [role, id, countries, chapters] = (request.headers.get(AS) ?? '').split(' ')
  const list = (text: string | undefined) => (text && text !== '-' ? text.split(',') : null)
  const limits = { countries: list(countries), chapters: list(chapters) }
  const scope = limits.countries || limits.chapters ? { scope: limits } : {}
  return { address, user: role && id ? { id, name: 'Test', role: role as Role, ...scope } : null }
}

/** Two countries with a chapter each, their coordinators, and three travelers in the first. */
export async function scene(database: Database) {
  const work = <T>(run: (db: Db) => Promise<T>) => inBackground(database, 'test', run)
  const chapterOf = (name: string, country_code: string, coordinator: TestUser | null) =>
    work((db) =>
      db
        .insertInto('mfa_local_chapters')
        .values({
          chapter_name: name,
          country_code,
          coordinator_id: coordinator?.id ?? null,
          contact_person: 'Desk',
          contact_phone: '+81 3 0000 0000',
        } as never)
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
  const admin = await createTestUser(database, 'admin', { first_name: 'Adam' })
  const leader = await createTestUser(database, 'local_servant', { first_name: 'Lea', scope_countries: ['XX'] })
  const chapter = (await chapterOf('Tokyo', 'JP', leader)).id
  const elsewhere = (await chapterOf('Lima', 'PE', null)).id
  const here = await createTestUser(database, 'mfa_coordinator', { first_name: 'Hana', scope_countries: ['JP'] })
  const there = await createTestUser(database, 'mfa_coordinator', { first_name: 'Pedro', scope_countries: ['PE'] })
  const ana = await createTestUser(database, 'traveler', {
    country_code: 'JP',
    chapter_id: chapter,
    phone_number: '+819011112222',
  })
  const ben = await createTestUser(database, 'member', { first_name: 'Ben', country_code: 'PH', countries: ['JP'] })
  const carl = await createTestUser(database, 'traveler', {
    first_name: 'Carl',
    country_code: 'PE',
    chapter_id: elsewhere,
  })
  const as = {
    admin: admin.as,
    leader: `${leader.as} - -`,
    here: `${here.as} JP -`,
    there: `${there.as} PE -`,
  }
  // A servant without a scope who leads the chapter.
  as.leader = `local_servant ${leader.id} XX -`
  return { admin, leader, here, there, ana, ben, carl, chapter, elsewhere, as, work }
}

/** Sends a request as a user; returns body and status. */
export const asking =
  (app: Pick<App, 'request'>) =>
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at what it expects of an answer
  async (as: string | null, method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> => {
    const response = await app.request(`/api${path}`, {
      method,
      headers: { ...(as ? { [AS]: as } : {}), ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text }
  }
