import { sql } from 'kysely'
import { createApp } from '#server/app.ts'
import { pageOfText } from '#server/assistant/knowledge/chunks.ts'
import { writePage } from '#server/assistant/knowledge/page-import.ts'
import type { ModelSettings } from '#server/assistant/model/provider.ts'
import { projectLocales } from '#server/churches/projection.ts'
import { loadFaq } from '#server/content/faq-loader.ts'
import { createCountries } from '#server/countries/reference.ts'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import { openPglite } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { createLog } from '#server/log.ts'
import { insertAdvisory, insertSource } from '#server/testing/factory.ts'
import { ADVISORIES, CITIES, FACTS, LOCALES, PAGES, SERVICES } from './records.ts'

/** A Tuesday. */
export const NOW = new Date('2026-03-10T09:00:00Z')

export type World = Awaited<ReturnType<typeof openWorld>>

/** The portal over a small fixed set of records, with no network, no files and a fixed clock. */
export async function openWorld() {
  const database = await openPglite()
  await migrate(database)
  const pieces = await fill(database)
  return {
    database,
    /** Name of a record in the question files. Chunk ids are random and differ between runs. */
    nameOf: (record: string) => pieces.get(record) ?? record,
    openApp: (model?: ModelSettings) =>
      createApp({
        database,
        log: createLog('silent'),
        mode: 'test',
        publicUrl: 'http://portal.invalid',
        secret: 'a secret that only the evaluation knows of',
        readSession: (_, address) => ({ address, user: null }),
        now: () => NOW,
        model,
        assistant: { rates: { address: 1_000_000, account: 1_000_000 } },
      }),
    close: () => database.close(),
  }
}

/** Inserts the records. Returns the names of the knowledge chunks. */
async function fill(database: Database): Promise<Map<string, string>> {
  return inBackground(database, 'evaluation', async (db) => {
    await loadFaq(db)
    await db.insertInto('cities').values(CITIES).execute()
    await insertFacts(db)
    await insertAdvisories(db)
    await insertLocales(db)
    // A daily model limit that the evaluation never reaches.
    await sql`insert into settings (key, value) values
      ('assistant.model_calls_per_day', '100000'), ('assistant.model_calls_per_visitor', '100000')`.execute(db)
    return insertPages(db)
  })
}

async function insertFacts(db: Db): Promise<void> {
  await db.deleteFrom('assistant_facts').execute()
  await db
    .insertInto('assistant_facts')
    .values(
      FACTS.map(({ value, ...fact }, position) => ({
        country_code: null,
        purpose: null,
        source_title: 'Department of Migrant Workers',
        source_url: `https://dmw.example/${fact.id}`,
        checked_on: '2026-02-01',
        valid_until: '2026-12-31',
        position,
        ...fact,
        value: JSON.stringify(value ?? {}),
      })),
    )
    .execute()
}

async function insertAdvisories(db: Db): Promise<void> {
  const { id: source_id } = await insertSource(db, { last_success_at: NOW, last_attempt_at: NOW })
  for (const { name: _, ...advisory } of ADVISORIES)
    await insertAdvisory(db, { source_id, last_updated: new Date('2026-03-05T00:00:00Z'), ...advisory })
}

async function insertLocales(db: Db): Promise<void> {
  for (const { name: _, hasTimes, ...locale } of LOCALES) {
    await db
      .insertInto('locales')
      .values({
        name: `Locale of ${locale.city}`,
        confirmed_at: new Date('2026-02-20T00:00:00Z'),
        confirmed_as: 'local_servant',
        general_contact_available: true,
        languages: ['en', 'tl'],
        ...locale,
      })
      .execute()
    const times = SERVICES.map((service, position) => ({ ...service, locale_id: locale.id, position }))
    if (hasTimes) await db.insertInto('locale_schedules').values(times).execute()
  }
  const countries = createCountries()
  await projectLocales(
    db,
    LOCALES.map(({ id }) => id),
    (code) => countries.find(code)?.name ?? null,
  )
}

async function insertPages(db: Db): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const { name, text, ...page } of PAGES) {
    const { id } = await writePage(db, { ...page, origin: 'text', page: pageOfText(text), by: null, now: NOW })
    const pieces = await db.selectFrom('knowledge_chunks').select('id').where('source_id', '=', id).execute()
    for (const piece of pieces) names.set(`page:${piece.id}`, `page:${name}`)
  }
  for (const { name, id } of ADVISORIES) names.set(`advisory:${id}`, `advisory:${name}`)
  for (const { name, id } of LOCALES) names.set(`locale:${id}`, `locale:${name}`)
  return names
}
