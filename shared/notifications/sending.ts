import * as z from 'zod'
import { Email } from '../accounts/text.ts'
import { endpoint } from '../contract.ts'
import { LANGUAGES } from '../language.ts'
import { text } from '../text.ts'
import { MailHeaders, MediaUrl, PushData } from './extras.ts'
import { PRIORITIES } from './kinds.ts'
import { INVALID_PHONE, isPhone, MOST_RAW, TOO_LONG } from './sms.ts'

/** More at once would make these calls a way to write to everybody: that is what notices are for. */
export const MOST_RECIPIENTS = 50

const Phone = z
  .string()
  .trim()
  .transform((number) => number.replace(/[\s()./-]/g, ''))
  .refine(isPhone, INVALID_PHONE)
const listOf = <S extends z.ZodType>(one: S, problem: string) =>
  z
    .union([one.transform((value) => [value]), z.array(one).min(1).max(MOST_RECIPIENTS)], problem)
    .describe(`One, or a list of ${MOST_RECIPIENTS} at most`)
const Words = z.string().min(1, 'This field is required').max(50_000)
const Priority = z.enum(PRIORITIES).default('medium')
const From = text(320).min(1).optional().describe('One of the senders that the portal is set up with, or left out')

const needs = (names: string[]) => (given: Record<string, unknown>, context: z.RefinementCtx) => {
  if (names.some((name) => given[name] !== undefined)) return
  context.addIssue({ code: 'custom', path: [names[0]!], message: 'This field is required', input: given })
}
/** Two spellings of one thing say the same, or nothing is sent: what would be left out is never chosen here. */
const oneOf =
  (...groups: string[][]) =>
  (given: Record<string, unknown>, context: z.RefinementCtx) => {
    for (const names of groups) {
      const [first, other] = names.filter((name) => given[name] !== undefined)
      if (other && given[first!] !== given[other])
        context.addIssue({ code: 'custom', path: [other], message: `Give this or ${first}, not both`, input: given })
    }
  }
const ways = (name: string) => ['/functions/', '/admin-operations/', '/'].map((folder) => `${folder}${name}`)
const toPerson = { user_id: z.uuid().optional(), userId: z.uuid().optional() }
const Sent = z.object({
  message_id: z.uuid().describe('Of the first of them in the outbox'),
  message_ids: z.array(z.uuid()),
  error: z.null(),
})

export const sendEmail = endpoint({
  method: 'POST',
  path: '/communication/send-email',
  also: ways('send-email'),
  access: 'sendMessages',
  summary: 'Puts a mail into the outbox. Coordinators write to people they look after only',
  body: z
    .strictObject({
      to: listOf(Email, 'Enter a valid email address').optional(),
      ...toPerson,
      from: From,
      reply_to: Email.optional(),
      subject: text(200)
        .min(1, 'This field is required')
        .refine((subject) => !/[\p{Cc}\u2028\u2029]/u.test(subject), 'Write the subject in one line'),
      html: Words.optional(),
      text: Words.optional(),
      content: Words.optional(),
      message: Words.optional(),
      headers: MailHeaders.default({}).describe('Reply-To, X-Priority and a few more, or X-Portal-…'),
      priority: Priority,
    })
    .superRefine(needs(['to', 'user_id', 'userId']))
    .superRefine(needs(['text', 'html', 'content', 'message']))
    .superRefine(oneOf(['text', 'content', 'message'], ['to', 'user_id'], ['to', 'userId'], ['user_id', 'userId'])),
  response: Sent,
  status: 202,
})

const SmsText = z.string().trim().min(1, 'This field is required').max(MOST_RAW, TOO_LONG)
const SmsBody = z
  .strictObject({
    to: listOf(Phone, INVALID_PHONE).optional(),
    ...toPerson,
    from: From,
    body: SmsText.optional(),
    message: SmsText.optional(),
    media_url: MediaUrl.optional().describe('A picture or document that is shown with it'),
    priority: Priority,
  })
  .superRefine(needs(['to', 'user_id', 'userId']))
  .superRefine(needs(['message', 'body']))
  .superRefine(oneOf(['message', 'body'], ['to', 'user_id'], ['to', 'userId'], ['user_id', 'userId']))

export const sendSms = endpoint({
  method: 'POST',
  path: '/communication/send-sms',
  also: ways('send-sms'),
  access: 'sendMessages',
  summary: 'Puts a text message into the outbox. Coordinators write to people they look after only',
  body: SmsBody,
  response: Sent,
  status: 202,
})

export const sendWhatsapp = endpoint({
  method: 'POST',
  path: '/communication/send-whatsapp',
  also: ways('send-whatsapp'),
  access: 'sendMessages',
  summary: 'Puts a WhatsApp message into the outbox. Coordinators write to people they look after only',
  body: SmsBody,
  response: Sent,
  status: 202,
})

export const sendPush = endpoint({
  method: 'POST',
  path: '/communication/send-push',
  also: ways('send-push'),
  access: 'sendMessages',
  summary: 'Puts a push message to one person into the outbox',
  body: z
    .strictObject({
      ...toPerson,
      title: text(200).min(1, 'This field is required'),
      body: text(2_000).min(1, 'This field is required').optional(),
      message: text(2_000).min(1, 'This field is required').optional(),
      data: PushData.optional().describe('Handed to the browser with the message'),
      action_url: text(500).optional().describe('Page of this portal that it leads to'),
      actionUrl: text(500).optional(),
      priority: Priority,
    })
    .superRefine(needs(['user_id', 'userId']))
    .superRefine(needs(['body', 'message']))
    .superRefine(oneOf(['body', 'message'], ['user_id', 'userId'], ['action_url', 'actionUrl'])),
  response: Sent,
  status: 202,
})

const Templated = <S extends z.ZodType>(one: S) =>
  z.strictObject({
    recipients: z.array(one).min(1).max(MOST_RECIPIENTS),
    templateId: z.string().max(60),
    variables: z.record(z.string().max(60), z.union([z.string().max(10_000), z.number()])).default({}),
    language: z.enum(LANGUAGES).default('en'),
  })

export const sendTemplatedEmail = endpoint({
  method: 'POST',
  path: '/send-templated-email',
  also: ['/functions/send-templated-email', '/admin-operations/send-templated-email'],
  access: 'sendMessages',
  summary: 'Puts a mail in the words of a template into the outbox',
  body: Templated(Email),
  response: Sent,
  status: 202,
})

export const sendTemplatedSms = endpoint({
  method: 'POST',
  path: '/send-templated-sms',
  also: ['/functions/send-templated-sms', '/admin-operations/send-templated-sms'],
  access: 'sendMessages',
  summary: 'Puts a text message in the words of a template into the outbox',
  body: Templated(Phone),
  response: Sent,
  status: 202,
})
