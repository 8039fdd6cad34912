import * as z from 'zod'
import { endpoint } from '#shared/contract.ts'
import { Upload } from '#shared/files/upload.ts'

const Provider = z.strictObject({ provider: z.string().regex(/^[a-z0-9-]{1,40}$/) })
const forms = { method: 'POST', access: 'anyone', takesFile: true, body: Upload } as const
const HookResult = z.object({ told: z.int().describe('Number of delivery reports processed') })

export const receiveSmsStatus = endpoint({
  ...forms,
  path: '/hooks/sms/{provider}/status',
  summary: 'Delivery report of a text message; provider only, signed in X-Twilio-Signature',
  params: Provider,
  response: HookResult,
})

export const receiveSms = endpoint({
  ...forms,
  path: '/hooks/sms/{provider}/inbound',
  summary: 'Incoming text message; provider only, answered in TwiML',
  params: Provider,
  response: z.any().describe('TwiML'),
})

export const verifyWhatsAppHook = endpoint({
  method: 'GET',
  access: 'anyone',
  path: '/hooks/whatsapp',
  summary: 'Verifies this webhook for WhatsApp',
  query: z.strictObject({
    'hub.mode': z.string().max(40),
    'hub.verify_token': z.string().max(500),
    'hub.challenge': z.string().max(500),
  }),
  response: z.any().describe('The challenge, as text'),
})

export const receiveWhatsApp = endpoint({
  ...forms,
  path: '/hooks/whatsapp',
  summary: 'Delivery reports and replies from WhatsApp; signed in X-Hub-Signature-256',
  response: HookResult,
})

const MailReport = z.object({
  message_id: z.string().max(500).describe('Message-ID of the email'),
  recipient: z.string().max(320).optional(),
  status: z
    .string()
    .regex(/^[245]\.\d{1,3}\.\d{1,3}$/)
    .optional()
    .describe('RFC 3463: 5.1.1'),
  type: z.enum(['bounce', 'delay', 'delivery', 'complaint']),
  detail: z.string().max(2_000).optional(),
})
export type MailReport = z.infer<typeof MailReport>
/** One report as JSON, or several. */
export const MailReports = z.union([MailReport, z.array(MailReport).max(1_000)])

export const receiveMailReport = endpoint({
  ...forms,
  path: '/hooks/mail/bounce',
  summary: 'Report of an undelivered email (RFC 3464 as message/rfc822, or JSON); MAIL_HOOK_TOKEN as bearer token',
  response: HookResult,
})
