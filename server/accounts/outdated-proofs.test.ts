import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  type Answer,
  accountApp,
  authenticatorCode,
  type Browser,
  createBrowser,
  createPasswordAccount,
  lastMessage,
  messagesTo,
  PASSWORD,
  tokenIn,
} from '#server/testing/accounts.ts'
import { createAuthenticator } from '#server/testing/authenticator.ts'
import { testDatabase } from '#server/testing/database.ts'

const database = await testDatabase()
const { pool } = database.requests
// Fixed, so that no authenticator code expires during a test.
const NOW = new Date()
const app = await accountApp(database, {
  now: () => NOW,
  providers: { sms: [{ name: 'sms', url: 'https://sms.example', account: 'AC1', token: 'x', from: '+15005550006' }] },
})

beforeEach(() => database.requests.kysely.deleteFrom('rate_limits').execute())
afterEach(() => void vi.useRealTimers())

let made = 0

/** A signed-in account with an address, a number, a passkey and, where required, an authenticator. */
async function createOwner() {
  made += 1
  const email = `owner-${made}@example.org`
  const phone = `+6391755${String(50_000 + made).slice(-5)}`
  await createPasswordAccount(database, { email })
  await pool.query('update auth_users set phone_number = $2, phone_number_verified = true where email = $1', [
    email,
    phone,
  ])
  const browser = createBrowser(app)
  expect((await browser.post('/auth/login', { email, password: PASSWORD })).status).toBe(200)
  const { rows } = await pool.query('select id from auth_users where email = $1', [email])
  return { browser, email, phone, id: rows[0].id as string }
}
type Owner = Awaited<ReturnType<typeof createOwner>>
/** Presents a previously created proof in a browser. */
type Use = (browser: Browser) => Promise<Answer>

const codeIn = (text: string) => /\b\d{6}\b/.exec(text)![0]
const optionsOf = ({ body }: Answer) => body.options as never

async function passkeyOf({ browser }: Owner) {
  const device = createAuthenticator({ origin: 'http://portal.test' })
  const options = optionsOf(await browser.post('/auth/passkeys/new', {}))
  expect((await browser.post('/auth/passkeys', { response: device.create(options), name: '' })).status).toBe(200)
  return device
}

async function authenticatorOf({ browser }: Owner) {
  const { body } = await browser.post('/auth/factors', { current_password: PASSWORD })
  const secret = String(body.secret)
  await browser.post('/auth/factors/verify', { code: await authenticatorCode(secret, -1, NOW) })
  return { secret, recovery_code: (body.recovery_codes as string[])[0]! }
}

/** A browser after the first step that still owes the second. */
async function halfSignedIn({ email }: Owner) {
  const browser = createBrowser(app)
  expect((await browser.post('/auth/login', { email, password: PASSWORD })).body.next).toBe('/two-step')
  return browser
}

