import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'

const database = await testDatabase()
const app = await testApp(database, { now: () => new Date('2026-11-22T23:30:00Z') })

const read = async () => {
  const response = await app.request('http://portal.test/.well-known/security.txt')
  expect([response.status, response.headers.get('content-type')?.toLowerCase()]).toEqual([
    200,
    'text/plain; charset=utf-8',
  ])
  return response.text()
}

test('a program finds where to report a security problem, and how long that is valid', async () => {
  expect(await read()).toBe(
    [
      'Contact: http://portal.test/support',
      'Expires: 2027-05-21T00:00:00.000Z',
      'Preferred-Languages: en, ar',
      'Canonical: http://portal.test/.well-known/security.txt',
      '',
    ].join('\n'),
  )
})

test('the address in the settings comes first', async () => {
  await inBackground(database, 'test', (db) =>
    db
      .insertInto('settings')
      .values({ key: 'support_email', value: JSON.stringify('help@example.org') })
      .execute(),
  )
  await expect.poll(read).toMatch(/^Contact: mailto:help@example\.org\nContact: /)
})
