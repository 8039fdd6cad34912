import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '#server/testing/database.ts'
import { migrate } from './migrate.ts'

const database = await testDatabase()

test('a database that is up to date is left as it is', async () => {
  expect(await migrate(database)).toEqual([])
})

test('a version of the portal does not start on a database that is newer, and says what to do', async () => {
  await sql`insert into migrations (name) values ('9999_of_tomorrow.sql')`.execute(database.background.kysely)
  await expect(migrate(database)).rejects.toThrow(
    /newer than this version.*9999_of_tomorrow\.sql.*Start the newer version/s,
  )
})
