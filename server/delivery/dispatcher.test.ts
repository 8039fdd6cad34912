import { sql } from 'kysely'
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import { readSettings } from '#server/env.ts'
import { testDatabase } from '#server/testing/database.ts'
import { spawnDeliveryProcess, urlOf } from '#server/testing/delivery-process.ts'
import { testDispatcher } from '#server/testing/dispatcher.ts'
import { startMailPeer } from '#server/testing/smtp.ts'
import { type Channels, createChannels } from './channels.ts'
import { queueMessage } from './outbox.ts'
import { pauseAfter, TRIES } from './record-results.ts'

const database = await testDatabase()
const peer = await startMailPeer()
const MAIL_FROM = 'MFA <portal@church.example>'
const settingsWith = (environment: Record<string, string>) =>
  createChannels(
    readSettings({ DATABASE_URL: 'postgres://x', MAIL_FROM: 'MFA <portal@church.example>', ...environment }),
  )
const channels = settingsWith({ SMTP_URL: peer.url })
afterAll(async () => {
  channels.close()
  await peer.close()
})
beforeEach(async () => {
  peer.receive = () => 'accept'
  peer.mails.length = 0
  await inBackground(database, 'test', (db) => db.deleteFrom('messages').execute())
})

let made = 0
async function queueCode(to: string, more: Partial<Parameters<typeof queueMessage<'sign-in-code'>>[1]> = {}) {
  made += 1
  const key = `test ${made}`
  const values = { brand: 'MFA Portal', code: '482913', minutes: 10 }
  const message = { key, channel: 'email', to, template: 'sign-in-code', language: 'en', values, ...more } as const
  await inBackground(database, 'test', (db) => queueMessage(db, message))
  return key
}
const send = (over: Channels = channels) => testDispatcher({ database, channels: over }).sendDue()
const rows = () =>
  inBackground(database, 'test', (db) => db.selectFrom('messages').selectAll().orderBy('created_at').execute())
const onlyRow = async () => (await rows())[0]!
const makeDue = () =>
  inBackground(database, 'test', (db) =>
    db
      .updateTable('messages')
      .set({ not_before: new Date(0), leased_until: null })
      .execute(),
  )

test('a message arrives as text and HTML, and its code is wiped here', async () => {
  await queueCode('ana@example.org', { isSecret: true })
  expect(await send()).toBe(1)
  const [mail] = peer.mailsTo('ana@example.org')
  expect(mail).toMatchObject({
    subject: 'MFA Portal: 482913 is your code',
    from: { address: 'portal@church.example', name: 'MFA' },
    text: expect.stringContaining('482913'),
    html: expect.stringContaining('482913'),
  })
  const row = await onlyRow()
  expect(row).toMatchObject({ status: 'sent', attempts: 1, body_text: '', body_html: null, error: null })
  expect(row.provider_message_id).toBe(mail!.messageId)
})

test('Arabic text and subject arrive unchanged', async () => {
  const values = { brand: 'بوابة السفر', code: '482913', minutes: 10 }
  await queueCode('ana@example.org', { language: 'ar', values })
  await send()
  const [mail] = peer.mailsTo('ana@example.org')
  expect(mail!.subject).toBe('بوابة السفر: رمزك 482913')
  expect(mail!.html).toContain('dir="rtl"')
  expect(mail!.text).toContain('رمزك 482913')
})

test('a message is retried later if the peer asks to wait', async () => {
  peer.receive = () => 'delay'
  await queueCode('ana@example.org', { isSecret: true })
  await send()
  const waiting = await onlyRow()
  expect(waiting).toMatchObject({ status: 'pending', attempts: 1, error: expect.stringContaining('Greylisted') })
  expect(waiting.not_before.valueOf() - Date.now()).toBeGreaterThan(20_000)
  expect(await send()).toBe(0)
  peer.receive = () => 'accept'
  await makeDue()
  await send()
  expect(await onlyRow()).toMatchObject({ status: 'sent', attempts: 2 })
  expect(peer.mails).toHaveLength(1)
})

test('a nonexistent mailbox fails at once with the reason and does not delay other messages', async () => {
  peer.receive = (recipient) => (recipient.startsWith('nobody') ? 'refuse' : 'accept')
  await queueCode('nobody@example.org')
  await queueCode('ana@example.org')
  await send()
  expect(await rows()).toMatchObject([
    { status: 'failed', attempts: 1, error: expect.stringContaining('No such mailbox') },
    { status: 'sent' },
  ])
})

