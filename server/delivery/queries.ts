import { type Selectable, sql } from 'kysely'
import type * as z from 'zod'
import type { Db } from '#server/db/connection.ts'
import { escapeLike } from '#server/db/like.ts'
import type { AnnouncementsTable } from '#server/db/tables-notifications.ts'
import type { OutboxMessage, OutboxQuery, OutboxRow } from '#shared/delivery/endpoints.ts'
import type { Priority } from '#shared/delivery/kinds.ts'
import type { Role } from '#shared/roles.ts'
import { rowsOf, sortOf } from '#shared/table.ts'
import type { Message } from './channels.ts'
import { countryCodeOf } from './templates/announcement-content.ts'
import { announcementPreview, type Frame } from './templates/preview.ts'

type Shown = Message & { address: string | null; title: string | null; shown_status: Message['status'] }

interface Announcing extends Shown {
  display_name: string | null
  texts: Selectable<AnnouncementsTable>['texts'] | null
  action_url: string | null
  advisory_id: string | null
  priority: Priority | null
  audience: Selectable<AnnouncementsTable>['audience']
  writer_name: string | null
  writer_role: Role | null
}

/** With address and title, which messages of an announcement take from other tables. */
const outbox = (db: Db) =>
  db
    .selectFrom('messages')
    .leftJoin('user_profiles as p', 'p.id', 'messages.user_id')
    .leftJoin('announcements as a', 'a.id', 'messages.announcement_id')

const ADDRESS = sql<string | null>`coalesce(messages.recipient, case messages.channel
  when 'email' then p.email when 'push' then p.display_name else p.phone_number end)`
/** A leased message is shown as sending. */
const SHOWN_STATUS = sql<Message['status']>`case when messages.status = 'pending' and messages.leased_until > now()
  then 'sending' else messages.status end`
const TITLE = sql<string | null>`a.texts -> messages.language ->> 'title'`

export async function findMessages(db: Db, query: z.output<typeof OutboxQuery>, showsSecrets: boolean) {
  let found = outbox(db)
  // Only waiting messages can be shown with another status; all others are found by the status index.
  const waits = query.status === 'pending' || query.status === 'sending'
  if (query.status) found = found.where(waits ? SHOWN_STATUS : sql.ref('messages.status'), '=', query.status)
  if (query.channel) found = found.where('messages.channel', '=', query.channel)
  if (query.announcement) found = found.where('messages.announcement_id', '=', query.announcement)
  if (query.search) {
    const like = `%${escapeLike(query.search)}%`
    // What the list hides must not be searchable either.
    const subject = sql<string>`case when is_secret and not ${showsSecrets}::boolean then '' else subject end`
    found = found.where((of) =>
      of.or([
        of(ADDRESS, 'ilike', like),
        of('messages.template', 'ilike', like),
        of(subject, 'ilike', like),
        of(TITLE, 'ilike', like),
      ]),
    )
  }
  const { column, direction } = sortOf(query.sort)
  const { limit, offset } = rowsOf(query)
  const rows = await found
    .selectAll('messages')
    .select([ADDRESS.as('address'), TITLE.as('title'), SHOWN_STATUS.as('shown_status')])
    .orderBy(column === 'recipient' ? ADDRESS : sql.ref(`messages.${column}`), direction)
    .orderBy('messages.id')
    .limit(limit)
    .offset(offset)
    .execute()
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { messages: rows.map((row) => rowOf(row, showsSecrets)), total, page: query.page, per_page: query.per_page }
}

/** One message. Content of bulk messages is stored with the announcement and rendered on display. */
export async function findMessage(
  db: Db,
  id: string,
  showsSecrets: boolean,
  frame: Frame,
): Promise<OutboxMessage | undefined> {
  const row = await outbox(db)
    .selectAll('messages')
    .select([ADDRESS.as('address'), TITLE.as('title'), SHOWN_STATUS.as('shown_status')])
    .leftJoin('user_profiles as w', (join) =>
      join.onRef('w.id', '=', 'a.created_by').on('a.template', '=', 'announcement'),
    )
    .select(['p.display_name', 'a.texts', 'a.action_url', 'a.advisory_id', 'a.priority', 'a.audience'])
    .select(['w.display_name as writer_name', 'w.role as writer_role'])
    .where('messages.id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const isShown = Boolean(row.body_text) && (!row.is_secret || showsSecrets)
  const content = row.body_text === null ? announcementContentOf(row, frame) : null
  const isText = row.channel !== 'email'
  return {
    ...rowOf(row, showsSecrets),
    not_before: row.not_before.toISOString(),
    receipt: row.provider_message_id,
    provider: row.provider,
    delivered_at: row.delivered_at?.toISOString() ?? null,
    announcement_id: row.announcement_id,
    tries: await triesOf(db, id),
    body_text: isShown ? row.body_text : content ? (isText ? content.short : content.text) : null,
    body_html: isShown ? row.body_html : content && !isText ? content.html : null,
  }
}

function announcementContentOf(row: Announcing, frame: Frame) {
  const { announcement_id: id, texts, template, kind, display_name, language } = row
  if (!id || !texts || kind === 'account') return null
  const announced = { id, kind, template, texts, actionUrl: row.action_url, advisoryId: row.advisory_id }
  const urgency = { priority: row.priority ?? 'medium', countryCode: countryCodeOf({ texts, audience: row.audience }) }
  const { writer_name, writer_role } = row
  const writer = writer_name && writer_role ? { name: writer_name, role: writer_role } : null
  return announcementPreview(
    { ...announced, ...urgency, writer, name: display_name ?? '' },
    language === 'ar' ? 'ar' : 'en',
    frame,
  )
}

async function triesOf(db: Db, id: string): Promise<OutboxMessage['tries']> {
  const rows = await db
    .selectFrom('message_attempts')
    .select(['at', 'provider', 'result', 'detail'])
    .where('message_id', '=', id)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
  return rows.map(({ at, result, ...row }) => ({ at: at.toISOString(), ...row, outcome: result }))
}

export function rowOf(row: Message & Partial<Shown>, showsSecrets: boolean): OutboxRow {
  const { id, channel, recipient, template, is_secret, attempts, error } = row
  return {
    id,
    channel,
    recipient: recipient ?? row.address ?? '',
    template,
    status: row.shown_status ?? row.status,
    is_secret,
    attempts,
    error,
    language: row.language === 'ar' ? 'ar' : 'en',
    // The subject contains the code.
    subject: is_secret && !showsSecrets ? '' : row.subject || (row.title ?? ''),
    created_at: row.created_at.toISOString(),
    sent_at: row.sent_at?.toISOString() ?? null,
  }
}
