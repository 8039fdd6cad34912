import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { accountApp, accountOf, createBrowser, PASSWORD, PASSWORD_HASH } from '#server/testing/accounts.ts'
import { testDatabase } from '#server/testing/database.ts'

const USER_COUNT = 200
const HALL = '203.0.113.7'

const database = await testDatabase()
const app = await accountApp(database, { trustedProxies: 1, pause: async () => {} })

/** Everyone at once in groups, as in a shared hall. */
async function everybody(action: (index: number) => Promise<number>): Promise<number[]> {
  const statuses: number[] = []
  for (let at = 0; at < USER_COUNT; at += 5)
    statuses.push(...(await Promise.all(Array.from({ length: 5 }, (_, more) => action(at + more)))))
  return statuses
}

test(`${USER_COUNT} users behind one address sign in, a third of them with a typo at first`, async () => {
  const emailOf = (index: number) => `hall-${index}@example.org`
  for (let index = 0; index < USER_COUNT; index++)
    await database.requests.pool.query(
      `with made as (insert into auth_users (id, name, email, email_verified) values ($1, 'Specimen', $2, true) returning id)
       insert into auth_accounts (id, user_id, provider_id, account_id, password)
         select gen_random_uuid(), id, 'credential', id::text, $3 from made`,
      [randomUUID(), emailOf(index), PASSWORD_HASH],
    )
  const statuses = await everybody(async (index) => {
    const browser = createBrowser(app, { address: HALL })
    if (index % 3 === 0) {
      const slip = await browser.post('/auth/login', { email: emailOf(index), password: 'a slip of the finger' })
      expect(slip.status).toBe(401)
    }
    return (await browser.post('/auth/login', { email: emailOf(index), password: PASSWORD })).status
  })
  expect(new Set(statuses)).toEqual(new Set([200]))
}, 400_000)

test(`${USER_COUNT} users behind one address sign up`, async () => {
  const emailOf = (index: number) => `new-${index}@example.org`
  const statuses = await everybody(async (index) => {
    const { status } = await createBrowser(app, { address: HALL }).post('/auth/signup', {
      first_name: 'Ana',
      last_name: 'Cruz',
      email: emailOf(index),
      password: PASSWORD,
      accept_terms: true,
    })
    return status
  })
  expect(new Set(statuses)).toEqual(new Set([202]))
  expect(await accountOf(database, emailOf(USER_COUNT - 1))).toBeDefined()
}, 400_000)
