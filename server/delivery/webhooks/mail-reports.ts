import PostalMime from 'postal-mime'
import type { MailReport } from '#shared/delivery/webhooks.ts'

/**
 * Parses a bounce report (RFC 3464) or a complaint (RFC 5965). Empty if it is neither, or does not name the Message-ID
 * of the mail.
 */
export async function readMailReport(raw: Uint8Array): Promise<MailReport[]> {
  const mail = await PostalMime.parse(raw, { forceRfc822Attachments: true, attachmentEncoding: 'utf8' })
  const parts = mail.attachments.map(({ mimeType, content }) => ({ type: mimeType, text: String(content) }))
  const of = (...types: string[]) => parts.find(({ type }) => types.includes(type))?.text
  const messageId = of('message/rfc822', 'text/rfc822-headers')?.match(/^Message-ID:\s*(<[^<>\s]{1,400}>)/im)?.[1]
  if (!messageId) return []
  const complaint = of('message/feedback-report')
  if (complaint) return [{ message_id: messageId, type: 'complaint', detail: fieldsOf(complaint).get('feedback-type') }]
  const status = of('message/delivery-status')
  if (!status) return []
  return blocksOf(status).flatMap((fields) => reportOf(fields, messageId))
}

function reportOf(fields: Map<string, string>, message_id: string): MailReport[] {
  const type = TYPES[fields.get('action')?.toLowerCase() ?? '']
  if (!type) return []
  const status = /[245]\.\d{1,3}\.\d{1,3}/.exec(fields.get('status') ?? '')?.[0]
  const recipient = fields.get('final-recipient')?.replace(/^[^;]*;\s*/, '')
  const detail = fields.get('diagnostic-code')?.replace(/^[^;]*;\s*/, '')
  return [{ message_id, type, status, recipient, detail: detail?.slice(0, 2_000) }]
}

const TYPES: Record<string, MailReport['type']> = { failed: 'bounce', delayed: 'delay', delivered: 'delivery' }

/** Fields of the message, then of each recipient, in blocks separated by empty lines. */
const blocksOf = (text: string) =>
  text
    .replace(/\r\n?/g, '\n')
    .split(/\n\s*\n/)
    .map(fieldsOf)

function fieldsOf(text: string): Map<string, string> {
  const lines = text
    .replace(/\r\n?/g, '\n')
    .replace(/\n[ \t]+/g, ' ')
    .split('\n')
  return new Map(
    lines.flatMap((line): [string, string][] => {
      const colon = line.indexOf(':')
      return colon > 0 ? [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]] : []
    }),
  )
}