/** Every proof that is created at one moment and presented at another. */
const PROOFS: Record<string, (owner: Owner) => Promise<Use>> = {
  'code by text message': async ({ phone }) => {
    await createBrowser(app).post('/auth/otp', { phone })
    const code = codeIn(await lastMessage(database, phone, 'sign-in-code'))
    return (browser) => browser.post('/auth/verify', { type: 'sms', phone, code })
  },
  'code by mail': async ({ email }) => {
    await createBrowser(app).post('/auth/otp', { email })
    const code = codeIn(await lastMessage(database, email, 'sign-in-code'))
    return (browser) => browser.post('/auth/verify', { type: 'email', email, code })
  },
  'link by mail': async ({ email }) => {
    await createBrowser(app).post('/auth/otp', { email, kind: 'link' })
    const token = tokenIn(await lastMessage(database, email, 'sign-in-link'))
    return (browser) => browser.post('/auth/verify', { type: 'magiclink', token })
  },
  'link to confirm an address': async ({ email, id }) => {
    await pool.query('update auth_users set email_verified = false where id = $1', [id])
    await createBrowser(app).post('/auth/resend', { email })
    const token = tokenIn(await lastMessage(database, email, 'verify-email'))
    return (browser) => browser.post('/auth/verify', { type: 'signup', token })
  },
  'link to choose a password': async ({ email }) => {
    await createBrowser(app).post('/auth/recover', { email })
    const token = tokenIn(await lastMessage(database, email, 'reset-password'))
    return (browser) => browser.post('/auth/reset', { token, password: 'eleven quiet rivers' })
  },
  'link to change the address': async ({ browser, email }) => {
    await browser.put('/auth/email', { email: `next-${email}` })
    const token = tokenIn(await lastMessage(database, `next-${email}`, 'change-email'))
    return (other) => other.post('/auth/verify', { type: 'signup', token })
  },
  'code for a new number': async ({ browser, phone }) => {
    const next = phone.replace('+639175', '+639185')
    await browser.put('/auth/phone', { phone: next })
    const code = codeIn(await lastMessage(database, next, 'sign-in-code'))
    return (other) => other.post('/auth/phone/confirm', { phone: next, code })
  },
  passkey: async (owner) => {
    const device = await passkeyOf(owner)
    const browser = createBrowser(app)
    const options = optionsOf(await browser.post('/auth/passkeys/options'))
    const response = device.get(options)
    return (other) => {
      // The challenge belongs to the browser that requested it, regardless of who is signed in there.
      for (const [name, value] of browser.cookies) other.cookies.set(name, value)
      return other.post('/auth/passkeys/sign-in', { response })
    }
  },
  'new passkey': async ({ browser }) => {
    const options = optionsOf(await browser.post('/auth/passkeys/new', {}))
    const response = createAuthenticator({ origin: 'http://portal.test' }).create(options)
    return (other) => other.post('/auth/passkeys', { response, name: '' })
  },
  'code of an authenticator': async (owner) => {
    const { secret } = await authenticatorOf(owner)
    const half = await halfSignedIn(owner)
    return async () => half.post('/auth/factors/verify', { code: await authenticatorCode(secret, 0, NOW) })
  },
  'recovery code': async (owner) => {
    const { recovery_code } = await authenticatorOf(owner)
    const half = await halfSignedIn(owner)
    return () => half.post('/auth/factors/verify', { recovery_code })
  },
  'first code of an authenticator': async ({ browser }) => {
    const { body } = await browser.post('/auth/factors', { current_password: PASSWORD })
    return async (other) =>
      other.post('/auth/factors/verify', { code: await authenticatorCode(String(body.secret), 0, NOW) })
  },
  'refresh token': async ({ email }) => {
    const { body } = await createBrowser(app).post('/auth/token', { grant_type: 'password', email, password: PASSWORD })
    const { refresh_token } = body
    return (browser) => browser.post('/auth/token', { grant_type: 'refresh_token', refresh_token })
  },
  'link to undo a change': async ({ browser, email }) => {
    await browser.delete('/auth/phone')
    const text = await lastMessage(database, email, 'sign-in-changed')
    const token = /undo-change\/([\w-]+)/.exec(text)![1]!
    return (other) => other.post(`/public/sign-in-changes/${token}`)
  },
}

/** Proofs of the account itself, presented in its owner's session; the others need none. */
const NEEDS_SESSION = new Set([
  'link to change the address',
  'code for a new number',
  'new passkey',
  'first code of an authenticator',
])

