import { expect, test } from 'vitest'
import { createLog } from '#server/log.ts'
import { testDatabase } from '#server/testing/database.ts'
import { loadSampleAccounts } from './accounts.ts'
import { loadSampleNotifications } from './notifications.ts'

const database = await testDatabase()
const log = createLog('silent')

test('the demo logins get notifications once, and a portal without them is unchanged', async () => {
  expect(await loadSampleNotifications(database, log)).toBe(0)
  await loadSampleAccounts(
    database,
    { samplePassword: undefined, host: '127.0.0.1', publicUrl: 'http://127.0.0.1', trustedProxies: 0 },
    log,
  )
  expect(await loadSampleNotifications(database, log)).toBeGreaterThan(3)
  expect(await loadSampleNotifications(database, log)).toBe(0)
})
