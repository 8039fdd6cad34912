import { beforeEach, expect, test } from 'vitest'
import {
  accountApp,
  type Browser,
  createBrowser,
  createPasswordAccount,
  lastMessage,
  messagesTo,
  PASSWORD,
  tokenIn,
} from '#server/testing/accounts.ts'
import { testDatabase } from '#server/testing/database.ts'

const database = await testDatabase()
const app = await accountApp(database, { trustedProxies: 1, hasOpenOutbox: true, pause: async () => {} })
const browserAt = (address: string) => createBrowser(app, { address })

let made = 0
let email = ''
beforeEach(async () => {
  await database.requests.kysely.deleteFrom('rate_limits').execute()
  made += 1
  email = `owner-${made}@example.org`
  await createPasswordAccount(database, { email })
})

const secretOf = (text: string | null) => /token=([^\s&"]+)/.exec(text ?? '')?.[1] ?? /\b\d{6}\b/.exec(text ?? '')?.[0]
const KINDS = {
  'sign-in-link': ['/auth/otp', { kind: 'link' }],
  'sign-in-code': ['/auth/otp', { kind: 'code' }],
  'reset-password': ['/auth/recover', {}],
} as const
type Kind = keyof typeof KINDS

const ask = (browser: Browser, kind: Kind, to = email) => browser.post(KINDS[kind][0], { email: to, ...KINDS[kind][1] })
const sent = async (kind: Kind) => (await messagesTo(database, email)).filter(({ template }) => template === kind)
/** Moves sent messages, and the links and codes in them, into the past. */
async function later(minutes: number) {
  await database.requests.pool.query(
    `update auth_mails set last_sent_at = last_sent_at - make_interval(mins => $1),
       counted_since = counted_since - make_interval(mins => $1), expires_at = expires_at - make_interval(mins => $1)`,
    [minutes],
  )
  await database.requests.pool.query(
    'update auth_verifications set expires_at = expires_at - make_interval(mins => $1)',
    [minutes],
  )
}

test.each(Object.keys(KINDS) as Kind[])(
  'a stranger who keeps requesting a %s gets three sent, all the same',
  async (kind) => {
    await ask(browserAt('198.51.100.0'), kind)
    const first = secretOf(await lastMessage(database, email, kind))
    for (let at = 1; at < 30; at++) expect((await ask(browserAt(`198.51.100.${at}`), kind)).status).toBe(202)
    await expect.poll(async () => (await sent(kind)).length).toBe(3)
    expect(new Set((await sent(kind)).map(({ body_text }) => secretOf(body_text)))).toEqual(new Set([first]))
    // The owner requests one too: nothing more is sent for now, and what was sent signs in.
    expect((await ask(browserAt('203.0.113.1'), kind)).status).toBe(202)
    const owner = browserAt('203.0.113.1')
    const response =
      kind === 'sign-in-code'
        ? await owner.post('/auth/verify', { type: 'email', email, code: first })
        : kind === 'sign-in-link'
          ? await owner.post('/auth/verify', { type: 'magiclink', token: decodeURIComponent(first!) })
          : await owner.post('/auth/reset', { token: decodeURIComponent(first!), password: 'eleven quiet rivers' })
    expect(response.status).toBe(200)
    // It was used: requested again, a new one is sent at once.
    await ask(owner, kind)
    await expect.poll(async () => (await sent(kind)).length).toBeGreaterThan(3)
    expect(secretOf((await sent(kind)).at(-1)!.body_text)).not.toBe(first)
  },
)

test('under a lasting storm one is sent every ten minutes, and the owner always has one that works', async () => {
  const tokens: (string | undefined)[] = []
  for (let round = 0; round < 6; round++) {
    // Three at first, each after the one before was sent; then no more than are sent.
    for (let count = round === 0 ? 1 : 3 + round; count <= 3 + round; count++) {
      await ask(browserAt('198.51.100.1'), 'sign-in-link')
      await expect.poll(async () => (await sent('sign-in-link')).length).toBe(count)
    }
    tokens.push(secretOf((await sent('sign-in-link')).at(-1)!.body_text))
    await later(10)
    if (round === 4) {
      // The link of the last mail, ten minutes after it arrived.
      const owner = browserAt('203.0.113.1')
      const answer = await owner.post('/auth/verify', { type: 'magiclink', token: decodeURIComponent(tokens.at(-1)!) })
      expect(answer.status).toBe(200)
      break
    }
  }
  // Renewed before it expires, and not more often.
  expect(new Set(tokens).size).toBeGreaterThan(1)
  expect(new Set(tokens).size).toBeLessThan(tokens.length)
})

test('two concurrent requests get one code, and it works', async () => {
  await Promise.all(Array.from({ length: 8 }, (_, at) => ask(browserAt(`198.51.100.${at}`), 'sign-in-code')))
  const code = secretOf(await lastMessage(database, email, 'sign-in-code'))
  expect(new Set((await sent('sign-in-code')).map(({ body_text }) => secretOf(body_text))).size).toBe(1)
  expect((await browserAt('203.0.113.1').post('/auth/verify', { type: 'email', email, code })).status).toBe(200)
})

test('no mail is sent for an address without an account', async () => {
  for (const kind of Object.keys(KINDS) as Kind[])
    expect((await ask(browserAt('198.51.100.1'), kind, 'nobody@example.org')).status).toBe(202)
  await ask(browserAt('198.51.100.1'), 'reset-password')
  await lastMessage(database, email, 'reset-password')
  expect(await messagesTo(database, 'nobody@example.org')).toEqual([])
})

test("strangers' wrong codes void nobody’s code; they are refused after five each and twenty together", async () => {
  const known = browserAt('203.0.113.1')
  await known.post('/auth/login', { email, password: PASSWORD })
  await known.post('/auth/logout', {})
  await ask(browserAt('198.51.100.1'), 'sign-in-code')
  const code = secretOf(await lastMessage(database, email, 'sign-in-code'))
  const wrong = code === '123456' ? '654321' : '123456'
  const give = (browser: Browser, candidate: string) =>
    browser.post('/auth/verify', { type: 'email', email, code: candidate }).then(({ status }) => status)
  const fromSameAddress: number[] = []
  for (let at = 0; at < 7; at++) fromSameAddress.push(await give(browserAt('198.51.100.1'), wrong))
  expect(fromSameAddress).toEqual([400, 400, 400, 400, 400, 429, 429])
  const many: number[] = []
  for (let at = 0; at < 20; at++) many.push(await give(browserAt(`198.18.${at}.1`), wrong))
  expect(many.filter((status) => status === 400)).toHaveLength(15)
  // The right code is refused too, from a stranger; but not from a known caller, and a link works everywhere.
  expect(await give(browserAt('192.0.2.1'), code!)).toBe(429)
  const elsewhere = browserAt('192.0.2.1')
  await ask(elsewhere, 'sign-in-link')
  const token = tokenIn(await lastMessage(database, email, 'sign-in-link'))
  expect((await elsewhere.post('/auth/verify', { type: 'magiclink', token })).status).toBe(200)
  expect(await give(known, code!)).toBe(200)
})

test('a link and a code are stored so that they cannot be read from the table', async () => {
  await ask(browserAt('198.51.100.1'), 'sign-in-code')
  const code = secretOf(await lastMessage(database, email, 'sign-in-code'))!
  const { rows } = await database.requests.pool.query('select * from auth_mails')
  expect(JSON.stringify(rows)).not.toContain(email)
  for (const { secret, secret_hash } of rows) expect([secret, secret_hash].join()).not.toContain(code)
})
