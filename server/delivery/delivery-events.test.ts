import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { testDatabase } from '#server/testing/database.ts'
import {
  applyUnmatchedEvents,
  type DeliveryEvent,
  pruneUnmatchedEvents,
  recordDeliveryEvent,
} from './delivery-events.ts'

const database = await testDatabase()
const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)
const receive = (event: Partial<DeliveryEvent> & Pick<DeliveryEvent, 'status'>) =>
  inside((db) => recordDeliveryEvent(db, { provider: 'twilio', provider_message_id: 'SM1', ...event }))

beforeEach(() =>
  inside(async (db) => {
    await db.deleteFrom('messages').execute()
    await db.deleteFrom('unmatched_delivery_events').execute()
    await db.deleteFrom('suppressions').execute()
  }),
)

async function insertMessage(more: object = {}) {
  const row = {
    message_key: 'one',
    channel: 'sms',
    recipient: '+639171234567',
    template: 'welcome',
    body_text: 'Text',
    body_html: null,
    ...more,
  } as const
  await inside((db) =>
    db
      .insertInto('messages')
      .values({
        status: 'sent',
        provider_message_id: 'SM1',
        provider: 'twilio',
        user_id: null,
        error: null,
        expires_at: null,
        sent_at: new Date(),
        announcement_id: null,
        subscription_id: null,
        delivered_at: null,
        ...row,
      })
      .execute(),
  )
}
const row = () => inside((db) => db.selectFrom('messages').selectAll().executeTakeFirstOrThrow())
const attempts = () => inside((db) => db.selectFrom('message_attempts').selectAll().execute())

test('a sent message is delivered only once the provider reports it', async () => {
  await insertMessage()
  expect(await receive({ status: 'delivered' })).toBe('applied')
  expect(await row()).toMatchObject({ status: 'delivered', delivered_at: expect.any(Date) })
  expect(await receive({ status: 'delivered' })).toBe('duplicate')
})

test('an undeliverable message fails with the reason', async () => {
  await insertMessage()
  expect(await receive({ status: 'failed', detail: '30005 Unknown handset' })).toBe('applied')
  expect(await row()).toMatchObject({ status: 'failed', error: '30005 Unknown handset', delivered_at: null })
  expect(await attempts()).toMatchObject([
    { result: 'delivery_event', provider: 'twilio', detail: '30005 Unknown handset' },
  ])
})

test('repeated, late and reordered delivery events never undo a delivery', async () => {
  const order = fc.array(fc.constantFrom('delivered' as const, 'failed' as const, 'sent' as const), {
    minLength: 1,
    maxLength: 6,
  })
  await fc.assert(
    fc.asyncProperty(order, async (events) => {
      await inside((db) => db.deleteFrom('messages').execute())
      await insertMessage({ status: 'sending', provider_message_id: null, provider: null })
      let isSent = false
      for (const event of [...events, 'sent' as const]) {
        if (event !== 'sent') await receive({ status: event })
        else if (!isSent) {
          isSent = true
          await inside((db) =>
            db
              .updateTable('messages')
              .set({ status: 'sent', provider_message_id: 'SM1', provider: 'twilio' })
              .execute(),
          )
        }
        await applyUnmatchedEvents(database)
      }
      const expected = events.includes('delivered') ? 'delivered' : events.includes('failed') ? 'failed' : 'sent'
      expect((await row()).status).toBe(expected)
      expect(await inside((db) => db.selectFrom('unmatched_delivery_events').selectAll().execute())).toEqual([])
    }),
    { numRuns: 25 },
  )
})

test('a number that opted out gets no further messages, whatever the status of the last one', async () => {
  await insertMessage()
  await receive({ status: 'delivered' })
  await receive({ status: 'failed', suppression_reason: 'opted_out', detail: '21610' })
  expect((await row()).status).toBe('delivered')
  expect(await inside((db) => db.selectFrom('suppressions').selectAll().execute())).toMatchObject([
    { channel: 'sms', address: '+639171234567', reason: 'opted_out', detail: '21610' },
  ])
})

test('an event of another provider or an unknown message changes nothing and is pruned after some days', async () => {
  await insertMessage()
  expect(await receive({ status: 'failed', provider: 'another' })).toBe('unmatched')
  expect(await receive({ status: 'delivered', provider_message_id: 'SM2' })).toBe('unmatched')
  expect(await applyUnmatchedEvents(database)).toBe(0)
  expect((await row()).status).toBe('sent')
  await inside((db) =>
    db
      .updateTable('unmatched_delivery_events')
      .set({ received_at: new Date(0) })
      .execute(),
  )
  await pruneUnmatchedEvents(database)
  expect(await inside((db) => db.selectFrom('unmatched_delivery_events').selectAll().execute())).toEqual([])
})
