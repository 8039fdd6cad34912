import { AppError } from '#shared/errors.ts'
import { tellWhatsApp, verifyWhatsAppHook } from '#shared/messages/hooks.ts'
import { isPhone } from '#shared/notifications/sms.ts'
import { inBackground } from '../../db/claims.ts'
import type { Door } from '../../http/door.ts'
import type { WhatsAppProvider } from '../providers.ts'
import { type Receipt, recordReceipt } from '../receiving.ts'
import { forged, hubSignature, isSame, nothingHere } from './forged.ts'
import type { AnswerByText } from './hooks.ts'
import { heed, wishOf } from './wishes.ts'

const MOST_BYTES = 1024 * 1024
/** Reading is not looked for, but what was read has arrived. */
const RECEIPTS: Record<string, Receipt['status']> = { delivered: 'delivered', read: 'delivered', failed: 'failed' }

interface Value {
  statuses?: { id?: string; status?: string; errors?: { code?: number; title?: string; message?: string }[] }[]
  messages?: { from?: string; type?: string; text?: { body?: string } }[]
}

/** What WhatsApp tells: deliveries, and what people answer. */
export function whatsAppHooks(
  door: Door,
  { provider, answerByText }: { provider: WhatsAppProvider | undefined; answerByText: AnswerByText },
) {
  door.act(verifyWhatsAppHook, async (_, { query }) => {
    if (!provider?.verifyToken) throw nothingHere()
    if (query['hub.mode'] !== 'subscribe' || !isSame(query['hub.verify_token'], provider.verifyToken)) throw forged()
    return new Response(query['hub.challenge'], { headers: { 'content-type': 'text/plain; charset=utf-8' } })
  })

  door.act(tellWhatsApp, async ({ database, headers, now }, { body }) => {
    if (!provider?.appSecret) throw nothingHere()
    const { bytes } = await body.read(MOST_BYTES)
    if (!isSame(headers.get('x-hub-signature-256') ?? '', hubSignature(provider.appSecret, bytes))) throw forged()
    const values = valuesOf(bytes)
    const receipts = values.flatMap(({ statuses }) => (statuses ?? []).flatMap(receiptOf))
    await inBackground(database, 'receipts', async (db) => {
      for (const receipt of receipts) await recordReceipt(db, receipt)
    })
    for (const { from, text } of values.flatMap(({ messages }) => messages ?? [])) {
      const number = `+${from}`
      if (!isPhone(number) || typeof text?.body !== 'string') continue
      const wish = wishOf(text.body)
      if (wish) await inBackground(database, 'receipts', (db) => heed(db, wish, 'whatsapp', number))
      else await answerByText(database, number, text.body, now)
    }
    return { told: receipts.length }
  })
}

function receiptOf({ id, status = '', errors }: NonNullable<Value['statuses']>[number]): Receipt[] {
  const became = RECEIPTS[status]
  if (!became || typeof id !== 'string') return []
  const [error] = errors ?? []
  const detail = error ? `${status} (${[error.code, error.message ?? error.title].filter(Boolean).join(' ')})` : status
  const stops = error?.code === 131050 ? ('opted_out' as const) : undefined
  return [{ provider: 'whatsapp', receipt: id.slice(0, 500), status: became, detail, stops }]
}

function valuesOf(bytes: Uint8Array): Value[] {
  try {
    const told = JSON.parse(Buffer.from(bytes).toString('utf8')) as {
      entry?: { changes?: { field?: string; value?: Value }[] }[]
    }
    return (told.entry ?? []).flatMap(({ changes }) => (changes ?? []).flatMap(({ value }) => value ?? []))
  } catch {
    throw new AppError(400, 'malformed_json', 'The body is not valid JSON.')
  }
}