test('messages wait while the peer is down and are sent when it is back', async () => {
  const away = await startMailPeer()
  await away.close()
  const over = settingsWith({ SMTP_URL: away.url })
  for (let n = 0; n < 20; n++) await queueCode(`ana${n}@example.org`)
  await send(over)
  expect((await rows()).every(({ status }) => status === 'pending')).toBe(true)
  const back = await startMailPeer(away.port)
  await makeDue()
  await send(over)
  expect((await rows()).every(({ status }) => status === 'sent')).toBe(true)
  expect(back.mails).toHaveLength(20)
  over.close()
  await back.close()
})

test('gives up on a hanging peer after ten seconds', { timeout: 40_000 }, async () => {
  peer.receive = () => 'hang'
  await queueCode('ana@example.org')
  const began = Date.now()
  await send()
  expect(Date.now() - began).toBeLessThan(15_000)
  expect(await onlyRow()).toMatchObject({ status: 'pending', attempts: 1 })
})

test('retries for four hours, then the message fails', async () => {
  const seconds = Array.from({ length: TRIES - 1 }, (_, n) => pauseAfter(n + 1)).reduce((sum, pause) => sum + pause)
  expect(seconds).toBeGreaterThanOrEqual(4 * 3600)
  expect(pauseAfter(1)).toBeLessThanOrEqual(30)
  peer.receive = () => 'delay'
  await queueCode('ana@example.org')
  await inBackground(database, 'test', (db) =>
    db
      .updateTable('messages')
      .set({ attempts: TRIES - 1 })
      .execute(),
  )
  await send()
  expect(await onlyRow()).toMatchObject({ status: 'failed', attempts: TRIES })
})

test('an expired code is not sent', async () => {
  await queueCode('ana@example.org')
  await inBackground(database, 'test', (db) =>
    db
      .updateTable('messages')
      .set({ expires_at: new Date(0) })
      .execute(),
  )
  await send()
  expect(await onlyRow()).toMatchObject({ status: 'failed', error: expect.stringContaining('expired') })
  expect(peer.mails).toEqual([])
})

test('two workers send 1,000 messages once each, codes first', { timeout: 120_000 }, async () => {
  await inBackground(database, 'test', (db) =>
    sql`insert into messages (message_key, channel, recipient, template, subject, body_text)
      select 'bulk ' || n, 'email', 'person' || n || '@example.org', 'welcome', 'Welcome ' || n, 'Text'
      from generate_series(1, 1000) n`.execute(db),
  )
  await queueCode('ana@example.org', { isSecret: true })
  const [first, second] = await Promise.all([send(), send()])
  expect(first! + second!).toBe(1_001)
  expect(new Set(peer.mails.map(({ recipient }) => recipient)).size).toBe(1_001)
  expect(peer.mails).toHaveLength(1_001)
  expect(peer.mails.findIndex(({ recipient }) => recipient === 'ana@example.org')).toBeLessThan(100)
  expect((await rows()).every(({ status }) => status === 'sent')).toBe(true)
})

test('a message leased by a worker that died is resent under the same id, and only after its lease', async () => {
  await queueCode('ana@example.org')
  const hangs = vi.fn(() => new Promise<never>(() => {}))
  const transports = { ...channels.transports, email: { batch: 10, concurrency: 1, send: hangs } }
  void send({ ...channels, transports })
  await vi.waitFor(() => expect(hangs).toHaveBeenCalled(), { timeout: 10_000 })
  expect(await send()).toBe(0)
  await makeDue()
  await send()
  expect(await onlyRow()).toMatchObject({ status: 'sent', attempts: 2 })
})

