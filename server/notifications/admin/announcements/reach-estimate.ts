import type { Db } from '#server/db/connection.ts'
import { countryCodeOf } from '#server/delivery/templates/announcement-content.ts'
import type { Writer } from '#server/delivery/templates/authored-mail.ts'
import { announcementPreview } from '#server/delivery/templates/preview.ts'
import { smsSize } from '#shared/delivery/sms.ts'
import { AppError } from '#shared/errors.ts'
import { LANGUAGES, type Language } from '#shared/language.ts'
import { type ReachEstimate, UNREACHED_PER_PAGE } from '#shared/notifications/announcements.ts'
import { rowsOf } from '#shared/table.ts'
import { estimateRecipients, findUnreached } from '../../announcements/reach.ts'
import type { StoredAnnouncement } from './lifecycle.ts'

export interface EstimateDeps {
  brand: string
  publicUrl: string
  approvalAbove: number
  /** '0.05 USD'; empty if not configured. */
  smsPrice: string
}

/** Preview by channel, reached and unreached users. In a transaction of the service; sends nothing. */
export async function estimateReach(
  db: Db,
  announcement: StoredAnnouncement,
  page: number,
  deps: EstimateDeps,
): Promise<ReachEstimate> {
  const readers = await estimateRecipients(db, announcement)
  const unreached = await findUnreached(db, announcement, rowsOf({ page, per_page: UNREACHED_PER_PAGE }))
  const writer = await findWriter(db, announcement.created_by)
  const previews = LANGUAGES.map((language) => previewOf(announcement, writer, language, deps))
  const bySms = readers.channels.find(({ channel }) => channel === 'sms')
  const segments = previews.reduce((sum, { language, sms }) => sum + sms.segments * (bySms?.[language] ?? 0), 0)
  const none = (announcement.channels ?? []).filter(
    (channel) => !readers.channels.some((row) => row.channel === channel),
  )
  return {
    ...readers,
    channels: [...readers.channels, ...none.map((channel) => ({ channel, people: 0, en: 0, ar: 0 }))],
    needs_approval: readers.people > deps.approvalAbove,
    approval_above: deps.approvalAbove,
    sms_segments: segments,
    sms_cost: costOf(segments, deps.smsPrice),
    unreached: { ...unreached, page, per_page: UNREACHED_PER_PAGE },
    previews,
  }
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
  announcement: StoredAnnouncement,
  writer: Writer | null,
  language: Language,
  deps: EstimateDeps,
): ReachEstimate['previews'][number] {
  const { action_url: actionUrl, advisory_id: advisoryId } = announcement
  const countryCode = countryCodeOf(announcement)
  const content = announcementPreview(
    { ...announcement, actionUrl, advisoryId, countryCode, writer, name: '' },
    language,
    deps,
  )
  if (!content) throw new AppError(409, 'no_words', 'We cannot create this message. Check the text of the template.')
  const { subject, html, text, title, message, short } = content
  const { segments, encoding } = smsSize(short)
  return {
    language,
    is_borrowed: announcement.texts[language].written_in !== undefined,
    mail: { subject, html, text },
    sms: { text: short, segments, encoding, is_cut: !short.includes(message) },
    short: { title, body: message },
  }
}

/** '12.50 USD' for this number of segments; null without a price. */
export function costOf(segments: number, price: string): string | null {
  const [, amount, currency] = /^(\d+(?:\.\d+)?) (\S+)$/.exec(price) ?? []
  return amount && currency ? `${(segments * Number(amount)).toFixed(2)} ${currency}` : null
}
