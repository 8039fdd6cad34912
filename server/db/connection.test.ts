import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { testDatabase } from '#server/testing/database.ts'
import { urlOf } from '#server/testing/delivery-process.ts'
import { openPostgres } from './connection.ts'

const database = await testDatabase()
const hasServer = database.engine === 'postgres'

test.skipIf(!hasServer)('a request is given up soon when its statement or its connection takes too long', async () => {
  const { requests, close } = openPostgres(await urlOf(database), { poolSize: 1 })
  onTestFinished(close)
  await expect(requests.pool.query('select pg_sleep(50)')).rejects.toMatchObject({ code: '57014' })
  const client = await requests.pool.connect()
  try {
    await expect(requests.pool.query('select 1')).rejects.toThrow('timeout exceeded when trying to connect')
  } finally {
    client.release()
  }
})

test.skipIf(!hasServer)('a test waits for a busy database, so that a busy machine does not fail it', async () => {
  const { pool } = database.requests
  const clients = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  const waiting = pool.query('select 1 as one')
  await setTimeout(700)
  for (const client of clients) client.release()
  expect((await waiting).rows).toEqual([{ one: 1 }])
})
