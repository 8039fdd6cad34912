import { pino } from 'pino'
import { expect, test } from 'vitest'

import { accountApp, createBrowser, createPasswordAccount, PASSWORD } from '#server/testing/accounts.ts'
import { testDatabase } from '#server/testing/database.ts'

const database = await testDatabase()
const lines: Record<string, unknown>[] = []
const log = pino(
  { base: null, timestamp: false, messageKey: 'text', formatters: { level: (level) => ({ level }) } },
  { write: (line: string) => lines.push(JSON.parse(line)) },
)
const app = await accountApp(database, { log })

const email = 'ana@example.org'
await createPasswordAccount(database, { email })

const written = () => lines.splice(0).filter(({ text }) => text === 'signed in' || text === 'refused')

test('a sign-in is logged with its method and a wrong password with its code, neither with an address', async () => {
  const browser = createBrowser(app)
  written()
  await browser.post('/auth/login', { email, password: 'not hers at all' })
  await browser.post('/auth/login', { email, password: PASSWORD })
  await createBrowser(app).post('/auth/token', { grant_type: 'password', email, password: PASSWORD })
  const found = written()
  expect(found).toMatchObject([
    { level: 'warn', text: 'refused', code: 'invalid_credentials', status: 401, endpoint: 'POST /auth/login' },
    { level: 'info', text: 'signed in', method: 'password', account: expect.any(String) },
    { level: 'info', text: 'signed in', method: 'password', account: expect.any(String) },
  ])
  expect(JSON.stringify(found)).not.toMatch(/ana@|Cruz|not hers|lanterns/)
})

test('a call the role does not allow is logged with the account, and the end of a session is not', async () => {
  const browser = createBrowser(app)
  await browser.post('/auth/login', { email, password: PASSWORD })
  const [{ account: id } = {}] = written()
  expect((await browser.get('/admin-operations/users')).status).toBe(403)
  expect(written()).toContainEqual(
    expect.objectContaining({ level: 'warn', text: 'refused', status: 403, code: 'forbidden', account: id }),
  )
  expect((await createBrowser(app).get('/admin-operations/users')).status).toBe(401)
  expect(written()).toEqual([])
})
