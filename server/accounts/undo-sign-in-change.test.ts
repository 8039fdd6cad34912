import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { withClaims } from '#server/db/claims.ts'
import {
  accountApp,
  ageAccount,
  authenticatorCode,
  type Browser,
  createBrowser,
  createPasswordAccount,
  lastMessage,
  messagesTo,
  PASSWORD,
  tokenIn,
} from '#server/testing/accounts.ts'
import { testDatabase } from '#server/testing/database.ts'
import { linkTo } from './provider-accounts.ts'

const database = await testDatabase()
const SMS = { name: 'sms', url: 'https://sms.example', account: 'AC1', token: 'x', from: '+15005550006' }
const app = await accountApp(database, { providers: { sms: [SMS] } }, { needsSecondStep: false })
const run = (text: string, values: unknown[] = []) => database.requests.pool.query(text, values)

let made = 0
beforeEach(() => database.requests.kysely.deleteFrom('rate_limits').execute())

async function owner() {
  made += 1
  const email = `owner-${made}@example.org`
  const id = await createPasswordAccount(database, { email })
  await ageAccount(database, email)
  const { rows } = await run('select auth_user_id from user_profiles where id = $1', [id])
  const browser = createBrowser(app)
  await browser.post('/auth/login', { email, password: PASSWORD })
  return {
    browser,
    email,
    id: id!,
    authUserId: rows[0].auth_user_id as string,
    phone: `+63917556${String(1000 + made)}`,
  }
}
type Owner = Awaited<ReturnType<typeof owner>>

const undoTokens = async (recipient: string) =>
  (await messagesTo(database, recipient))
    .filter(({ template }) => template === 'sign-in-changed')
    .map(({ body_text }) => /undo-change\/([\w-]+)/.exec(body_text!)![1]!)
const undo = (token: string | undefined) => createBrowser(app).post(`/public/sign-in-changes/${token}`)
async function addPhone(browser: Browser, phone: string) {
  const before = (await messagesTo(database, phone)).length
  await browser.put('/auth/phone', { phone })
  await expect.poll(async () => (await messagesTo(database, phone)).length).toBe(before + 1)
  const code = /\b\d{6}\b/.exec((await messagesTo(database, phone)).at(-1)!.body_text!)![0]
  expect((await browser.post('/auth/phone/confirm', { phone, code })).status).toBe(200)
}
async function moveTo(browser: Browser, email: string) {
  await browser.put('/auth/email', { email })
  const token = tokenIn(await lastMessage(database, email, 'change-email'))
  expect((await browser.post('/auth/verify', { type: 'signup', token })).status).toBe(200)
}
const insertPasskey = (authUserId: string, id = randomUUID()) =>
  run(
    `insert into auth_passkeys (id, user_id, name, public_key, credential_id, counter, device_type, backed_up, created_at, since)
     values ($1::uuid, $2, 'Laptop', 'k', $1::text, 7, 'singleDevice', false, now(), now() - interval '9 days') returning id`,
    [id, authUserId],
  )

/** All sign-in data of a user except the password, which no undo restores. */
async function stateOf(authUserId: string): Promise<unknown> {
  const { rows } = await run(
    `select to_jsonb(u) - 'updated_at'
      -- A date passes through JavaScript, which has no microseconds.
      || jsonb_build_object('email_since', date_trunc('milliseconds', email_since),
        'phone_since', date_trunc('milliseconds', phone_since)) as u,
      (select jsonb_agg(to_jsonb(a) order by a.id) from auth_accounts a where a.user_id = u.id and a.password is null) as accounts,
      (select jsonb_agg(to_jsonb(k) order by k.id) from auth_passkeys k where k.user_id = u.id) as passkeys,
      (select jsonb_agg(to_jsonb(f)) from auth_two_factors f where f.user_id = u.id) as factors,
      (select mcgi_hub_id from user_profiles p where p.auth_user_id = u.id) as hub
     from auth_users u where u.id = $1`,
    [authUserId],
  )
  return rows[0]
}

