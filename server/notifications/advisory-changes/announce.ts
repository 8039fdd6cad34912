import type { AdvisoryRow } from '#server/advisories/advisory-row.ts'
import { approvedSources } from '#server/advisories/approved-sources.ts'
import { isDuplicate } from '#server/advisories/duplicates.ts'
import { isCountrySet } from '#server/advisories/identity.ts'
import type { Source } from '#server/advisories/sources.ts'
import type { Countries } from '#server/countries/reference.ts'
import { asPortal } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { SEVERITY_RANK } from '#shared/advisories/severity.ts'
import { removalOf } from '#shared/advisories/visibility.ts'
import type { AdvisoryReason, Priority } from '#shared/delivery/kinds.ts'
import { type Announcement, announce } from '../announcements/create.ts'
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
  reason: Exclude<AdvisoryReason, 'manual'>
}

/** A feed whose import made the changes. `isFirst`: nothing of it was known before. */
interface Import {
  source: Source
  isFirst: boolean
}

/**
 * Announces the changes that matter to subscribers, in the transaction of the change, as the portal. A first import
 * announces nothing; a burst announces only what is urgent and genuine. Administrators release or drop the rest.
 */
export async function announceChanges(
  db: Db,
  changes: AdvisoryChange[],
  { now, countries }: Context,
  feed?: Import,
): Promise<void> {
  const withReason = changes.flatMap((change) => {
    const reason = change.after.auto_notify ? notifyReasonOf(change, now) : null
    return reason ? [{ change, reason }] : []
  })
  if (withReason.length === 0) return
  await asPortal(db, async () => {
    const approved = await approvedSources(db)
    const notifiable = withReason.filter(({ change }) => removalOf(change.after, approved) === null)
    const isBurst = feed && (feed.isFirst || notifiable.length > BURST_SIZE)
    const withheld = new Set(isBurst ? notifiable.filter((one) => feed.isFirst || !bypassesBurst(one)) : [])
    for (const one of notifiable) {
      const { change, reason } = one
      // One authority may publish the same advisory through two feeds: announce it once.
      if (withheld.has(one) || (await isDuplicate(db, { ...change.after, id: change.id }, reason, now))) continue
      await announce(db, advisoryAnnouncement({ ...change, reason, key: keyOf(change, reason) }, countries))
    }
    const sent = notifiable.length - withheld.size
    if (feed && withheld.size > 0)
      await alertAdministrators(db, feed, { withheld: [...withheld], sent }, { now, countries })
  })
}

/**
 * Changes announced even in a burst: urgent ones, a rise to warning or higher, and a new alert or event of such a
 * level. Very many new country sets mean that the list changed its form.
 */
function bypassesBurst({ change: { after }, reason }: NotifiableChange): boolean {
  if (priorityOf(after, reason) === 'urgent') return true
  if (SEVERITY_RANK[after.severity_level] < SEVERITY_RANK.warning) return false
  return reason === 'escalated' || (reason === 'new' && !isCountrySet(after.external_id))
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

/** The announcement of an advisory in its current state, with the reason and key supplied. */
export function advisoryAnnouncement(
  { id, before, after, reason, key }: AdvisoryChange & { reason: AdvisoryReason; key: string },
  countries: Countries,
): Announcement {
  return {
    key,
    kind: 'advisory',
    priority: priorityOf(after, reason),
    template: 'advisory',
    texts: advisoryTexts(after, { before, reason, countries }),
    actionUrl: `/travel-advisories/${id}`,
    advisory: { id, version: after.version, reason },
    severity: after.severity_level,
    audience: null,
    channels: null,
  }
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
  { source, isFirst }: Import,
  { withheld, sent }: { withheld: NotifiableChange[]; sent: number },
  context: Context,
): Promise<void> {
  const { now } = context
  const urgent = withheld.filter(({ change, reason }) => priorityOf(change.after, reason) === 'urgent')
  // In a first import only urgent advisories may be news.
  const toDecide = (isFirst ? urgent : withheld).map((notifiable) => withheldFrom(notifiable, context))
  await withhold(db, source, toDecide, now)
  const count = withheld.length === 1 ? 'One advisory' : `${withheld.length} advisories`
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
      data: JSON.stringify({ source_id: source.id, advisories: withheld.length, urgent: urgent.length }),
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
