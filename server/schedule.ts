import { sql } from 'kysely'
import { pruneAccounts } from '#server/accounts/retention.ts'
import { expireAdvisories } from '#server/advisories/expiry.ts'
import type { FeedDeps } from '#server/advisories/feeds/deps.ts'
import { runDueSources } from '#server/advisories/feeds/run.ts'
import { endBursts } from '#server/assistant/cases/bursts.ts'
import { sendCaseDigests } from '#server/assistant/cases/digests.ts'
import { escalateCases } from '#server/assistant/cases/escalation.ts'
import { rereadKnowledge } from '#server/assistant/knowledge/refresh.ts'
import { pruneAssistant } from '#server/assistant/retention.ts'
import { makeDueBackup, testDueBackup } from '#server/backup/job.ts'
import { askForConfirmation } from '#server/churches/confirmation-requests.ts'
import { checkProjection, projectMissing } from '#server/churches/jobs.ts'
import { inBackground } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import { vacuumAtNight } from '#server/db/maintenance.ts'
import { pruneMessages } from '#server/delivery/retention.ts'
import { sweepFiles } from '#server/files/orphan-cleanup.ts'
import type { Store } from '#server/files/store.ts'
import type { Queue, WorkSettings } from '#server/jobs/queue.ts'
import { recordDeliveryStatus } from '#server/notifications/admin/send-api/delivery-status.ts'
import { measureDeliveries } from '#server/notifications/announcements/stats.ts'
import { monitorDelivery } from '#server/notifications/delivery-monitor/check.ts'
import { sendDigests } from '#server/notifications/digests.ts'
import { sendDueReminders } from '#server/notifications/reminders/due-reminders.ts'
import { escalateHelp } from '#server/roll-calls/escalation.ts'
import { pruneRollCalls } from '#server/roll-calls/retention.ts'
import { REMINDER_MINUTES } from '#shared/notifications/reminders.ts'

export interface ScheduleDeps extends FeedDeps {
  files: Store
  /** Absent when no scheduled backups are made. */
  backups?: Parameters<typeof makeDueBackup>[1]
  /** Signs links in mails. */
  secret: string
  /** False on a machine without a network: its sources are then only read from saved documents. */
  fetchesFeeds: boolean
}

/** Retained versions of public rows; a node further behind reloads everything. */
const MAX_PUBLIC_VERSIONS = 10_000
const FEED_RUN_RETENTION_DAYS = 90

interface ScheduledJob {
  name: string
  cron: string
  run: (deps: ScheduleDeps) => Promise<unknown>
  settings?: WorkSettings
}

const BACKUP_WORK: WorkSettings = { expireInSeconds: 21_600 }

