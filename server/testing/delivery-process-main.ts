// A process that sends waiting messages like a worker, and ends with its parent.
import { openPostgres } from '#server/db/connection.ts'
import { createChannels } from '#server/delivery/channels.ts'
import { startDeliveryService } from '#server/delivery/delivery-service.ts'
import { createDeliveryRules } from '#server/delivery-rules.ts'
import { readSettings } from '#server/env.ts'
import { createLog } from '#server/log.ts'
import { fanOutDue } from '#server/notifications/announcements/fan-out.ts'
import { stepBack } from '#server/priority.ts'
import { setV8Flags } from '#server/v8.ts'

setV8Flags()
stepBack()
process.stdin.resume().on('end', () => process.exit())
const settings = readSettings(process.env)
const database = openPostgres(settings.databaseUrl!)
const { publicUrl } = settings
const channels = createChannels(settings, { database })
await startDeliveryService({
  ...{ database, channels, log: createLog('error'), publicUrl },
  rules: createDeliveryRules({ publicUrl, secret: 'a secret' }),
  fanOut: () => fanOutDue(database, channels.unsent),
})
