// A process that sends waiting messages like a worker, and ends with its parent.
import { openPostgres } from '#server/db/connection.ts'
import { createChannels } from '#server/delivery/channels.ts'
import { startSender } from '#server/delivery/delivery-service.ts'
import { readSettings } from '#server/env.ts'
import { createLog } from '#server/log.ts'
import { stepBack } from '#server/priority.ts'
import { setV8Flags } from '#server/v8.ts'

setV8Flags()
stepBack()
process.stdin.resume().on('end', () => process.exit())
const settings = readSettings(process.env)
const database = openPostgres(settings.databaseUrl!)
await startSender({
  database,
  channels: createChannels(settings, { database }),
  log: createLog('error'),
  publicUrl: settings.publicUrl,
  secret: 'a secret',
})
