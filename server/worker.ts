import { secretOf } from '#server/accounts/secret.ts'
import type { FeedDeps } from '#server/advisories/feeds/deps.ts'
import { runDueSources } from '#server/advisories/feeds/run.ts'
import { startBackups } from '#server/backup/job.ts'
import { loadCitiesOnce } from '#server/churches/cities.ts'
import { localeImportAdapter } from '#server/churches/import/adapter.ts'
import { currentCountries } from '#server/countries/model.ts'
import type { Database } from '#server/db/connection.ts'
import { retryWhileUnavailable } from '#server/db/startup-retry.ts'
import { createChannels } from '#server/delivery/channels.ts'
import { startDeliveryService } from '#server/delivery/delivery-service.ts'
import { openStore } from '#server/files/store.ts'
import { startImports } from '#server/imports/job.ts'
import { Queue } from '#server/jobs/queue.ts'
import { fanOutDue } from '#server/notifications/announcements/fan-out.ts'
import { createDeliveryRules } from './delivery-rules.ts'
import type { Settings } from './env.ts'
import type { Log } from './log.ts'
import { startSchedule } from './schedule.ts'

/**
 * Background part of a process: queue and schedules. A web-only process also has the queue to enqueue jobs, but runs
 * none.
 */
export async function startWorker({ database, log, settings }: { database: Database; log: Log; settings: Settings }) {
  const stopping = new AbortController()
  const feeds: FeedDeps = {
    database,
    log,
    publicUrl: settings.publicUrl,
    allowsPrivateFeeds: settings.allowsPrivateFeeds,
    signal: stopping.signal,
  }
  const queue = new Queue(database, log, { runsJobs: settings.runsWorker })
  const channels = createChannels(settings, { database })
  const files = await openStore(settings)
  await retryWhileUnavailable(log, 'queue', () => queue.start())
  const imports = [localeImportAdapter({ countries: () => currentCountries({ database, log }) })]
  await retryWhileUnavailable(log, 'imports', () =>
    startImports(queue, { database, log }, imports, settings.runsWorker),
  )
  await retryWhileUnavailable(log, 'backups', () => startBackups(queue, feeds, settings))
  let delivery: Awaited<ReturnType<typeof startDeliveryService>> | undefined

  async function begin(): Promise<void> {
    await retryWhileUnavailable(log, 'schedule', async () => {
      const secret = await secretOf(database, settings.authSecret)
      await startSchedule(queue, { ...feeds, files, backups: settings, secret, fetchesFeeds: settings.fetchesFeeds })
      delivery = await startDeliveryService({
        ...{ database, channels, log, publicUrl: settings.publicUrl },
        rules: createDeliveryRules({ publicUrl: settings.publicUrl, secret }),
        fanOut: () => fanOutDue(database, channels.unsent),
      })
    })
    // The schedule fires at full minutes; overdue feeds should not wait for one.
    if (settings.fetchesFeeds)
      runDueSources(feeds).catch((error: Error) => log.error({ reason: error.message }, 'the first fetch failed'))
    if (settings.cities > 0)
      startLater(stopping.signal, () =>
        loadCitiesOnce(database, log, { limit: settings.cities, signal: stopping.signal }).catch((error: Error) =>
          log.error({ reason: error.message }, 'cities were not loaded, which is tried again at the next start'),
        ),
      )
  }

  return {
    feeds,
    files,
    queue,
    health: () => queue.health(),
    /** Starts the schedules and the dispatcher, where this process runs them. */
    async begin() {
      if (!settings.runsWorker || stopping.signal.aborted) return
      await begin().catch((error: Error) => {
        // Stopped while starting.
        if (!stopping.signal.aborted) throw error
      })
    },
    async stop() {
      stopping.abort()
      await Promise.all([queue.stop(), delivery?.stop()])
      channels.close()
    },
  }
}

// By then the pages are ready, so this start-up work delays no request.
const LATER_MS = 3_000

function startLater(signal: AbortSignal, start: () => void): void {
  const timer = setTimeout(start, LATER_MS).unref()
  signal.addEventListener('abort', () => clearTimeout(timer))
}
