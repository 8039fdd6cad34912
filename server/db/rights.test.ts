import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { openPostgres } from './connection.ts'
import { migrate } from './migrate.ts'

const server = process.env.TEST_DATABASE_URL
const name = `portal_rights_${randomBytes(4).toString('hex')}`

const administrator = server ? new pg.Client({ connectionString: server }) : undefined
await administrator?.connect()
afterAll(async () => {
  await administrator?.query(`drop database if exists ${name} with (force)`)
  await administrator?.query(`drop role if exists ${name}`)
  await administrator?.end()
})

test.skipIf(!server)('a user without the rights is shown the statements, and they suffice', async () => {
  await administrator!.query(`create role ${name} login password 'local-only-test'`)
  await administrator!.query(`create database ${name} template template0`)
  const url = new URL(server!)
  url.pathname = `/${name}`
  const asAdministrator = url.href
  url.username = name
  url.password = 'local-only-test'

  const start = async () => {
    const database = openPostgres(url.href, { poolSize: 2 })
    try {
      return await migrate(database)
    } finally {
      await database.close()
    }
  }
  const failure = (await start().catch((error: Error) => error)) as Error
  expect(failure.message).toContain(`alter role "${name}" createrole;`)
  expect(failure.message).toContain(`grant create on schema public to "${name}";`)
  expect(failure.message).toContain('create extension if not exists pg_trgm;')

  const inDatabase = new pg.Client({ connectionString: asAdministrator })
  await inDatabase.connect()
  for (const statement of failure.message.split('\n').filter((line) => line.endsWith(';')))
    await inDatabase.query(statement)
  await inDatabase.end()
  expect(await start()).toContain('0001_foundation.sql')
  expect(await start()).toEqual([])
})
