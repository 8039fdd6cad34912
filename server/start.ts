import { once } from 'node:events'
import net from 'node:net'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { secretOf } from '#server/accounts/secret.ts'
import { registerSources } from '#server/advisories/sources.ts'
import { typeUntyped } from '#server/advisories/type-backfill.ts'
import { loadFacts } from '#server/assistant/facts/loader.ts'
import { loadKnowledge } from '#server/assistant/knowledge/starter-pages.ts'
import { loadFaq } from '#server/content/faq-loader.ts'
import { inBackground } from '#server/db/claims.ts'
import { type Database, type Embedded, openPostgres } from '#server/db/connection.ts'
import { awaitsSample, markSampleLoaded } from '#server/db/data-directory.ts'
import { openPglite } from '#server/db/embedded.ts'
import { startUpkeep } from '#server/db/maintenance.ts'
import { migrate } from '#server/db/migrate.ts'
import { retryWhileUnavailable } from '#server/db/startup-retry.ts'
import { hasOpenOutbox, unsentChannels } from '#server/delivery/channels.ts'
import { loadAssets } from '#server/http/assets.ts'
import { ConnectionLimits, createHttpServer } from '#server/http/connections.ts'
import { createDrain } from '#server/http/drain.ts'
import { listen } from '#server/http/listen.ts'
import type { PageBuild } from '#server/http/pages.ts'
import { alertMissingProvider } from '#server/notifications/delivery-monitor/missing-provider-alert.ts'
import { loadSampleAccounts, warnOfKnownPassword } from '#server/sample/accounts.ts'
import { loadSample } from '#server/sample/advisories.ts'
import { loadSampleChurches } from '#server/sample/churches.ts'
import { loadSampleNotifications } from '#server/sample/notifications.ts'
import { createApp } from './app.ts'
import type { AppDeps } from './app-deps.ts'
import { readSettings, type Settings } from './env.ts'
import { createLog, type Log } from './log.ts'
import { unconfigured } from './missing-settings.ts'
import { stepBack } from './priority.ts'
import { startWorker } from './worker.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
const EXIT_WITHIN_MS = 5_000
const SAME_SIGNAL_MS = 500

/** Opens and migrates the database; the embedded one also gets dated sample advisories. */
async function openDatabase(settings: Settings, log: Log): Promise<Database> {
  const database = settings.databaseUrl
    ? openPostgres(settings.databaseUrl, { poolSize: settings.poolSize })
    : await openPglite(settings.dataDir, { isDurable: settings.isDurable })
  if (database.embedded?.isDurable === false)
    log.warn('DATABASE_SYNC=off: a power cut can destroy the whole embedded database, not only the last writes')
  await retryWhileUnavailable(log, 'migrate', () => migrate(database))
  await retryWhileUnavailable(log, 'content', () =>
    inBackground(database, 'start', async (db) => {
      await registerSources(db)
      await typeUntyped(db)
      await loadFaq(db)
      await loadFacts(db)
      await loadKnowledge(db)
    }),
  )
  if (settings.isEmbedded) await loadSamples(database, settings, log)
  return database
}

/** Starts maintenance of the embedded database; returns the function that stops it. */
function lookAfter(database: Database, embedded: Embedded, log: Log): Stopper {
  embedded.space?.arm()
  const upkeep = startUpkeep(database.background, embedded, log)
  // Reports disk problems at start-up.
  void upkeep.turn()
  return () => upkeep.stop()
}

/** Only into a newly created database: in one that is in use, missing samples were deleted on purpose. */
async function loadSamples(database: Database, settings: Settings, log: Log): Promise<void> {
  if (!awaitsSample(settings.dataDir)) return warnOfKnownPassword(database, settings, log)
  await loadSample(database, log)
  const accounts = await loadSampleAccounts(database, settings, log)
  await loadSampleNotifications(database, log)
  await loadSampleChurches(database, log)
  // Without a password the demo logins are retried at the next start.
  if (accounts !== 'no password') markSampleLoaded(settings.dataDir)
}

/** Starts what the settings ask for: web, worker or both. */
export async function start(): Promise<void> {
  const settings = readSettings(process.env)
  const log = createLog(settings.logLevel)
  const isDevelopment = process.argv.includes('--dev')
  if (!settings.runsWeb) stepBack()
  // Stopped in reverse order. Signal handlers are installed before anything starts that must be stopped.
  const stoppers: Stopper[] = []
  stopOnSignal(stoppers, log)
  // Pages load while the database opens, which mostly waits for the disk.
  const pages = settings.runsWeb && !isDevelopment ? builtPages() : undefined
  // Errors surface where the pages are used, not in the middle of a migration.
  pages?.catch(() => {})
  // Checked before a database is created or migrated in vain.
  if (settings.runsWeb) await checkPort(settings)
  const database = await openDatabase(settings, log)
  stoppers.unshift(() => database.close())
  if (database.embedded) stoppers.unshift(lookAfter(database, database.embedded, log))
  // The embedded mode is unconfigured on purpose, and every page shows it.
  if (!settings.isEmbedded) {
    const missing = unconfigured(settings)
    if (missing.length > 0) log.warn({ missing }, 'not configured')
    await retryWhileUnavailable(log, 'providers', () => alertMissingProvider(database, unsentChannels(settings)))
  }
  const worker = await startWorker({ database, log, settings })
  stoppers.unshift(() => worker.stop())
  if (settings.runsWeb) await startWeb({ database, log, settings, worker, pages }, stoppers)
  // Web requests first: the embedded database does one thing at a time.
  await worker.begin()
}

