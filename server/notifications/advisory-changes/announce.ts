import type { AdvisoryRow } from '#server/advisories/advisory-row.ts'
import { approvedSources } from '#server/advisories/approved-sources.ts'
import { isDuplicate } from '#server/advisories/duplicates.ts'
import { isCountrySet } from '#server/advisories/identity.ts'
import type { Source } from '#server/advisories/sources.ts'
import type { Countries } from '#server/countries/reference.ts'
import type { Db } from '#server/db/connection.ts'
import { SEVERITY_RANK } from '#shared/advisories/severity.ts'
import { removalOf } from '#shared/advisories/visibility.ts'
import type { AdvisoryReason, Priority } from '#shared/delivery/kinds.ts'
import { announce } from '../announcements/create.ts'
import { sendCanary } from '../delivery-monitor/canary.ts'
import { type Change, newCountries, notifyReasonOf } from './detect.ts'
import { advisoryTexts } from './texts.ts'
import { type NewWithheld, withhold } from './withheld-news.ts'

/** More changes at once are a burst, not news: a changed format, or a source that was unavailable for long. */
export const BURST_SIZE = 50

export interface AdvisoryChange extends Change {
  id: string
}

interface Context {
  now: Date
  countries: Countries
}

interface NotifiableChange {
  change: AdvisoryChange
  reason: Exclude<AdvisoryReason, 'by_hand'>
}

/** Announces the notifiable changes made by an administrator; in the same transaction, as the portal. */
export async function announceChanges(db: Db, changes: AdvisoryChange[], context: Context): Promise<void> {
  for (const notifiable of await mattersIn(db, changes, context)) await announceChange(db, notifiable, context)
}

/**
 * The same for changes from a feed, in the transaction of the import. A first import announces nothing; a burst
 * announces only what is urgent and genuine. Administrators release or drop the rest.
 */
export async function announceImport(
  db: Db,
  source: Source,
  changes: AdvisoryChange[],
  context: Context & { isFirst: boolean },
): Promise<void> {
  const matters = await mattersIn(db, changes, context)
  if (matters.length === 0) return
  const isBurst = context.isFirst || matters.length > BURST_SIZE
  const isSent = (notifiable: NotifiableChange) => !isBurst || (!context.isFirst && isPressing(notifiable))
  for (const notifiable of matters.filter(isSent)) await announceChange(db, notifiable, context)
  const rest = matters.filter((notifiable) => !isSent(notifiable))
  if (rest.length > 0) await alertAdministrators(db, source, { rest, sent: matters.length - rest.length }, context)
}

/**
 * Changes announced even in a burst: urgent ones, a rise to warning or higher, and a new alert or event of such a
 * level. Very many new country sets mean that the list changed its form.
 */
function isPressing({ change: { after }, reason }: NotifiableChange): boolean {
  if (priorityOf(after, reason) === 'urgent') return true
  if (SEVERITY_RANK[after.severity_level] < SEVERITY_RANK.warning) return false
  return reason === 'escalated' || (reason === 'new' && !isCountrySet(after.external_id))
}

async function mattersIn(db: Db, changes: AdvisoryChange[], { now }: Context): Promise<NotifiableChange[]> {
  const matters = changes.flatMap((change) => {
    const reason = change.after.auto_notify ? notifyReasonOf(change, now) : null
    return reason ? [{ change, reason }] : []
  })
  if (matters.length === 0) return []
  const approved = await approvedSources(db)
  return matters.filter(({ change }) => removalOf(change.after, approved) === null)
}

async function announceChange(db: Db, { change, reason }: NotifiableChange, context: Context): Promise<void> {
  const { id, before, after } = change
  // One authority may publish the same advisory through two feeds: announce it once.
  if (await isDuplicate(db, { ...after, id }, reason, context.now)) return
  await announceAdvisory(db, { id, before, after, reason, key: keyOf(change, reason) }, context)
}

