import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { migrate } from '#server/db/migrate.ts'
import { listMigrations } from '#server/db/migration-files.ts'
import { backupPlaces, openPlace } from '#server/testing/backups.ts'
import { insertAdvisory, insertSource } from '#server/testing/factory.ts'
import { typeUntyped } from './type-backfill.ts'

const { emptyPlace } = backupPlaces()

test('an upgrade reads the types of stored advisories again, but of no source that states them itself', async () => {
  const database = await openPlace(await emptyPlace())
  const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)
  const read = { advisory_type: 'health' as const, advisory_types: ['health'] }
  const texts = {
    original_wording: 'Avoid all travel',
    description: 'Avoid all travel. Latest update: The Health section was updated.',
  }
  try {
    await migrate(
      database,
      (await listMigrations()).filter(({ name }) => name < '0028'),
    )
    for (const reader of ['ca', 'gdacs', 'manual'])
      await inside(async (db) => {
        const url = reader === 'manual' ? null : 'https://example.org/feed'
        const { id } = await insertSource(db, { id: `of-${reader}`, reader, url })
        await insertAdvisory(db, { ...texts, ...read, source_id: id, external_id: reader })
      })
    await migrate(database)
    await inside(typeUntyped)
    const rows = await inside((db) =>
      db.selectFrom('travel_advisories').select(['source_id', 'advisory_type', 'advisory_types', 'version']).execute(),
    )
    expect(new Map(rows.map(({ source_id, ...types }) => [source_id, types]))).toEqual(
      new Map([
        ['of-ca', { advisory_type: 'general', advisory_types: ['health'], version: 1 }],
        ['of-gdacs', { ...read, version: 1 }],
        ['of-manual', { ...read, version: 1 }],
      ]),
    )
  } finally {
    await database.close()
  }
})