/** What happens in between; a day later everything has expired. */
const EVENTS: Record<string, (owner: Owner, use: Use) => Promise<unknown>> = {
  'the number was removed': ({ id }) =>
    pool.query('update auth_users set phone_number = null, phone_number_verified = false where id = $1', [id]),
  'the number went to another account': async ({ id, phone }) => {
    const other = await createOwner()
    await pool.query('update auth_users set phone_number = null, phone_number_verified = false where id = $1', [id])
    await pool.query('update auth_users set phone_number = $2 where id = $1', [other.id, phone])
  },
  'the address was changed': ({ id, email }) =>
    pool.query('update auth_users set email = $2 where id = $1', [id, `moved-${email}`]),
  'it was used': (owner, use) => use(owner.browser),
  'it ran out': async () => {
    await pool.query(`update auth_verifications set expires_at = now() - interval '1 minute'`)
    // Refreshing extends a session for this long.
    await pool.query(`update auth_sessions set created_at = now() - interval '91 days'
      where id in (select session_id from auth_refresh_tokens)`)
    await pool.query(`update sign_in_changes set expires_at = now() - interval '1 minute'`)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 24 * 3_600_000 })
  },
  'every passkey and authenticator was removed': async ({ id }) => {
    await pool.query('delete from auth_passkeys where user_id = $1', [id])
    await pool.query('delete from auth_two_factors where user_id = $1', [id])
    await pool.query('update auth_users set two_factor_enabled = false where id = $1', [id])
  },
  'the password was removed': ({ id }) => pool.query('delete from auth_accounts where user_id = $1', [id]),
  'every session was ended': ({ id }) => pool.query('delete from auth_sessions where user_id = $1', [id]),
  'the account was suspended': ({ id }) =>
    pool.query(`update user_profiles set profile_status = 'suspended' where auth_user_id = $1`, [id]),
  'the account was erased': async ({ browser, email }) => {
    // The browser used later still has its cookie.
    const other = createBrowser(app, { cookies: browser.cookies })
    const erased = await other.delete('/account', { email, current_password: PASSWORD })
    expect(erased.status, JSON.stringify(erased.body)).toBe(200)
  },
  'the account is gone': async ({ id }) => {
    await pool.query('update user_profiles set auth_user_id = null where auth_user_id = $1', [id])
    await pool.query('delete from auth_users where id = $1', [id])
  },
  'the profile is gone': ({ id }) =>
    pool.query('update user_profiles set auth_user_id = null where auth_user_id = $1', [id]),
}

/** A refusal is a readable client error, never a 5xx. */
function expectMessage({ status, body }: Answer) {
  expect([status, body.code], JSON.stringify(body)).not.toEqual([expect.any(Number), 'auth_failed'])
  expect(status, JSON.stringify(body)).toBeLessThan(500)
  if (status !== 200) expect(String(body.error).length).toBeGreaterThan(15)
}

/** Proofs that remain valid because the event does not concern them. */
const STILL_GOOD: Record<string, readonly string[]> = {
  'the number was removed': Object.keys(PROOFS).filter((proof) => proof !== 'code by text message'),
  'the number went to another account': Object.keys(PROOFS),
  'the address was changed': Object.keys(PROOFS).filter(
    (proof) => !['code by mail', 'link by mail', 'link to confirm an address'].includes(proof),
  ),
  'it ran out': ['code of an authenticator', 'recovery code'],
  // A suspended user may protect the account but gets no session; see sessions.test.ts for refreshing.
  'the account was suspended': ['link to choose a password', 'link to undo a change', 'refresh token'],
  'every passkey and authenticator was removed': Object.keys(PROOFS).filter(
    (proof) => !['passkey', 'code of an authenticator', 'recovery code'].includes(proof),
  ),
  'the password was removed': Object.keys(PROOFS),
  'every session was ended': Object.keys(PROOFS).filter(
    (proof) =>
      !['code of an authenticator', 'recovery code', 'refresh token'].includes(proof) && !NEEDS_SESSION.has(proof),
  ),
}

const CASES = Object.keys(PROOFS).flatMap((proof) => Object.keys(EVENTS).map((event) => [proof, event] as const))

test.each(CASES)('%s, after %s, is accepted or refused with a readable error', async (proof, event) => {
  const owner = await createOwner()
  const use = await PROOFS[proof]!(owner)
  await EVENTS[event]!(owner, use)
  const browser = NEEDS_SESSION.has(proof) ? owner.browser : createBrowser(app)
  const answer = await use(browser)
  expectMessage(answer)
  expect(answer.status === 200, JSON.stringify(answer.body)).toBe(STILL_GOOD[event]?.includes(proof) ?? false)
  if (answer.status !== 200 && !NEEDS_SESSION.has(proof)) expect(await browser.role()).toBeNull()
})