const linkAccount = (authUserId: string, provider: string) =>
  run(
    `insert into auth_accounts (id, user_id, provider_id, account_id, since)
     values (gen_random_uuid(), $1::uuid, $2, $2 || '-' || $1::text, now() - interval '9 days') returning id`,
    [authUserId, provider],
  )
async function enrol(browser: Browser): Promise<string> {
  const { body } = await browser.post('/auth/factors')
  const secret = String(body.secret)
  expect((await browser.post('/auth/factors/verify', { code: await authenticatorCode(secret) })).status).toBe(200)
  return secret
}

/** Each kind of change: its preparation, and the change itself. */
const CHANGES: [string, (who: Owner) => Promise<unknown>, (who: Owner) => Promise<unknown>][] = [
  ['phone_added', async () => {}, ({ browser, phone }) => addPhone(browser, phone)],
  [
    'phone_changed',
    ({ browser, phone }) => addPhone(browser, phone),
    ({ browser, phone }) => addPhone(browser, phone.replace('556', '557')),
  ],
  [
    'phone_removed',
    ({ browser, phone }) => addPhone(browser, phone),
    ({ browser }) => browser.delete('/auth/phone', {}),
  ],
  ['email_changed', async () => {}, ({ browser, email }) => moveTo(browser, `next-${email}`)],
  [
    'passkey_removed',
    async ({ authUserId }) => insertPasskey(authUserId),
    async ({ browser, authUserId }) => {
      const { rows } = await run('select id from auth_passkeys where user_id = $1', [authUserId])
      await browser.delete(`/auth/passkeys/${rows[0].id}`, {})
    },
  ],
  ...(['google', 'mcgi-hub'] as const).map((provider): (typeof CHANGES)[number] => [
    `${provider === 'google' ? 'google' : 'hub'}_unlinked`,
    async ({ authUserId }) => {
      await linkAccount(authUserId, provider)
      if (provider === 'mcgi-hub')
        await run(`update user_profiles set mcgi_hub_id = 'mcgi-hub-' || auth_user_id where auth_user_id = $1`, [
          authUserId,
        ])
    },
    async ({ browser, authUserId }) => {
      const { rows } = await run('select id from auth_accounts where user_id = $1 and provider_id = $2', [
        authUserId,
        provider,
      ])
      await browser.delete(`/auth/identities/${rows[0].id}`, {})
    },
  ]),
  ...(['google', 'mcgi-hub'] as const).map((provider): (typeof CHANGES)[number] => [
    `${provider === 'google' ? 'google' : 'hub'}_linked`,
    async () => {},
    ({ authUserId, email }) =>
      linkTo(
        database,
        authUserId,
        {
          ...{ provider, subject: `s-${email}`, email, isEmailVerified: true, madeUpEmails: [] },
          ...{ first_name: 'Ana', last_name: 'Cruz', madeUpDomain: 'hub.invalid' },
        },
        {
          publicUrl: 'http://portal.test',
          brand: () => 'MFA Portal',
          hasPhone: true,
          mails: { forget: async () => {} },
        },
      ),
  ]),
  ['second_factor_added', async () => {}, ({ browser }) => enrol(browser)],
  ['second_factor_removed', ({ browser }) => enrol(browser), ({ browser }) => browser.delete('/auth/factors', {})],
  [
    'recovery_codes_renewed',
    ({ browser }) => enrol(browser),
    ({ browser }) => browser.post('/auth/factors/recovery-codes', {}),
  ],
  [
    'password_changed',
    async () => {},
    ({ browser }) => browser.put('/auth/user', { current_password: PASSWORD, password: 'eleven quiet rivers' }),
  ],
  [
    'password_removed',
    async ({ authUserId }) => linkAccount(authUserId, 'google'),
    async ({ browser, authUserId }) => {
      const { rows } = await run(`select id from auth_accounts where user_id = $1 and provider_id = 'credential'`, [
        authUserId,
      ])
      await browser.delete(`/auth/identities/${rows[0].id}`, {})
    },
  ],
]