/** Everything scheduled (UTC), each a line that calls its function. */
const SCHEDULES: ScheduledJob[] = [
  {
    // Runs every minute; each source knows when it is due, and is run by one node at a time.
    name: 'feeds.fetchDue',
    cron: '* * * * *',
    run: runDueSources,
    settings: { concurrency: 2, expireInSeconds: 900 },
  },
  {
    name: 'advisories.expire',
    cron: '*/10 * * * *',
    run: ({ database }) => inBackground(database, 'expiry', (db) => expireAdvisories(db)),
  },
  { name: 'publicChanges.prune', cron: '17 * * * *', run: ({ database }) => prunePublicChanges(database) },
  // Whether urgent messages are sent, and how long that took.
  { name: 'deliveryMonitor.check', cron: '* * * * *', run: monitorDelivery },
  { name: 'notifications.recordStatus', cron: '* * * * *', run: ({ database }) => recordDeliveryStatus(database) },
  { name: 'deliveries.measure', cron: '*/5 * * * *', run: ({ database }) => measureDeliveries(database) },
  // Calls for help in a roll call that nobody handles in time are escalated to the next helper.
  { name: 'rollCalls.escalate', cron: '* * * * *', run: ({ database }) => escalateHelp(database) },
  // The same for cases that the assistant handed over.
  { name: 'assistant.escalateCases', cron: '* * * * *', run: ({ database }) => escalateCases(database) },
  // Calls for help that raised no individual alarm, and bursts of them that are over.
  { name: 'assistant.sendCaseDigests', cron: '* * * * *', run: ({ database }) => sendCaseDigests(database) },
  { name: 'assistant.endBursts', cron: '* * * * *', run: ({ database }) => endBursts(database) },
  { name: 'assistant.prune', cron: '47 3 * * *', run: (deps) => pruneAssistant(deps) },
  // Sundays: pages that the assistant quotes are fetched again.
  {
    name: 'knowledge.reread',
    cron: '29 4 * * 0',
    run: (deps) => rereadKnowledge(deps),
    settings: { expireInSeconds: 3_600 },
  },
  // Often, since not every time zone is offset by whole hours.
  { name: 'notifications.digest', cron: '*/15 * * * *', run: sendDigests, settings: { expireInSeconds: 3_000 } },
  { name: 'reminders.sendDue', cron: `*/${REMINDER_MINUTES} * * * *`, run: (deps) => sendDueReminders(deps) },
  { name: 'rollCalls.prune', cron: '33 3 * * *', run: ({ database }) => pruneRollCalls(database) },
  { name: 'messages.prune', cron: '23 3 * * *', run: ({ database }) => pruneMessages(database) },
  { name: 'files.sweep', cron: '53 * * * *', run: ({ database, files }) => sweepFiles(database, files) },
  { name: 'accounts.prune', cron: '37 * * * *', run: ({ database }) => pruneAccounts(database) },
  { name: 'locales.project', cron: '* * * * *', run: projectMissing },
  { name: 'locales.check', cron: '13 2 * * *', run: checkProjection },
  { name: 'locales.askForConfirmation', cron: '7 * * * *', run: askForConfirmation },
  { name: 'database.vacuum', cron: '11 3 * * *', run: ({ database }) => vacuumAtNight(database) },
  // Runs often; the function itself checks whether a backup is due.
  {
    name: 'backups.makeDue',
    cron: '*/10 * * * *',
    run: (deps) => makeDueBackup(deps, deps.backups),
    settings: BACKUP_WORK,
  },
  {
    name: 'backups.testDue',
    cron: '41 * * * *',
    run: (deps) => testDueBackup(deps, deps.backups),
    settings: BACKUP_WORK,
  },
  { name: 'feedRuns.prune', cron: '43 3 * * *', run: ({ database }) => pruneFeedRuns(database) },
]

/** Jobs that read from other machines. */
const NEEDS_NETWORK = new Set(['feeds.fetchDue', 'knowledge.reread'])

/** Registers the schedule in the queue and runs it on this node. The queue must have been started. */
export async function startSchedule(queue: Queue, deps: ScheduleDeps): Promise<void> {
  if (deps.database.engine === 'pglite') await releaseClaims(deps.database)
  const wanted = SCHEDULES.filter(({ name }) => deps.fetchesFeeds || !NEEDS_NETWORK.has(name))
  for (const { name, cron, run, settings } of wanted) {
    const work = async (_: object, signal: AbortSignal) => void (await run({ ...deps, signal }))
    // The next minute is another attempt, so nothing is retried and nothing piles up.
    const once: WorkSettings = { policy: 'one waiting', retryLimit: 0, pollSeconds: 5, retentionSeconds: 3_600 }
    await queue.work(name, work, { ...once, ...settings })
    await queue.schedule(name, cron)
  }
  await queue.pruneSchedules(SCHEDULES.map(({ name }) => name))
}

/** This process alone owns the embedded database: a lease in it belongs to a dead process. */
async function releaseClaims(database: Database): Promise<void> {
  await inBackground(database, 'feeds', (db) =>
    db.updateTable('advisory_sources').set({ leased_until: null }).where('leased_until', 'is not', null).execute(),
  )
}

/** Deletes all but the latest changes of public rows. */
export async function prunePublicChanges(database: Database, maxVersions = MAX_PUBLIC_VERSIONS): Promise<void> {
  // As the owner: the portal's roles can only read this log.
  await sql`delete from public_changes where version <= (select version from public_version) - ${maxVersions}`.execute(
    database.background.kysely,
  )
}

/** Deletes feed runs that are no longer needed. */
export async function pruneFeedRuns(database: Database, days = FEED_RUN_RETENTION_DAYS): Promise<void> {
  await inBackground(database, 'feeds', (db) =>
    db.deleteFrom('feed_runs').where('started_at', '<', sql<Date>`now() - make_interval(days => ${days})`).execute(),
  )
}
