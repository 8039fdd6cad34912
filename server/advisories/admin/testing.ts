import { randomUUID } from 'node:crypto'
import { beforeEach, expect } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { AS, testApp } from '#server/testing/app.ts'
import { emptyTables, testDatabase } from '#server/testing/database.ts'
import { insertSource } from '#server/testing/factory.ts'
import type { AdvisoryEntryInput } from '#shared/advisories/entry.ts'

export const ADMIN = `admin ${randomUUID()}`

/** Valid input of the admin form; override only what the test is about. */
export const haiti = (more: Record<string, unknown> = {}) =>
  ({
    source_id: 'ph-dfa',
    title: 'Haiti: Alert level 3',
    description: 'Gangs hold the capital.',
    national_alert_level: 3,
    countries: ['Haiti'],
    recommendations: ['Leave while flights go.', 'Register with the embassy.'],
    ...more,
  }) as AdvisoryEntryInput

/** The portal on its own database, with one manual source and a signed-in administrator. */
export async function administration() {
  const database = await testDatabase()
  const app = await testApp(database)
  const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)

  beforeEach(async () => {
    await emptyTables(database)
    await inside((db) =>
      insertSource(db, { id: 'ph-dfa', organization: 'Department of Foreign Affairs', reader: 'manual', url: null }),
    )
    await app.readModel.catchUp()
  })

  async function ask(method: string, path: string, body?: unknown, as: string | null = ADMIN) {
    const response = await app.request(`http://portal.test/api${path}`, {
      method,
      headers: { ...(as ? { [AS]: as } : {}), origin: 'http://portal.test', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    // biome-ignore lint/suspicious/noExplicitAny: answers of many endpoints
    return { status: response.status, text, body: (text.startsWith('{') ? JSON.parse(text) : {}) as any }
  }

  return {
    database,
    app,
    inside,
    ask,
    audits: () => inside((db) => db.selectFrom('audit_log').selectAll().orderBy('id').execute()),
    async create(more: Record<string, unknown> = {}) {
      const answer = await ask('POST', '/travel-advisories', haiti(more))
      expect(answer.body).toMatchObject({ success: true })
      return answer.body.advisory as { id: string; updated_at: string; version: number }
    },
    async publicTitles(node = app): Promise<string[]> {
      await node.readModel.catchUp()
      const answer = await node.request('http://portal.test/api/public/travel-advisories')
      const { advisories } = (await answer.json()) as { advisories: { title: string }[] }
      return advisories.map(({ title }) => title)
    },
  }
}