test.each(CHANGES)('%s: the owner is notified, and one click restores everything', async (kind, prepare, change) => {
  const who = await owner()
  await prepare(who)
  const before = await stateOf(who.authUserId)
  const known = (await undoTokens(who.email)).length
  await change(who)
  expect(await stateOf(who.authUserId)).not.toEqual(kind.startsWith('password_') ? null : before)
  const tokens = await undoTokens(who.email)
  expect(tokens).toHaveLength(known + 1)
  const shown = await createBrowser(app).get(`/public/sign-in-changes/${tokens.at(-1)}`)
  expect(shown.body).toMatchObject({ kind, later: 0 })
  const { rows: inbox } = await run(
    `select title from notifications where user_id = $1 and type = 'sign-in-changed' order by created_at`,
    [who.id],
  )
  expect(inbox).toHaveLength(known + 1)
  expect(await undo(tokens.at(-1))).toMatchObject({ status: 200, body: { sent_mail: true } })
  expect(await stateOf(who.authUserId)).toEqual(before)
  // Nobody is signed in any more, and no password works until a new one is chosen by mail.
  expect(await who.browser.role()).toBeNull()
  for (const password of [PASSWORD, 'eleven quiet rivers'])
    expect((await createBrowser(app).post('/auth/login', { email: who.email, password })).status).toBe(401)
  const token = tokenIn(await lastMessage(database, who.email, 'reset-password'))
  const password = 'twelve silent harbours'
  expect((await createBrowser(app).post('/auth/reset', { token, password })).status).toBe(200)
  expect((await createBrowser(app).post('/auth/login', { email: who.email, password })).status).toBe(200)
  const { rows: auditLog } = await run(
    `select after from audit_log where subject_id = $1 and action = 'user.sign_in_undone'`,
    [who.id],
  )
  expect(auditLog).toEqual([{ after: { changes: [kind] } }])
  expect((await undo(tokens.at(-1))).status).toBe(404)
})

test('an account taken over in three steps is recovered by the link of the first', async () => {
  const { browser: thief, email, phone, authUserId } = await owner()
  const before = await stateOf(authUserId)
  const next = `thief-${email}`
  await moveTo(thief, next)
  await addPhone(thief, phone).catch(() => {})
  await run(
    `update auth_sessions set method_since = now() - interval '9 days', created_at = now() where user_id = $1`,
    [authUserId],
  )
  await thief.put('/auth/user', { current_password: PASSWORD, password: 'eleven quiet rivers' })
  // A password reset link is in the thief's mailbox.
  await thief.post('/auth/recover', { email: next })
  const trap = tokenIn(await lastMessage(database, next, 'reset-password'))
  const [link, ...others] = await undoTokens(email)
  expect(others).toEqual([])
  const thiefs = await undoTokens(next)
  expect(thiefs.length).toBeGreaterThan(0)
  expect((await createBrowser(app).get(`/public/sign-in-changes/${link}`)).body).toMatchObject({
    kind: 'email_changed',
    later: thiefs.length,
  })
  expect((await undo(link)).status).toBe(200)
  expect(await stateOf(authUserId)).toEqual(before)
  expect((await thief.post('/auth/reset', { token: trap, password: 'a thief was here once' })).status).toBe(400)
  for (const token of thiefs) expect((await undo(token)).status).toBe(404)
  expect(await thief.role()).toBeNull()
  const templatesTo = async (address: string) => (await messagesTo(database, address)).map(({ template }) => template)
  expect(await templatesTo(email)).toEqual(['sign-in-changed', 'sign-in-restored', 'reset-password'])
  expect(await templatesTo(next)).toContain('sign-in-restored')
})

test('a sign-up with the former address in the meantime does not lock its owner out', async () => {
  const { browser, email, authUserId } = await owner()
  await moveTo(browser, `thief-${email}`)
  await createBrowser(app).post('/auth/signup', {
    first_name: 'A',
    last_name: 'Thief',
    email,
    password: 'twelve silent harbours',
    accept_terms: true,
  })
  expect((await run('select id from auth_users where email = $1', [email])).rows).toHaveLength(1)
  const [link] = await undoTokens(email)
  expect((await undo(link)).status).toBe(200)
  expect((await run('select id from auth_users where email = $1', [email])).rows).toEqual([{ id: authUserId }])
})

