import { sql } from 'kysely'
import type * as z from 'zod'
import type { OutboxMessage, OutboxQuery, OutboxRow } from '#shared/messages/endpoints.ts'
import { rowsOf, sortOf } from '#shared/table.ts'
import type { Db } from '../db/connection.ts'
import type { Message } from './channels.ts'

export async function findMessages(db: Db, query: z.output<typeof OutboxQuery>, showsSecrets: boolean) {
  let found = db.selectFrom('messages')
  if (query.status) found = found.where('status', '=', query.status)
  if (query.channel) found = found.where('channel', '=', query.channel)
  if (query.search) {
    const like = `%${query.search.replace(/[\\%_]/g, '\\$&')}%`
    // What is hidden in the list cannot be found by guessing either.
    const subject = sql<string>`case when is_secret and not ${showsSecrets}::boolean then '' else subject end`
    found = found.where((of) =>
      of.or([of('recipient', 'ilike', like), of('template', 'ilike', like), of(subject, 'ilike', like)]),
    )
  }
  const { column, direction } = sortOf(query.sort)
  const { limit, offset } = rowsOf(query)
  const rows = await found.selectAll().orderBy(column, direction).orderBy('id').limit(limit).offset(offset).execute()
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { messages: rows.map((row) => rowOf(row, showsSecrets)), total, page: query.page, per_page: query.per_page }
}

export async function findMessage(db: Db, id: string, showsSecrets: boolean): Promise<OutboxMessage | undefined> {
  const row = await db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return undefined
  const isShown = Boolean(row.body_text) && (!row.is_secret || showsSecrets)
  return {
    ...rowOf(row, showsSecrets),
    not_before: row.not_before.toISOString(),
    receipt: row.receipt,
    body_text: isShown ? row.body_text : null,
    body_html: isShown ? row.body_html : null,
  }
}

export function rowOf(row: Message, showsSecrets: boolean): OutboxRow {
  const { id, channel, recipient, template, status, is_secret, attempts, error } = row
  return {
    id,
    channel,
    recipient: recipient ?? '',
    template,
    status,
    is_secret,
    attempts,
    error,
    language: row.language === 'ar' ? 'ar' : 'en',
    // The subject of a code holds it.
    subject: is_secret && !showsSecrets ? '' : row.subject,
    created_at: row.created_at.toISOString(),
    sent_at: row.sent_at?.toISOString() ?? null,
  }
}
