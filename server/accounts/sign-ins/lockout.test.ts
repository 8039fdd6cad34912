import { beforeEach, describe, expect, test } from 'vitest'
import {
  accountApp,
  type Browser,
  createBrowser,
  createPasswordAccount,
  lastMessage,
  PASSWORD,
  tokenIn,
} from '#server/testing/accounts.ts'
import { testDatabase } from '#server/testing/database.ts'

// Hundreds of sign-ins each.
const PATIENCE = { timeout: 600_000 }

const database = await testDatabase()
const pauses: number[] = []
const options = { trustedProxies: 1, pause: async (ms: number) => void pauses.push(ms) }
// Two nodes over one database, behind one proxy that forwards the caller's address.
const nodes = [await accountApp(database, options), await accountApp(database, options)]

beforeEach(async () => {
  pauses.length = 0
  await database.requests.kysely.deleteFrom('rate_limits').execute()
})

let made = 0
async function newAccount() {
  made += 1
  const email = `owner-${made}@example.org`
  await createPasswordAccount(database, { email })
  return email
}

/** A browser at a given address. */
const browserAt = (address: string, node = 0) => createBrowser(nodes[node]!, { address })

async function wrongPasswords(email: string, count: number, addressOf: (at: number) => string) {
  const statuses: number[] = []
  for (let at = 0; at < count; at += 9) {
    const batch = Array.from({ length: Math.min(9, count - at) }, (_, more) => at + more)
    const answers = await Promise.all(
      batch.map((n) => browserAt(addressOf(n), n % 2).post('/auth/login', { email, password: `guess number ${n}` })),
    )
    statuses.push(...answers.map(({ status }) => status))
  }
  return statuses
}

const PLACES: Record<string, (at: number) => string> = {
  'one address': () => '198.51.100.7',
  '63 addresses': (at) => `198.51.100.${at + 1}`,
  'IPv6 addresses of one /48': (at) => `2001:db8:5:${at.toString(16)}::1`,
  'ports of one address': (at) => `198.51.100.7:${40_000 + at}`,
}

describe.each(Object.entries(PLACES))('63 wrong passwords from %s', (_name, addressOf) => {
  test(
    'do not lock the owner out: not on a known device, at a known address or on a new device',
    PATIENCE,
    async () => {
      const email = await newAccount()
      const known = browserAt('203.0.113.5')
      expect((await known.post('/auth/login', { email, password: PASSWORD })).status).toBe(200)
      await known.post('/auth/logout', {})
      expect(new Set(await wrongPasswords(email, 63, addressOf))).toEqual(new Set([401]))
      // A known device in another country, a new device at the known address, a new device elsewhere.
      const moved = createBrowser(nodes[1]!, { address: '192.0.2.77', cookies: known.cookies })
      for (const browser of [moved, browserAt('203.0.113.5', 1), browserAt('192.0.2.200'), browserAt(addressOf(1))])
        expect((await browser.post('/auth/login', { email, password: PASSWORD })).status).toBe(200)
    },
  )
})

const signIn = (browser: Browser, email: string, password = PASSWORD) =>
  browser.post('/auth/login', { email, password })
const madeUp = (browser: Browser) => browser.post('/auth/verify', { type: 'magiclink', token: 'made-up' })

test(
  'past a hundred wrong passwords strangers learn nothing more, and the owner signs in on any device',
  PATIENCE,
  async () => {
    const email = await newAccount()
    const known = browserAt('203.0.113.5')
    expect((await signIn(known, email)).status).toBe(200)
    expect(new Set(await wrongPasswords(email, 100, (at) => `198.18.${at}.1`))).toEqual(new Set([401]))
    const wrong = await signIn(browserAt('192.0.2.1'), email, 'one more guess')
    expect([wrong.status, wrong.body.code]).toEqual([403, 'confirm_by_mail'])
    const device = browserAt('192.0.2.2')
    const right = await signIn(device, email)
    expect([right.status, right.body]).toEqual([403, wrong.body])
    expect(await device.role()).toBeNull()
    // A link to the owner's mail: it signs this device in and makes it known.
    const token = tokenIn(await lastMessage(database, email, 'sign-in-link'))
    expect((await device.post('/auth/verify', { type: 'magiclink', token })).status).toBe(200)
    await device.post('/auth/logout', {})
    expect((await signIn(device, email)).status).toBe(200)
    // Known callers notice nothing, and other accounts are not affected.
    expect((await signIn(known, email)).status).toBe(200)
    expect((await signIn(browserAt('198.18.7.1'), await newAccount())).status).toBe(200)
  },
)