/** Each version is announced once. Withdrawing and restoring create no version, so they are announced each time. */
function keyOf({ id, before, after }: AdvisoryChange, reason: AdvisoryReason): string {
  const version = `advisory ${id} v${after.version}`
  if (reason === 'withdrawn') return `${version} withdrawn ${(after.withdrawn_at ?? after.updated_at).getTime()}`
  // Resolving a country name creates no version either.
  if (reason === 'escalated' && before?.version === after.version)
    return `${version} for ${newCountries(before, after).join(' ')}`
  const isBack = reason === 'new' && before !== null && before.version === after.version && before.status !== 'draft'
  return isBack ? `${version} again ${(before.withdrawn_at ?? before.updated_at).getTime()}` : version
}

interface AdvisoryAnnouncement {
  id: string
  before: AdvisoryRow | null
  after: AdvisoryRow
  reason: AdvisoryReason
  key: string
}

/**
 * Announces one advisory in its current state, with the reason and key supplied, and monitors urgent ones; returns the
 * announcement's id.
 */
export async function announceAdvisory(
  db: Db,
  { id, before, after, reason, key }: AdvisoryAnnouncement,
  { countries, createdBy }: Pick<Context, 'countries'> & { createdBy?: string },
): Promise<string> {
  const priority = priorityOf(after, reason)
  const texts = advisoryTexts(after, { before, reason, countries })
  const path = `/travel-advisories/${id}`
  const announcement = await announce(db, {
    key,
    kind: 'advisory',
    priority,
    template: 'advisory',
    texts,
    actionUrl: path,
    advisory: { id, version: after.version, reason },
    audience: null,
    channels: null,
    ...(createdBy ? { createdBy } : {}),
  })
  if (priority === 'urgent') await sendCanary(db, { id: announcement, key, text: texts.en, path }, after.severity_level)
  return announcement
}

/** The end of a danger is never urgent. */
export function priorityOf(
  { is_urgent, severity_level }: Pick<AdvisoryRow, 'is_urgent' | 'severity_level'>,
  reason: AdvisoryReason,
): Priority {
  if (reason === 'withdrawn') return SEVERITY_RANK[severity_level] >= SEVERITY_RANK.critical ? 'high' : 'medium'
  if (is_urgent || severity_level === 'emergency') return 'urgent'
  if (severity_level === 'critical') return 'high'
  return severity_level === 'warning' ? 'medium' : 'low'
}

async function alertAdministrators(
  db: Db,
  source: Source,
  { rest, sent }: { rest: NotifiableChange[]; sent: number },
  context: Context & { isFirst: boolean },
): Promise<void> {
  const { isFirst, now } = context
  const urgent = rest.filter(({ change, reason }) => priorityOf(change.after, reason) === 'urgent')
  // In a first import only urgent advisories may be news.
  const withheld = isFirst ? urgent : rest
  await withhold(
    db,
    source,
    withheld.map((notifiable) => withheldFrom(notifiable, context)),
    now,
  )
  const count = rest.length === 1 ? 'One advisory' : `${rest.length} advisories`
  const message = isFirst
    ? `This source was read for the first time. ${count} of it may be news, ${urgent.length} urgent. Nobody was ` +
      'notified. Release those that people must hear of, drop the others.'
    : `This source changed very much at once. What is urgent was sent (${sent}). ${count} more may be news. Nobody was ` +
      'notified of these. Release those that people must hear of, drop the others.'
  await db
    .insertInto('notifications')
    .values({
      user_id: null,
      recipient_role: 'admin',
      type: 'admin_alert',
      title: `${source.organization}: not announced one by one`,
      message,
      data: JSON.stringify({ source_id: source.id, advisories: rest.length, urgent: urgent.length }),
      delivery_method: ['in-app'],
      priority: urgent.length > 0 ? 'urgent' : 'high',
      status: 'sent',
      sent_at: now,
      action_url: `/admin/travel-advisories/sources/${source.id}#withheld`,
      event_key: `advisory flood ${source.id} ${now.toISOString()}`,
    })
    .onConflict((c) => c.column('event_key').doNothing())
    .execute()
}

function withheldFrom({ change, reason }: NotifiableChange, { countries }: Context): NewWithheld {
  const { id, before, after } = change
  return {
    advisory_id: id,
    advisory_version: after.version,
    reason,
    priority: priorityOf(after, reason),
    announcement_key: keyOf(change, reason),
    texts: advisoryTexts(after, { before, reason, countries }),
  }
}
