import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '#server/testing/database.ts'
import { migrate } from './migrate.ts'

const database = await testDatabase()

test('an up-to-date database is left as it is', async () => {
  expect(await migrate(database)).toEqual([])
})

test('the portal does not start on a newer database, and says what to do', async () => {
  await sql`insert into migrations (name) values ('9999_of_tomorrow.sql')`.execute(database.background.kysely)
  await expect(migrate(database)).rejects.toThrow(
    /newer than this version.*9999_of_tomorrow\.sql.*Start the newer version/s,
  )
})