test.skipIf(!process.env.TEST_DATABASE_URL)(
  'two workers, one of them killed repeatedly, lose nothing; duplicates have the same id',
  { timeout: 180_000 },
  async () => {
    await inBackground(database, 'test', (db) =>
      sql`insert into messages (message_key, channel, recipient, template, subject, body_text)
        select 'killed ' || n, 'email', 'person' || n || '@example.org', 'welcome', 'Welcome ' || n, 'Text'
        from generate_series(1, 400) n`.execute(db),
    )
    peer.receive = () => ({ after: 60 })
    const url = await urlOf(database)
    const start = () => spawnDeliveryProcess(url, { SMTP_URL: peer.url, MAIL_FROM })
    const workers = [start(), start()]
    onTestFinished(() => Promise.all(workers.map((worker) => worker.kill())).then(() => {}))
    for (const [enough, victims] of [
      [60, [0]],
      [140, [1]],
      [220, [0, 1]],
    ] as const) {
      await vi.waitFor(() => expect(peer.mails.length).toBeGreaterThanOrEqual(enough), { timeout: 40_000, interval: 5 })
      await Promise.all(victims.map((victim) => workers[victim]!.kill()))
      // All workers are dead, so expire the remaining leases as if half a minute had passed.
      if (victims.length === workers.length) await makeDue()
      for (const victim of victims) workers[victim] = start()
    }
    await vi.waitFor(async () => expect((await rows()).every(({ status }) => status === 'sent')).toBe(true), {
      timeout: 90_000,
      interval: 500,
    })
    const sent = Map.groupBy(peer.mails, ({ recipient }) => recipient)
    expect(sent.size).toBe(400)
    const twice = [...sent.values()].filter((mails) => mails.length > 1)
    // Per kill: one for each connection, plus results that had arrived but were not yet written.
    expect(twice.length).toBeLessThanOrEqual(4 * 60)
    for (const mails of twice) expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(1)
  },
)

test('never sends to a placeholder address', async () => {
  const over = settingsWith({ SMTP_URL: peer.url, HUB_URL: 'https://hub.example', HUB_EMAIL_DOMAIN: 'members.example' })
  await sql`insert into auth_users (id, name, email, registration)
    values (gen_random_uuid(), 'Ana', '1@members.example', '{"auth_provider": "mcgi-hub"}')`.execute(
    database.background.kysely,
  )
  const { id } = await inBackground(database, 'test', (db) =>
    db.selectFrom('user_profiles').select('id').where('email', '=', '1@members.example').executeTakeFirstOrThrow(),
  )
  await queueCode('1@members.example', { userId: id, isSecret: true })
  await queueCode('2@hub.invalid')
  await queueCode('3@HUB.INVALID')
  await send(over)
  expect((await rows()).map(({ status }) => status)).toEqual(['failed', 'failed', 'failed'])
  expect(peer.mails).toEqual([])
  await inBackground(database, 'test', (db) => db.updateTable('user_profiles').set({ email_verified: true }).execute())
  await queueCode('1@members.example', { userId: id })
  await send(over)
  expect(peer.mails).toHaveLength(1)
  over.close()
})

test('without a mail server messages are recorded; only the open outbox keeps the body of secret messages', async () => {
  const server = settingsWith({})
  await queueCode('ana@example.org', { isSecret: true })
  await send(server)
  expect(await onlyRow()).toMatchObject({ status: 'recorded', body_text: '' })
  const ownMachine = createChannels(readSettings({}))
  await queueCode('ben@example.org', { isSecret: true })
  await send(ownMachine)
  expect((await rows())[1]).toMatchObject({ status: 'recorded', body_text: expect.stringContaining('482913') })
})

test('a text message without a provider fails with the reason, and is recorded on the embedded database', async () => {
  await queueCode('+639171234567', { channel: 'sms' })
  await send()
  expect(await onlyRow()).toMatchObject({ status: 'failed', error: 'No SMS provider is configured', body_html: null })
  await queueCode('+639171234568', { channel: 'sms' })
  await send(createChannels(readSettings({})))
  expect((await rows())[1]).toMatchObject({ status: 'recorded', body_text: expect.stringMatching(/^482913 is/) })
})

test('the outbox is open on the user’s own machine only', () => {
  const isOpen = (environment: Record<string, string>) => createChannels(readSettings(environment)).hasOpenOutbox
  expect(isOpen({})).toBe(true)
  expect(isOpen({ HOST: 'localhost' })).toBe(true)
  for (const environment of [
    { HOST: '0.0.0.0' },
    { HOST: '192.168.1.5' },
    { PUBLIC_URL: 'https://portal.example.org' },
    { TRUSTED_PROXIES: '1' },
    { DATABASE_URL: 'postgres://x' },
    { SMTP_URL: 'smtp://mail.example.org' },
  ] as Record<string, string>[])
    expect(isOpen(environment)).toBe(false)
})
