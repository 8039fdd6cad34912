import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  accountApp,
  createBrowser,
  createPasswordAccount,
  lastMessage,
  PASSWORD,
  tokenIn,
} from '#server/testing/accounts.ts'
import { testDatabase } from '#server/testing/database.ts'

const database = await testDatabase()
const SMS = { name: 'sms', url: 'https://sms.example', account: 'AC1', token: 'x', from: '+15005550006' }
const app = await accountApp(database, { providers: { sms: [SMS] } })

/** Tables that contain a text: every column of every table, read as text. */
async function tablesWith(text: string): Promise<string[]> {
  const { rows } = await sql<{ table: string }>`
    select format('%I.%I', table_schema, table_name) as table from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`.execute(
    database.background.kysely,
  )
  const found: string[] = []
  for (const { table } of rows) {
    const { rows: hits } = await sql`
      select from ${sql.raw(table)} t where position(${text} in to_jsonb(t)::text) > 0 limit 1`.execute(
      database.background.kysely,
    )
    if (hits.length > 0) found.push(table)
  }
  return found
}

test('a database dump contains nothing that signs in to an account', async () => {
  const email = 'dump@example.org'
  const phone = '+639175554000'
  await createPasswordAccount(database, { email })
  const browser = createBrowser(app)
  await browser.post('/auth/login', { email, password: PASSWORD })
  const [, cookie = ''] = [...browser.cookies].find(([name]) => name.endsWith('session_token'))!
  const secrets: Record<string, string> = { session: decodeURIComponent(cookie).split('.')[0]! }
  const grant = await browser.post('/auth/token', { grant_type: 'password', email, password: PASSWORD })
  Object.assign(secrets, { bearer: grant.body.access_token, refresh: grant.body.refresh_token })
  await browser.put('/auth/phone', { phone })
  const codeIn = (text: string) => /\b\d{6}\b/.exec(text)![0]
  const phoneCode = codeIn(await lastMessage(database, phone, 'sign-in-code'))
  secrets.phoneCode = `"${phoneCode}:`
  await browser.post('/auth/recover', { email })
  secrets.reset = tokenIn(await lastMessage(database, email, 'reset-password'))
  await browser.post('/auth/otp', { email, kind: 'link' })
  secrets.link = tokenIn(await lastMessage(database, email, 'sign-in-link'))
  await browser.post('/auth/otp', { email })
  secrets.mailCode = `"${codeIn(await lastMessage(database, email, 'sign-in-code'))}:`
  await browser.put('/auth/email', { email: `new-${email}` })
  secrets.change = tokenIn(await lastMessage(database, `new-${email}`, 'change-email'))
  await browser.put('/auth/user', { current_password: PASSWORD, password: 'eleven quiet rivers' })
  secrets.undo = /undo-change\/([\w-]+)/.exec(await lastMessage(database, email, 'sign-in-changed'))![1]!
  // A queued message holds its link until it is sent; then its text is wiped.
  await database.background.kysely.deleteFrom('messages').execute()
  const found: Record<string, string[]> = {}
  for (const [name, secret] of Object.entries(secrets)) found[name] = await tablesWith(secret)
  expect(found).toEqual(Object.fromEntries(Object.keys(secrets).map((name) => [name, []])))
})
