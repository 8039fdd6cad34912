import { type Selectable, sql } from 'kysely'
import { userZone } from '#server/countries/user-zone.ts'
import type { Db } from '#server/db/connection.ts'
import type { AnnouncementsTable } from '#server/db/tables-notifications.ts'
import { countryCodeOf } from '#server/delivery/templates/announcement-content.ts'
import type { Writer } from '#server/delivery/templates/authored-mail.ts'
import { announcementPreview } from '#server/delivery/templates/preview.ts'
import type { ReachEstimate } from '#shared/delivery/estimate.ts'
import type { MessageChannel } from '#shared/delivery/kinds.ts'
import { smsSize } from '#shared/delivery/sms.ts'
import { AppError } from '#shared/errors.ts'
import { inEachLanguage, LANGUAGES, type Language } from '#shared/language.ts'
import { UNREACHED_PER_PAGE } from '#shared/notifications/announcements.ts'
import { rowsOf } from '#shared/table.ts'
import { describeRecipients, estimateRecipients } from '../../announcements/reach.ts'
import { missingTexts, writtenIn, writtenOf } from './texts.ts'

export interface EstimateDeps {
  brand: string
  publicUrl: string
  approvalAbove: number
  /** '0.05 USD'; empty if not configured. */
  smsPrice: string
  /** The portal's time zone. */
  zone: string
  /** Channels without a provider. */
  unsent: readonly MessageChannel[]
}

/** An announcement, saved or not. */
export type Estimated = Pick<
  Selectable<AnnouncementsTable>,
  | 'id'
  | 'kind'
  | 'template'
  | 'audience'
  | 'channels'
  | 'advisory_id'
  | 'texts'
  | 'priority'
  | 'action_url'
  | 'created_by'
>

const APPROVERS_NAMED = 5

/** Preview by channel, reached and unreached users. In a transaction of the service; sends nothing. */
export async function estimateReach(
  db: Db,
  announcement: Estimated,
  page: number,
  deps: EstimateDeps,
): Promise<ReachEstimate> {
  const reach = await estimateRecipients(db, announcement)
  const { unreached, readers, portal_only } = await describeRecipients(db, announcement, {
    ...rowsOf({ page, per_page: UNREACHED_PER_PAGE }),
    unsent: deps.unsent,
  })
  const writer = await findWriter(db, announcement.created_by)
  const previews = LANGUAGES.flatMap((language) => previewOf(announcement, writer, language, deps) ?? [])
  const bySms = reach.channels.find(({ channel }) => channel === 'sms')
  const segments = previews.reduce((sum, { language, sms }) => sum + sms.segments * (bySms?.[language] ?? 0), 0)
  const none = (announcement.channels ?? []).filter((channel) => !reach.channels.some((row) => row.channel === channel))
  const channels = [...reach.channels, ...none.map((channel) => ({ channel, people: 0, ...inEachLanguage(() => 0) }))]
  const needs_approval = announcement.kind === 'announcement' && reach.people > deps.approvalAbove
  return {
    ...reach,
    channels: channels.map((row) => ({
      ...row,
      is_connected: !deps.unsent.some((channel) => channel === row.channel),
    })),
    needs_approval,
    approval_above: deps.approvalAbove,
    approvers: needs_approval ? await findApprovers(db, announcement.created_by) : [],
    sms_segments: segments,
    sms_cost: costOf(segments, deps.smsPrice),
    unreached: { ...unreached, page, per_page: UNREACHED_PER_PAGE },
    portal_only,
    readers: readers.map(({ country_code, time_zone, ...reader }) => ({
      ...reader,
      time_zone: userZone({ time_zone, country_code }, deps.zone),
    })),
    previews,
  }
}

/** Administrators other than the author. */
async function findApprovers(db: Db, author: string | null): Promise<string[]> {
  const rows = await db
    .selectFrom('user_profiles')
    .select('display_name')
    .where('role', '=', 'admin')
    .where('profile_status', '=', 'active')
    .where(sql<boolean>`id is distinct from ${author}::uuid`)
    .orderBy('display_name')
    .limit(APPROVERS_NAMED)
    .execute()
  return rows.map(({ display_name }) => display_name)
}

async function findWriter(db: Db, id: string | null): Promise<Writer | null> {
  if (!id) return null
  const row = await db
    .selectFrom('user_profiles')
    .select(['display_name as name', 'role'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

function previewOf(
  announcement: Estimated,
  writer: Writer | null,
  language: Language,
  deps: EstimateDeps,
): ReachEstimate['previews'][number] | undefined {
  const { action_url: actionUrl, advisory_id: advisoryId } = announcement
  const countryCode = countryCodeOf(announcement)
  const content = announcementPreview(
    {
      ...announcement,
      actionUrl,
      advisoryId,
      countryCode,
      writer,
      name: '',
      isRollCall: announcement.kind === 'roll_call',
    },
    language,
    deps,
  )
  // Still being written: counted, and shown once it is complete.
  if (!content && isIncomplete(announcement)) return undefined
  if (!content) throw new AppError(409, 'no_words', 'We cannot create this message. Check the text of the template.')
  const { subject, html, text, title, message, short } = content
  const { segments, encoding } = smsSize(short)
  return {
    language,
    is_borrowed: writtenIn(announcement.texts, language) !== language,
    mail: { subject, html, text },
    sms: { text: short, segments, encoding, is_cut: !short.includes(message) },
    short: { title, body: message },
  }
}

const isIncomplete = ({ kind, texts }: Estimated) =>
  kind === 'announcement' && Object.keys(missingTexts(writtenOf(texts))).length > 0

/** '12.50 USD' for this number of segments; null without a price. */
export function costOf(segments: number, price: string): string | null {
  const [, amount, currency] = /^(\d+(?:\.\d+)?) (\S+)$/.exec(price) ?? []
  return amount && currency ? `${(segments * Number(amount)).toFixed(2)} ${currency}` : null
}
