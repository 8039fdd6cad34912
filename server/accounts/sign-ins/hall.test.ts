import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { accountApp, accountOf, createBrowser, PASSWORD } from '#server/testing/accounts.ts'
import { testDatabase } from '#server/testing/database.ts'
import { hashPassword } from '../passwords.ts'

const PEOPLE = 200
const HALL = '203.0.113.7'

const database = await testDatabase()
const app = await accountApp(database, { trustedProxies: 1, pause: async () => {} })

/** Everybody at once in groups, as people in a hall do it. */
async function everybody(one: (person: number) => Promise<number>): Promise<number[]> {
  const statuses: number[] = []
  for (let at = 0; at < PEOPLE; at += 5)
    statuses.push(...(await Promise.all(Array.from({ length: 5 }, (_, more) => one(at + more)))))
  return statuses
}

test(`${PEOPLE} people behind one address sign in, a third of them with a slip at first`, async () => {
  // All have the same password here, hashed once: making it takes as long as checking it.
  const hash = await hashPassword(PASSWORD)
  const emailOf = (person: number) => `hall-${person}@example.org`
  for (let person = 0; person < PEOPLE; person++)
    await database.requests.pool.query(
      `with made as (insert into auth_users (id, name, email, email_verified) values ($1, 'Specimen', $2, true) returning id)
       insert into auth_accounts (id, user_id, provider_id, account_id, password)
         select gen_random_uuid(), id, 'credential', id::text, $3 from made`,
      [randomUUID(), emailOf(person), hash],
    )
  const statuses = await everybody(async (person) => {
    const browser = createBrowser(app, { address: HALL })
    if (person % 3 === 0) {
      const slip = await browser.post('/auth/login', { email: emailOf(person), password: 'a slip of the finger' })
      expect(slip.status).toBe(401)
    }
    return (await browser.post('/auth/login', { email: emailOf(person), password: PASSWORD })).status
  })
  expect(new Set(statuses)).toEqual(new Set([200]))
}, 400_000)

test(`${PEOPLE} people behind one address sign up`, async () => {
  const emailOf = (person: number) => `new-${person}@example.org`
  const statuses = await everybody(async (person) => {
    const { status } = await createBrowser(app, { address: HALL }).post('/auth/signup', {
      first_name: 'Ana',
      last_name: 'Cruz',
      email: emailOf(person),
      password: PASSWORD,
      accept_terms: true,
    })
    return status
  })
  expect(new Set(statuses)).toEqual(new Set([202]))
  expect(await accountOf(database, emailOf(PEOPLE - 1))).toBeDefined()
}, 400_000)
