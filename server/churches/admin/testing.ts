import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import { AS, testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser } from '#server/testing/users.ts'

/** Valid input for a church in Nairobi; override only what the test is about. */
export const nairobi = (more: Record<string, unknown> = {}) => ({
  name: `Locale of Nairobi ${randomUUID().slice(0, 8)}`,
  address_line1: 'Moi Avenue 1',
  city: 'Nairobi',
  country_code: 'KE',
  ...more,
})

/** The portal on its own database, with a signed-in administrator. */
export async function churchAdministration(existing?: Database) {
  const database = existing ?? (await testDatabase())
  const app = await testApp(database)
  const admin = await createTestUser(database, 'admin', { display_name: 'Ada Admin' })
  const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)

  async function ask(method: string, path: string, body?: unknown, as: string | null = admin.as) {
    const response = await app.request(`http://portal.test/api${path}`, {
      method,
      headers: { ...(as ? { [AS]: as } : {}), origin: 'http://portal.test', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    // biome-ignore lint/suspicious/noExplicitAny: answers of many endpoints
    return { status: response.status, text, body: (text.startsWith('{') ? JSON.parse(text) : {}) as any, response }
  }

  return {
    database,
    app,
    admin,
    inside,
    ask,
    async create(more: Record<string, unknown> = {}) {
      const answer = await ask('POST', '/locales', nairobi({ save_anyway: true, ...more }))
      expect(answer.body).toMatchObject({ success: true })
      return answer.body.locale as { id: string; updated_at: string; name: string; timezone: string | null }
    },
    publicOf: (id: string) =>
      inside((db) => db.selectFrom('public_locales').selectAll().where('id', '=', id).executeTakeFirst()),
    audits: (subject: string) =>
      inside((db) => db.selectFrom('audit_log').selectAll().where('subject_id', '=', subject).orderBy('id').execute()),
  }
}
