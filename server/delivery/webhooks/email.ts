import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import type { Router } from '#server/http/router.ts'
import { type MailReport, MailReports, receiveMailReport } from '#shared/delivery/webhooks.ts'
import { AppError } from '#shared/errors.ts'
import { recordDeliveryEvent } from '../delivery-events.ts'
import { readMailReport } from './mail-reports.ts'
import { isSame, noSuchPage } from './signatures.ts'

const MAX_BYTES = 1024 * 1024

/** Webhooks of the mail server or provider for bounces. */
export function emailWebhooks(router: Router, { token }: { token: string | undefined }) {
  router.act(receiveMailReport, async ({ database, headers }, { body }) => {
    if (!token) throw noSuchPage()
    if (!isSame(headers.get('authorization') ?? '', `Bearer ${token}`))
      throw new AppError(401, 'wrong_token', 'This is not signed by who may tell it.')
    const { bytes } = await body.read(MAX_BYTES)
    const isJson = /^application\/([\w.+-]+\+)?json\b/i.test(headers.get('content-type') ?? '')
    const reports = isJson ? parseJsonReports(bytes) : await readMailReport(bytes)
    await inBackground(database, 'receipts', async (db) => {
      for (const report of reports) await record(db, report)
    })
    return { told: reports.length }
  })
}

function parseJsonReports(bytes: Uint8Array): MailReport[] {
  let json: unknown
  try {
    json = JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    throw new AppError(400, 'malformed_json', 'The body is not valid JSON.')
  }
  const read = MailReports.safeParse(json)
  if (!read.success) throw new AppError(422, 'invalid_input', 'This is not a delivery report.')
  return [read.data].flat()
}

async function record(db: Db, { message_id, type, status = '', detail = '' }: MailReport): Promise<void> {
  // A mail server refers to it by Message-ID, a provider by the id it returned.
  const asMailId = message_id.startsWith('<') ? message_id : `<${message_id}>`
  const message = await db
    .selectFrom('messages')
    .select(['id', 'provider', 'provider_message_id'])
    .where('provider_message_id', 'in', [asMailId, message_id])
    .where('channel', '=', 'email')
    .executeTakeFirst()
  const providerMessageId = message?.provider_message_id ?? asMailId
  const provider = message?.provider ?? 'smtp'
  const reason = [status, detail].filter(Boolean).join(' ').replace(/\s+/g, ' ').slice(0, 500)
  if (type === 'delay') {
    if (message)
      await db
        .insertInto('message_attempts')
        .values({ message_id: message.id, provider, result: 'deferred', detail: reason || 'delayed' })
        .execute()
    return
  }
  if (type === 'bounce')
    await recordDeliveryEvent(db, {
      provider,
      provider_message_id: providerMessageId,
      status: 'failed',
      detail: reason || 'The email bounced',
      suppression_reason: isGone(status) ? 'bounced' : undefined,
    })
  // A complaint implies delivery.
  else
    await recordDeliveryEvent(db, {
      provider,
      provider_message_id: providerMessageId,
      status: 'delivered',
      detail: reason,
      suppression_reason: type === 'complaint' ? 'complained' : undefined,
    })
}

/**
 * The mailbox or its domain does not exist. A full mailbox, or a server that rejects the content or sender, may accept
 * the next message, which may be the important one in an emergency.
 */
const isGone = (status: string) => /^5\.(0\.0|1\.\d+|2\.1|4\.4)$/.test(status)
