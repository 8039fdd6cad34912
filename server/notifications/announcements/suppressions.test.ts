import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { testDatabase } from '#server/testing/database.ts'
import { testDispatcher } from '#server/testing/dispatcher.ts'
import { recordingTransports } from '#server/testing/recording-transports.ts'
import { createTestUser } from '#server/testing/users.ts'
import { announce } from './create.ts'
import { fanOutDue } from './fan-out.ts'
import { describeRecipients, estimateRecipients } from './reach.ts'

const database = await testDatabase()
const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)

/** Ana is reached by every channel, Ben by mail only, Carla by none: her number and address are suppressed. */
const [ana, ben, carla] = await Promise.all(
  ['+639175550001', '+639175550002', '+639175550003'].map((phone_number) =>
    createTestUser(database, 'traveler', { phone_number, email_verified: true }),
  ),
)
await inside((db) =>
  db
    .insertInto('suppressions')
    .values([
      { channel: 'sms', address: '+639175550002', reason: 'opted_out' },
      { channel: 'whatsapp', address: '+639175550002', reason: 'invalid' },
      { channel: 'sms', address: '+639175550003', reason: 'invalid' },
      { channel: 'whatsapp', address: '+639175550003', reason: 'invalid' },
      { channel: 'email', address: carla!.email.toLowerCase(), reason: 'bounced' },
    ])
    .execute(),
)
const audience = { users: [ana!.id, ben!.id, carla!.id] }
const channels: ('email' | 'sms' | 'whatsapp')[] = ['email', 'sms', 'whatsapp']

test.each(['announcement', 'roll_call', 'reminder'] as const)(
  'a %s counts only reachable users, by channel, and names the others',
  async (kind) => {
    const target = { kind, template: kind === 'roll_call' ? 'roll-call' : kind, audience, channels, advisory_id: null }
    const { chosen, people, channels: reachedChannels } = await inside((db) => estimateRecipients(db, target))
    expect([chosen, people]).toEqual([3, 2])
    expect(reachedChannels.map(({ channel, people }) => [channel, people])).toEqual([
      ['email', 2],
      ['sms', 1],
      ['whatsapp', 1],
    ])
    const { unreached } = await inside((db) => describeRecipients(db, target, { limit: 10, offset: 0 }))
    expect(unreached).toMatchObject({ total: 1, people: [{ id: carla!.id }] })
  },
)

test('an announcement counts those it reaches, and the outbox gives the reason for the others', async () => {
  const text = { title: 'Office', message: 'Closed.' }
  const id = await inside((db) =>
    announce(db, {
      ...{
        key: 'office',
        kind: 'announcement',
        priority: 'medium',
        template: 'announcement',
        texts: { en: text, ar: text },
      },
      ...{ actionUrl: null, audience, channels },
    }),
  )
  expect(await fanOutDue(database)).toMatchObject([{ id, recipients: 2 }])
  const recorder = recordingTransports()
  await testDispatcher({ database, channels: recorder.channels }).sendDue()
  // At night texts wait for the morning; a suppressed one fails at once.
  expect(recorder.taken.filter(({ to }) => to !== ana!.email && to !== '+639175550001')).toMatchObject([
    { to: ben!.email },
  ])
  const failed = await inside((db) =>
    db.selectFrom('messages').selectAll().where('status', '=', 'failed').orderBy('channel').execute(),
  )
  expect(failed.map(({ channel, user_id }) => [channel, user_id]).sort()).toEqual(
    [
      ['email', carla!.id],
      ['sms', ben!.id],
      ['sms', carla!.id],
      ['whatsapp', ben!.id],
      ['whatsapp', carla!.id],
    ].sort(),
  )
  for (const { error } of failed) expect(error).toMatch(/^We no longer send to this address/)
})