test('a link works once, also when it is clicked twice at the same moment', async () => {
  const { browser, email, phone } = await owner()
  await addPhone(browser, phone)
  const [link] = await undoTokens(email)
  const both = await Promise.all([undo(link), undo(link)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 404])
})

test.each(['x', 'a'.repeat(43), "' or 1=1 --", '%00'])('an invalid link changes nothing: %s', async (token) => {
  expect((await undo(encodeURIComponent(token))).status).toBe(404)
  expect((await createBrowser(app).get(`/public/sign-in-changes/${encodeURIComponent(token)}`)).status).toBe(404)
})

test('a link expires after seven days', async () => {
  const { browser, email, phone } = await owner()
  await addPhone(browser, phone)
  const { rows } = await run(
    `select expires_at - changed_at > interval '6 days 23 hours' as lasts from sign_in_changes`,
  )
  expect(rows.every(({ lasts }) => lasts)).toBe(true)
  await run(`update sign_in_changes set expires_at = now() - interval '1 second'`)
  const [link] = await undoTokens(email)
  expect((await undo(link)).status).toBe(404)
})

test('with a session, only the owner sees and undoes a change, and not on an unattended screen', async () => {
  const { browser, phone } = await owner()
  const { browser: stranger } = await owner()
  await addPhone(browser, phone)
  const { changes } = (await browser.get('/account/sign-in-changes')).body as {
    changes: { id: string; kind: string }[]
  }
  expect(changes.map(({ kind }) => kind)).toEqual(['phone_added'])
  expect((await stranger.get('/account/sign-in-changes')).body.changes).toEqual([])
  const path = `/account/sign-in-changes/${changes[0]!.id}/undo`
  expect((await stranger.post(path)).status).toBe(404)
  expect((await createBrowser(app).post(path)).status).toBe(401)
  await run(`update auth_sessions set created_at = now() - interval '1 hour', confirmed_at = null`)
  expect(await browser.post(path)).toMatchObject({ status: 403, body: { code: 'confirm_first' } })
  expect((await browser.post(path, { current_password: PASSWORD })).status).toBe(200)
  expect(await browser.role()).toBeNull()
})

test('without a confirmed address the owner reads of it in the portal, and on the former number', async () => {
  const { browser, email, id, phone } = await owner()
  await run(`update auth_users set email_verified = false where email = $1`, [email])
  const second = phone.replace('556', '558')
  await addPhone(browser, phone)
  await addPhone(browser, second)
  expect(await undoTokens(email)).toEqual([])
  // Never to the new number.
  expect(await undoTokens(second)).toEqual([])
  const [link] = await undoTokens(phone)
  const { rows } = await run(`select type from notifications where user_id = $1 and type = 'sign-in-changed'`, [id])
  expect(rows).toHaveLength(2)
  expect((await undo(link)).status).toBe(200)
})

test('no database role reads or writes changes, even if a handler forgets a check', async () => {
  const { browser, id, phone } = await owner()
  await addPhone(browser, phone)
  for (const claims of [
    { as: 'anonymous' as const },
    { as: 'user' as const, userId: id, role: 'traveler' as const },
    { as: 'user' as const, userId: id, role: 'admin' as const },
    { as: 'service' as const, name: 'test' },
  ])
    for (const statement of [
      sql`select * from sign_in_changes`,
      sql`update sign_in_changes set undone_at = null`,
      sql`delete from sign_in_changes`,
    ])
      await expect(withClaims(database, claims, (db) => statement.execute(db))).rejects.toMatchObject({ code: '42501' })
  const { rows } = await run(`select relforcerowsecurity as forced from pg_class where relname = 'sign_in_changes'`)
  expect(rows).toEqual([{ forced: true }])
})
