import { beforeEach, expect, test } from 'vitest'
import { accountApp, createBrowser, PASSWORD } from '#server/testing/accounts.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createAccount } from './create-account.ts'
import { hashed } from './hash-worker.ts'
import { count, countTry, readCounts, takeBack } from './limits.ts'

const database = await testDatabase()
const app = await accountApp(database)

beforeEach(() => database.requests.kysely.deleteFrom('rate_limits').execute())

const limit = { name: 'test', count: 7, seconds: 60 }

test('concurrent attempts are all counted, and no address is stored', async () => {
  const tries = await Promise.allSettled(Array.from({ length: 30 }, () => countTry(database, limit, '203.0.113.9')))
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(7)
  const { rows } = await database.requests.pool.query('select * from rate_limits')
  expect(JSON.stringify(rows)).not.toContain('203.0.113')
})

test('several subjects are counted and released together, in any order', async () => {
  const both = ['a', 'b'].map((subject) => ({ limit, subject }))
  await Promise.all(Array.from({ length: 20 }, (_, at) => count(database, at % 2 ? both : [...both].reverse())))
  expect((await readCounts(database, both)).map(({ used }) => used)).toEqual([20, 20])
  await Promise.all(Array.from({ length: 25 }, () => takeBack(database, both)))
  expect((await readCounts(database, [...both, { limit, subject: 'c' }])).map(({ used }) => used)).toEqual([0, 0, 0])
})

test('a 429 says when to come back, as text and as a header', async () => {
  for (let at = 0; at < 7; at++) await countTry(database, { ...limit, seconds: 900 }, 'x')
  await expect(countTry(database, { ...limit, seconds: 900 }, 'x')).rejects.toMatchObject({
    status: 429,
    code: 'too_many_requests',
    message: 'Too many attempts. Please try again in 15 minutes.',
    headers: { 'retry-after': '900' },
  })
})

test('a password is also hashed for an unknown address or number, so that timing reveals nothing', async () => {
  const email = 'somebody@example.org'
  await createAccount(database, { email, first_name: 'Ana', last_name: 'Cruz', role: 'traveler', password: PASSWORD })
  const phone = '+639175551234'
  await database.requests.pool.query(
    'update auth_users set phone_number = $1, phone_number_verified = true where email = $2',
    [phone, email],
  )
  await database.requests.pool.query(
    `insert into auth_users (id, name, email, email_verified) values (gen_random_uuid(), 'No password', 'no-password@example.org', true)`,
  )
  const login = (who: object) => () => createBrowser(app).post('/auth/login', { ...who, password: 'a wrong password' })
  const calls: Record<string, () => Promise<unknown>> = {
    known: login({ email }),
    unknown: login({ email: 'nobody@example.org' }),
    'without a password': login({ email: 'no-password@example.org' }),
    'known number': login({ phone }),
    'unknown number': login({ phone: '+639175559999' }),
  }
  for (const [name, call] of Object.entries(calls)) {
    const before = hashed()
    await call()
    expect([name, hashed() - before]).toEqual([name, 1])
  }
}, 60_000)
