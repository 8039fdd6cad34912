import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import { testDatabase } from '#server/testing/database.ts'
import { insertAdvisory } from '#server/testing/factory.ts'
import { createAcknowledgments } from './acknowledgments.ts'

const database = await testDatabase()
const poll = (acknowledgments: ReturnType<typeof createAcknowledgments>) =>
  inBackground(database, 'test', (db) => acknowledgments.polled.poll(db))

/** Each call uses a new user; `secondsAgo` is the age of its transaction. */
const acknowledge = (id: string, secondsAgo = 0, user = randomUUID()) =>
  inBackground(database, 'test', (db) =>
    sql`insert into advisory_acknowledgments (advisory_id, user_id, version, recorded_at)
      values (${id}, ${user}, 1, now() - make_interval(secs => ${secondsAgo}))`.execute(db),
  )

test('each refresh counts new rows, returns only the affected advisories, and misses no late commit', async () => {
  const [first, second] = await inBackground(database, 'test', async (db) => [
    await insertAdvisory(db),
    await insertAdvisory(db),
  ])
  await acknowledge(first.id)
  const acknowledgments = createAcknowledgments()
  expect(acknowledgments.of(first.id)).toBeUndefined()
  expect(await poll(acknowledgments)).toEqual([first.id])
  expect(acknowledgments.of(first.id)).toMatchObject({ count: 1 })
  expect(await poll(acknowledgments)).toEqual([])

  await acknowledge(second.id)
  // Started before the last refresh and committed after it.
  await acknowledge(first.id, 30)
  expect((await poll(acknowledgments)).sort()).toEqual([first.id, second.id].sort())
  expect([first, second].map(({ id }) => acknowledgments.of(id)?.count)).toEqual([2, 1])
  expect(await poll(acknowledgments)).toEqual([])
})

test('a node that starts later counts all acknowledgments', async () => {
  const advisory = await inBackground(database, 'test', (db) => insertAdvisory(db))
  for (let day = 1; day <= 3; day++) await acknowledge(advisory.id, day * 86_400)
  const acknowledgments = createAcknowledgments()
  expect(await poll(acknowledgments)).toContain(advisory.id)
  expect(acknowledgments.of(advisory.id)).toMatchObject({ count: 3 })
})
