import { beforeEach, expect, test } from 'vitest'
import { accountApp, createBrowser, PASSWORD } from '#server/testing/accounts.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createAccount } from './creating.ts'
import { hashed } from './hashing.ts'
import { countTry, LIMITS } from './limits.ts'

const database = await testDatabase()
// Two nodes over one database, behind one proxy that says from where a call came.
const nodes = [await accountApp(database, { trustedProxies: 1 }), await accountApp(database, { trustedProxies: 1 })]

beforeEach(() => database.requests.kysely.deleteFrom('rate_limits').execute())

let made = 0
async function somebody() {
  made += 1
  const email = `person-${made}@example.org`
  await createAccount(database, { email, first_name: 'Ana', last_name: 'Cruz', role: 'traveler', password: PASSWORD })
  return email
}

const TRIES = Number(process.env.PASSWORD_TRIES ?? 1_000)

/** Tries passwords, every one of another and from `addresses` places; how often the password itself was looked at. */
async function guess(email: string, addresses: number): Promise<{ looked: number; refused: number }> {
  const counted = { looked: 0, refused: 0 }
  const one = async (at: number) => {
    const response = await nodes[at % 2]!.request('/api/auth/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `198.51.100.${at % addresses}` },
      body: JSON.stringify({ email, password: `guess number ${at}` }),
    })
    await response.body?.cancel()
    if (response.status === 401) counted.looked += 1
    if (response.status === 429) counted.refused += 1
  }
  for (let at = 0; at < TRIES; at += 10) await Promise.all(Array.from({ length: 10 }, (_, more) => one(at + more)))
  return counted
}

test(`of ${TRIES} passwords tried at two nodes from one place, ten are looked at`, async () => {
  const { looked, refused } = await guess(await somebody(), 1)
  // A machine that is too busy to answer one of them has counted it all the same.
  expect(looked).toBeLessThanOrEqual(10)
  expect([looked > 0, refused > TRIES / 2]).toEqual([true, true])
}, 120_000)

test(`of ${TRIES} passwords tried at two nodes from a hundred places, sixty are looked at`, async () => {
  const email = await somebody()
  const { looked, refused } = await guess(email, 100)
  expect(looked).toBeLessThanOrEqual(60)
  expect([looked > 10, refused > TRIES / 2]).toEqual([true, true])
  // Somebody else is not hindered by it.
  const other = await somebody()
  expect((await createBrowser(nodes[0]!).post('/auth/login', { email: other, password: PASSWORD })).status).toBe(200)
}, 120_000)

test('whoever is refused is told when to come back, in words and for programs', async () => {
  const email = await somebody()
  for (let at = 0; at < 10; at++) await createBrowser(nodes[at % 2]!).post('/auth/login', { email, password: 'wrong' })
  const { status, body, headers } = await createBrowser(nodes[0]!).post('/auth/login', { email, password: PASSWORD })
  expect([status, body.code]).toEqual([429, 'too_many_requests'])
  expect(body.error).toMatch(/^That was too often\. Please try again in \d+ minutes\.$/)
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(60)
})

test('a right password forgets the wrong ones before it', async () => {
  const email = await somebody()
  for (let round = 0; round < 3; round++) {
    for (let at = 0; at < 8; at++) await createBrowser(nodes[0]!).post('/auth/login', { email, password: 'wrong' })
    expect((await createBrowser(nodes[1]!).post('/auth/login', { email, password: PASSWORD })).status).toBe(200)
  }
})

test('tries at the same instant are all counted, and no address is kept', async () => {
  const limit = { name: 'test', count: 7, seconds: 60 }
  const tries = await Promise.allSettled(Array.from({ length: 30 }, () => countTry(database, limit, '203.0.113.9')))
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(7)
  const { rows } = await database.requests.pool.query('select * from rate_limits')
  expect(JSON.stringify(rows)).not.toContain('203.0.113')
})

test('mail to one address is limited, whoever asks for it', async () => {
  const email = await somebody()
  const statuses: number[] = []
  for (const path of ['recover', 'resend', 'otp', 'recover', 'otp', 'recover'])
    statuses.push((await createBrowser(nodes[statuses.length % 2]!).post(`/auth/${path}`, { email })).status)
  expect(statuses).toEqual([202, 202, 202, 202, 202, 429])
  expect(LIMITS.mailAccount.count).toBe(5)
})

test('a password is hashed also for an address or number that nobody has, so that the answer takes its time', async () => {
  const email = await somebody()
  const phone = '+639175551234'
  await database.requests.pool.query(
    'update auth_users set phone_number = $1, phone_number_verified = true where email = $2',
    [phone, email],
  )
  await database.requests.pool.query(
    `insert into auth_users (id, name, email, email_verified) values (gen_random_uuid(), 'No password', 'no-password@example.org', true)`,
  )
  const login = (who: object) => () =>
    createBrowser(nodes[0]!).post('/auth/login', { ...who, password: 'a wrong password' })
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
