import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { testDatabase } from '#server/testing/database.ts'
import { ROLES } from '#shared/roles.ts'
import { loadSampleAccounts, SAMPLE_ACCOUNTS } from './accounts.ts'

const database = await testDatabase()
const lines: { level: number; msg: string }[] = []
const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
const here = { host: '127.0.0.1', publicUrl: 'http://127.0.0.1:3000', trustedProxies: 0, samplePassword: undefined }
const load = (where: Partial<Parameters<typeof loadSampleAccounts>[1]> = {}) =>
  loadSampleAccounts(database, { ...here, ...where }, log)

beforeEach(async () => {
  lines.length = 0
  await database.background.pool.query('truncate auth_users, persons, user_profiles cascade')
})

test('on a single machine there is one demo login for each role', async () => {
  expect(await load()).toBe(7)
  expect(SAMPLE_ACCOUNTS.map(({ role }) => role).sort()).toEqual([...ROLES].sort())
  expect(await load()).toBe(0)
})

test.each([
  { host: '0.0.0.0' },
  { host: '192.168.1.5', publicUrl: 'http://192.168.1.5:3000' },
  { publicUrl: 'https://portal.example' },
  { trustedProxies: 1 },
])('where others can connect (%j) there is none without a password, and the log gives the reason', async (where) => {
  expect(await load(where)).toBe('no password')
  expect(lines).toMatchObject([{ level: 40, msg: expect.stringContaining('SAMPLE_PASSWORD is not set') }])
  expect(await load({ ...where, samplePassword: 'a password of our own' })).toBe(7)
})

test('demo logins with the known password are logged as an error once others can connect', async () => {
  await load()
  lines.length = 0
  await load({ host: '0.0.0.0' })
  expect(lines).toMatchObject([{ level: 50, msg: expect.stringContaining('password of the README') }])
  lines.length = 0
  await load()
  expect(lines).toEqual([])
})