/** Contains only a number: valid for anyone who reads the messages to it. */
const OF_THE_NUMBER = 'code for a new number'

test.each(Object.keys(PROOFS).filter((proof) => proof !== OF_THE_NUMBER))(
  '%s works only for its owner',
  async (proof) => {
    const owner = await createOwner()
    const use = await PROOFS[proof]!(owner)
    const other = await createOwner()
    const answer = await use(other.browser)
    expectMessage(answer)
    expect(answer.status === 200).toBe(!NEEDS_SESSION.has(proof))
    const { rows } = await pool.query('select email, phone_number from auth_users where id = $1', [other.id])
    expect(rows).toEqual([{ email: other.email, phone_number: other.phone }])
  },
)

test.each(Object.keys(PROOFS))('%s, used twice at once, fails with a readable error at most', async (proof) => {
  const owner = await createOwner()
  const use = await PROOFS[proof]!(owner)
  const browsers = NEEDS_SESSION.has(proof) ? [owner.browser, owner.browser] : [createBrowser(app), createBrowser(app)]
  const both = await Promise.all(browsers.map(use))
  for (const answer of both) expectMessage(answer)
  const taken = both.filter(({ status }) => status === 200).length
  // A link to confirm an address that is tapped twice may start two sessions of the same user.
  expect(proof === 'link to confirm an address' ? [1, 2] : [1]).toContain(taken)
})

test('of two accounts that confirm the same new address at once, one gets it and the other gets an error', async () => {
  const owners = [await createOwner(), await createOwner()]
  const email = `wanted-${made}@example.org`
  const tokens: string[] = []
  for (const { browser } of owners) {
    await browser.put('/auth/email', { email })
    await expect.poll(async () => (await messagesTo(database, email)).length).toBe(tokens.length + 1)
    tokens.push(tokenIn(await lastMessage(database, email, 'change-email')))
  }
  const answers = await Promise.all(
    owners.map(({ browser }, at) => browser.post('/auth/verify', { type: 'signup', token: tokens[at] })),
  )
  for (const answer of answers) expectMessage(answer)
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

test.each([
  ['suspended', `update user_profiles set profile_status = 'suspended' where auth_user_id = new.user_id`, 'after'],
  ['signed out everywhere', 'delete from auth_sessions where user_id = new.user_id', 'after'],
  [
    'deleted',
    `update user_profiles set auth_user_id = null where auth_user_id = new.user_id;
      delete from auth_users where id = new.user_id`,
    'before',
  ],
])(
  'an account that is %s at the moment of signing in is refused with a readable error',
  async (_what, change, when) => {
    const { email, phone } = await createOwner()
    await createBrowser(app).post('/auth/otp', { email, kind: 'link' })
    const token = tokenIn(await lastMessage(database, email, 'sign-in-link'))
    await pool.query(`create function test_meanwhile() returns trigger language plpgsql as
    $$ begin ${change}; return new; end $$`)
    await pool.query(`create trigger test_meanwhile ${when} insert on auth_sessions
    for each row execute function test_meanwhile()`)
    try {
      const browser = createBrowser(app)
      for (const answer of [
        await browser.post('/auth/login', { phone, password: PASSWORD }),
        await browser.post('/auth/verify', { type: 'magiclink', token }),
        await browser.post('/auth/token', { grant_type: 'password', email, password: PASSWORD }),
      ]) {
        expectMessage(answer)
        expect(answer.status).not.toBe(200)
      }
      expect(await browser.role()).toBeNull()
      expect(browser.cookies.size).toBe(0)
    } finally {
      await pool.query('drop trigger test_meanwhile on auth_sessions')
      await pool.query('drop function test_meanwhile')
    }
  },
)
