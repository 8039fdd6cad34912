import { AppError } from '#shared/errors.ts'
import { type MailReport, MailReports, tellMailBounce } from '#shared/messages/hooks.ts'
import { inBackground } from '../../db/claims.ts'
import type { Db } from '../../db/connection.ts'
import type { Door } from '../../http/door.ts'
import { recordReceipt } from '../receiving.ts'
import { isSame, nothingHere } from './forged.ts'
import { readMailReport } from './mail-reports.ts'

const MOST_BYTES = 1024 * 1024

/** What the own mail server, or a provider, tells of mail that came back. */
export function mailHooks(door: Door, { token }: { token: string | undefined }) {
  door.act(tellMailBounce, async ({ database, headers }, { body }) => {
    if (!token) throw nothingHere()
    if (!isSame(headers.get('authorization') ?? '', `Bearer ${token}`))
      throw new AppError(401, 'wrong_token', 'This is not signed by who may tell it.')
    const { bytes } = await body.read(MOST_BYTES)
    const isJson = /^application\/([\w.+-]+\+)?json\b/i.test(headers.get('content-type') ?? '')
    const reports = isJson ? given(bytes) : await readMailReport(bytes)
    await inBackground(database, 'receipts', async (db) => {
      for (const report of reports) await record(db, report)
    })
    return { told: reports.length }
  })
}

function given(bytes: Uint8Array): MailReport[] {
  let json: unknown
  try {
    json = JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    throw new AppError(400, 'malformed_json', 'The body is not valid JSON.')
  }
  const read = MailReports.safeParse(json)
  if (!read.success) throw new AppError(422, 'invalid_input', 'This is no report of mail.')
  return [read.data].flat()
}

async function record(db: Db, { message_id, type, status = '', detail = '' }: MailReport): Promise<void> {
  // A mail server knows it by its Message-ID, a service by the id it answered with.
  const asMailId = message_id.startsWith('<') ? message_id : `<${message_id}>`
  const message = await db
    .selectFrom('messages')
    .select(['id', 'provider', 'receipt'])
    .where('receipt', 'in', [asMailId, message_id])
    .where('channel', '=', 'email')
    .executeTakeFirst()
  const receipt = message?.receipt ?? asMailId
  const provider = message?.provider ?? 'smtp'
  const said = [status, detail].filter(Boolean).join(' ').replace(/\s+/g, ' ').slice(0, 500)
  if (type === 'delay') {
    if (message)
      await db
        .insertInto('message_attempts')
        .values({ message_id: message.id, provider, outcome: 'deferred', detail: said || 'delayed' })
        .execute()
    return
  }
  if (type === 'bounce')
    await recordReceipt(db, {
      provider,
      receipt,
      status: 'failed',
      detail: said || 'It came back',
      stops: isGone(status) ? 'bounced' : undefined,
    })
  // Who complains of it has it.
  else
    await recordReceipt(db, {
      provider,
      receipt,
      status: 'delivered',
      detail: said,
      stops: type === 'complaint' ? 'complained' : undefined,
    })
}

/**
 * The mailbox or its domain does not exist. One that is full, or a server that does not like what was said or who says
 * it, may take the next message: in an emergency that is the one which counts.
 */
const isGone = (status: string) => /^5\.(0\.0|1\.\d+|2\.1|4\.4)$/.test(status)