type Stopper = () => Promise<unknown> | unknown

async function startWeb(
  deps: {
    database: Database
    log: Log
    settings: Settings
    worker: Awaited<ReturnType<typeof startWorker>>
    /** Undefined in development, where pages are built on request. */
    pages: Promise<PageBuild> | undefined
  },
  stoppers: Stopper[],
): Promise<void> {
  const { settings, worker, pages } = deps
  const server = createHttpServer()
  new ConnectionLimits(server, { log: deps.log, trustedProxies: settings.trustedProxies })
  const drain = createDrain(server)
  const appDeps: AppDeps = {
    database: deps.database,
    log: deps.log,
    mode: pages ? 'production' : 'development',
    publicUrl: settings.publicUrl,
    hasSampleContent: settings.isEmbedded,
    hasOpenOutbox: hasOpenOutbox(settings),
    unsentChannels: unsentChannels(settings),
    secret: await secretOf(deps.database, settings.authSecret),
    google: settings.google,
    hub: settings.hub,
    places: settings.places,
    model: settings.model,
    providers: settings,
    queue: worker.queue,
    backup: settings.backup,
    trustedProxies: settings.trustedProxies,
    feeds: worker.feeds,
    files: worker.files,
    health: { isStopping: () => drain.isDraining, queue: worker.health },
    assets: await loadAssets([
      ...(pages ? [{ folder: path.join(ROOT, 'build/client/assets'), under: '/assets/', isImmutable: true }] : []),
      { folder: path.join(ROOT, 'public'), under: '/', isImmutable: false },
    ]),
  }
  const app = pages
    ? await builtApp(appDeps, await pages)
    : await (await import('./dev.ts')).developmentApp(server, appDeps)

  stoppers.unshift(() => drain.drain(() => void app.stop()))
  await listen(server, {
    fetch: app.fetch,
    host: settings.host,
    port: settings.port,
    before: (request, response, next) => drain.pass(response, () => app.before(request, response, next)),
  }).catch((error: NodeJS.ErrnoException) => {
    throw listenError(error, settings)
  })
  deps.log.info({ address: settings.publicUrl, engine: deps.database.engine }, 'ready')
  if (process.stdout.isTTY || settings.isEmbedded) console.error(`\n  MFA Portal is ready: ${settings.publicUrl}\n`)
}

function builtPages(): Promise<PageBuild> {
  return import(pathToFileURL(path.join(ROOT, 'build/server/index.js')).href)
}

async function builtApp(deps: AppDeps, pages: PageBuild) {
  const app = await createApp({ ...deps, pages: () => pages })
  return {
    fetch: app.fetch,
    stop: () => app.stop(),
    before: app.before,
  }
}

/** Throws when the port is in use: binds it and releases it again. */
async function checkPort(settings: Settings): Promise<void> {
  const probe = net.createServer().listen(settings.port, settings.host)
  await once(probe, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw listenError(error, settings)
  })
  await new Promise((closed) => probe.close(closed))
}

function listenError(error: NodeJS.ErrnoException, { host, port }: Settings): Error {
  if (error.code === 'EADDRINUSE')
    return new Error(`Port ${port} on ${host} is in use. Stop the program that uses it, or set PORT to another port.`)
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new Error(
      `This machine does not have the address ${host}. Set HOST to one of its addresses, such as 127.0.0.1 or 0.0.0.0.`,
    )
  if (error.code === 'EACCES') return new Error(`This user cannot open port ${port}. Set PORT to a number above 1023.`)
  return error
}

/** First signal: finish current work and exit. Second signal or time-out: exit at once. */
function stopOnSignal(stoppers: Stopper[], log: Log) {
  let stoppingSince = 0
  const stop = async (signal: string) => {
    if (stoppingSince) {
      // Ctrl+C reaches this process from the terminal and again from its parent.
      if (Date.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(1)
      return
    }
    stoppingSince = Date.now()
    log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), EXIT_WITHIN_MS).unref()
    for (const step of stoppers)
      await Promise.resolve(step()).catch((error: Error) =>
        log.error({ reason: error.message }, 'a part did not stop cleanly'),
      )
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // The parent process was killed.
  process.on('disconnect', () => stop('disconnect'))
}
