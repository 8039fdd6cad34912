import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import { announce } from '#server/notifications/announcements/create.ts'
import { fanOut } from '#server/notifications/announcements/fan-out.ts'
import { AS, testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser } from '#server/testing/users.ts'
import type { OutboxRow } from '#shared/delivery/endpoints.ts'
import { ROLES } from '#shared/roles.ts'
import { queueMessage } from './outbox.ts'

const database = await testDatabase()
const app = await testApp(database)
const open = await testApp(database, { hasOpenOutbox: true })
const admin = `admin ${randomUUID()}`

let made = 0
async function insertMessage(status: 'failed' | 'sent' | 'recorded' | 'pending' = 'failed', isSecret = false) {
  const to = `person-${++made}@example.org`
  const values = { brand: 'MFA Portal', code: '482913', minutes: 10 }
  return inBackground(database, 'test', async (db) => {
    await queueMessage(db, {
      key: `test ${made}`,
      channel: 'email',
      to,
      template: 'sign-in-code',
      language: 'en',
      values,
      isSecret,
    })
    return db
      .updateTable('messages')
      .set({ status, error: status === 'failed' ? '550 No such mailbox' : null, attempts: 1 })
      .where('recipient', '=', to)
      .returningAll()
      .executeTakeFirstOrThrow()
  })
}
async function ask(path: string, as = admin, over = app, init: RequestInit = {}) {
  const headers = { [AS]: as, host: 'localhost:3000', ...(init.headers as object) }
  const response = await over.request(`/api${path}`, { ...init, headers })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
const listed = async (query = '') => (await ask(`/admin/outbox${query}`)).body.messages as OutboxRow[]

test('an admin sees sent messages, newest first, and filters by recipient, status and channel', async () => {
  const first = await insertMessage('sent')
  const second = await insertMessage('failed')
  expect((await listed()).map(({ id }) => id).slice(0, 2)).toEqual([second.id, first.id])
  expect(await listed(`?search=${second.recipient}`)).toMatchObject([
    { id: second.id, status: 'failed', error: '550 No such mailbox', attempts: 1 },
  ])
  expect((await listed('?status=sent')).every(({ status }) => status === 'sent')).toBe(true)
  expect(await listed('?channel=sms')).toEqual([])
  expect((await ask('/admin/outbox?status=unknown')).status).toBe(422)
})

test('only an admin reads or resends messages', async () => {
  const { id } = await insertMessage()
  const others = ['', ...ROLES.filter((role) => role !== 'admin').map((role) => `${role} ${randomUUID()}`)]
  for (const as of others) {
    const refused = as ? 403 : 401
    expect((await ask('/admin/outbox', as)).status).toBe(refused)
    expect((await ask(`/admin/outbox/${id}`, as)).status).toBe(refused)
    expect((await ask(`/admin/outbox/${id}/retry`, as, app, { method: 'POST' })).status).toBe(refused)
  }
})

test('a leased message is shown as sending, and as waiting once its lease has expired', async () => {
  const { id, recipient } = await insertMessage('pending')
  const statusesBy = async (seconds: number) => {
    await inBackground(database, 'test', (db) =>
      db
        .updateTable('messages')
        .set({ leased_until: new Date(Date.now() + seconds * 1_000) })
        .where('id', '=', id)
        .execute(),
    )
    const [sending, pending] = await Promise.all(
      ['sending', 'pending'].map((status) => listed(`?search=${recipient}&status=${status}`)),
    )
    const shown = (await ask(`/admin/outbox/${id}`)).body.status
    return { shown, listed: [...sending!, ...pending!].map(({ status }) => status) }
  }
  expect(await statusesBy(20)).toEqual({ shown: 'sending', listed: ['sending'] })
  expect(await statusesBy(-1)).toEqual({ shown: 'pending', listed: ['pending'] })
})

test('a secret message shows neither text nor subject and cannot be found by them', async () => {
  const { id, recipient } = await insertMessage('failed', true)
  const { body } = await ask(`/admin/outbox/${id}`)
  expect(body).toMatchObject({ recipient, subject: '', body_text: null, body_html: null })
  expect(JSON.stringify([body, await listed(`?search=${recipient}`)])).not.toContain('482913')
  expect((await listed('?search=482913')).map((row) => row.id)).not.toContain(id)
})

test('a failed message is retried, with an audit entry naming the actor', async () => {
  const { id } = await insertMessage()
  const retried = await ask(`/admin/outbox/${id}/retry`, admin, app, { method: 'POST' })
  expect(retried).toMatchObject({ status: 200, body: { status: 'pending', attempts: 0 } })
  const audit = await inBackground(database, 'test', (db) =>
    db.selectFrom('audit_log').selectAll().where('subject_id', '=', id).execute(),
  )
  expect(audit).toMatchObject([
    { action: 'message.retry', actor_id: admin.split(' ')[1], actor_role: 'admin', before: { status: 'failed' } },
  ])
  const again = await ask(`/admin/outbox/${id}/retry`, admin, app, { method: 'POST' })
  expect([again.status, again.body.code]).toEqual([409, 'not_failed'])
})

test('a message that has no text or does not exist is not retried', async () => {
  const { id } = await insertMessage('failed', true)
  await inBackground(database, 'test', (db) =>
    db.updateTable('messages').set({ body_text: '' }).where('id', '=', id).execute(),
  )
  expect((await ask(`/admin/outbox/${id}/retry`, admin, app, { method: 'POST' })).body.code).toBe('wiped')
  expect((await ask(`/admin/outbox/${randomUUID()}`)).status).toBe(404)
})

test('the open outbox shows everything, and only where nobody else can connect', async () => {
  const { id } = await insertMessage('recorded', true)
  const shown = await ask(`/public/outbox/${id}`, '', open)
  expect(shown).toMatchObject({ status: 200, body: { body_text: expect.stringContaining('482913') } })
  expect((await ask('/public/outbox', '', open)).status).toBe(200)
  expect((await ask('/public/outbox', '', app)).status).toBe(404)
  expect((await ask(`/public/outbox/${id}`, '', app)).status).toBe(404)
  for (const [name, value] of [
    ['host', 'portal.evil.example'],
    ['x-forwarded-for', '203.0.113.5'],
    ['via', '1.1 proxy'],
  ] as const)
    expect((await ask(`/public/outbox/${id}`, '', open, { headers: { [name]: value } })).status).toBe(404)
})

test('every page knows whether the outbox is open', async () => {
  expect((await ask('/public/site', '', open)).body.has_open_outbox).toBe(true)
  expect((await ask('/public/site', '', app)).body.has_open_outbox).toBe(false)
})

test('a bulk message is shown with its content, address and delivery attempts', async () => {
  const ana = await createTestUser(database, 'traveler', { display_name: 'Ana Cruz' })
  const id = await inBackground(database, 'test', async (db) => {
    const announcement = await announce(db, {
      key: 'shown in the outbox',
      kind: 'announcement',
      priority: 'medium',
      template: 'announcement',
      texts: {
        en: { title: 'Office closed', message: 'Until Monday.' },
        ar: { title: 'مغلق', message: 'حتى الاثنين.' },
      },
      actionUrl: '/support',
      audience: { users: [ana.id] },
      channels: ['email'],
    })
    await fanOut(
      db,
      await db.selectFrom('announcements').selectAll().where('id', '=', announcement).executeTakeFirstOrThrow(),
    )
    const message = await db
      .updateTable('messages')
      .set({ provider: 'smtp-1', status: 'delivered', delivered_at: new Date() })
      .where('announcement_id', '=', announcement)
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('message_attempts')
      .values({ message_id: message.id, provider: 'smtp-1', result: 'failed', detail: '451 later' })
      .execute()
    return message.id
  })
  expect((await ask(`/admin/outbox/${id}`)).body).toMatchObject({
    recipient: ana.email,
    subject: 'Office closed',
    provider: 'smtp-1',
    delivered_at: expect.any(String),
    tries: [{ outcome: 'failed', provider: 'smtp-1', detail: '451 later' }],
    body_text: expect.stringContaining('Until Monday.'),
    body_html: expect.stringContaining('http://portal.test/support'),
  })
  expect((await listed('?search=Office closed')).map((row) => row.id)).toEqual([id])
  expect((await listed(`?search=${ana.email}`)).map((row) => row.id)).toEqual([id])
  const { body } = await ask(`/public/outbox/${id}`, '', open)
  expect(body).toMatchObject({ body_text: expect.stringContaining('Until Monday.') })
})