test('strangers wait longer with each failure; known callers wait only for their own failures', PATIENCE, async () => {
  const email = await newAccount()
  const known = browserAt('203.0.113.5')
  await signIn(known, email)
  for (let at = 0; at < 12; at++) await signIn(browserAt('198.51.100.9'), email, 'wrong')
  expect(pauses).toEqual([1_000, 1_000])
  pauses.length = 0
  for (let at = 0; at < 6; at++) await signIn(known, email, 'wrong')
  expect(pauses).toEqual([1_000, 1_000, 2_000])
  await signIn(known, email)
  pauses.length = 0
  await signIn(known, email)
  expect(pauses).toEqual([])
})

test(
  "failures on a known device past its own limit count as a stranger's: the right password still signs in",
  PATIENCE,
  async () => {
    const email = await newAccount()
    const known = browserAt('203.0.113.5')
    await signIn(known, email)
    for (let at = 0; at < 15; at++) expect((await signIn(known, email, 'wrong')).status).toBe(401)
    expect((await signIn(known, email)).status).toBe(200)
  },
)

test.each([
  ['one address', 100, () => '198.51.100.7'],
  ['one /64', 100, (at: number) => `2001:db8:1:1::${at.toString(16)}`],
  ['one /56', 400, (at: number) => `2001:db8:1:${(0x100 + (at % 5)).toString(16)}::1`],
])(
  'an address with repeated failures is refused, counted by %s; known callers there are not',
  PATIENCE,
  async (_name, limit, addressOf) => {
    const email = await newAccount()
    const known = browserAt(addressOf(0))
    expect((await signIn(known, email)).status).toBe(200)
    await database.requests.kysely.deleteFrom('auth_networks').execute()
    for (let at = 0; at < limit; at += 10)
      await Promise.all(Array.from({ length: 10 }, (_, more) => madeUp(browserAt(addressOf(at + more)))))
    const { status, body, headers } = await signIn(browserAt(addressOf(3)), await newAccount())
    expect([status, body.code]).toEqual([429, 'too_many_requests'])
    expect(body.error).toMatch(/^Too many attempts\. Please try again in \d+ minutes\.$/)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(60)
    expect((await signIn(known, email)).status).toBe(200)
    expect((await signIn(browserAt('203.0.113.200'), email)).status).toBe(200)
  },
)

test('the more accounts signed in from an address, the more failures it may have', PATIENCE, async () => {
  const hall = '203.0.113.77'
  for (const email of [await newAccount(), await newAccount()]) await signIn(browserAt(hall), email)
  const statuses: number[] = []
  for (let at = 0; at < 120; at++) statuses.push((await madeUp(browserAt(hall))).status)
  expect(statuses.filter((status) => status === 400)).toHaveLength(110)
  expect(statuses.slice(110)).toEqual(Array(10).fill(429))
})

test(
  'devices and networks that signed in to an account are stored as hashes, the last ten devices of it',
  PATIENCE,
  async () => {
    const email = await newAccount()
    const browsers = Array.from({ length: 12 }, () => browserAt('203.0.113.5'))
    for (const browser of browsers) await signIn(browser, email)
    const { rows } = await database.requests.pool.query(
      `select d.token_hash from auth_devices d join auth_users u on u.id = d.user_id where u.email = $1`,
      [email],
    )
    expect(rows).toHaveLength(10)
    const cookie = browsers.at(-1)!.cookies.get('mfa.device')!
    expect(JSON.stringify(rows)).not.toContain(cookie.slice(0, 43))
    const networks = await database.requests.pool.query('select * from auth_networks')
    expect(JSON.stringify(networks.rows)).not.toContain('203.0.113')
  },
)

test(
  'the device cookie is safe from scripts and other sites, changes each time, and identifies nobody',
  PATIENCE,
  async () => {
    const email = await newAccount()
    const secure = await accountApp(database, { ...options, publicUrl: 'https://portal.test' })
    const browser = createBrowser(secure, { address: '203.0.113.5' })
    const first = (await signIn(browser, email)).headers.getSetCookie().find((line) => line.includes('mfa.device'))!
    expect(first).toMatch(
      /^__Host-mfa\.device=[\w-]{43}\.[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    const second = (await signIn(browser, email)).headers.getSetCookie().find((line) => line.includes('mfa.device'))!
    expect(second).not.toBe(first)
    const { rows } = await database.requests.pool.query(
      `select from auth_devices d join auth_users u on u.id = d.user_id where u.email = $1`,
      [email],
    )
    expect(rows).toHaveLength(1)
  },
)

test('a forged cookie, or one of another account, makes nobody known', PATIENCE, async () => {
  const email = await newAccount()
  const stranger = browserAt('198.51.100.1')
  await signIn(stranger, await newAccount())
  for (let at = 0; at < 11; at++) await signIn(browserAt('192.0.2.5'), email, 'wrong')
  pauses.length = 0
  await signIn(stranger, email, 'wrong')
  const forged = browserAt('198.51.100.2')
  forged.cookies.set('mfa.device', `${'a'.repeat(43)}.${'b'.repeat(43)}`)
  await signIn(forged, email, 'wrong')
  expect(pauses).toEqual([1_000, 1_000])
})
