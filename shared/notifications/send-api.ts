import * as z from 'zod'
import { Email } from '#shared/accounts/text.ts'
import { endpoint } from '#shared/contract.ts'
import { PRIORITIES } from '#shared/delivery/kinds.ts'
import { MailHeaders, MediaUrl, PushData } from '#shared/delivery/message-extras.ts'
import { INVALID_PHONE, isPhone, MAX_RAW, TOO_LONG } from '#shared/delivery/sms.ts'
import { LANGUAGES } from '#shared/language.ts'
import { text } from '#shared/text.ts'

/** A higher limit would allow writing to everybody, which is what announcements are for. */
export const MAX_RECIPIENTS = 50

const Phone = z
  .string()
  .trim()
  .transform((number) => number.replace(/[\s()./-]/g, ''))
  .refine(isPhone, INVALID_PHONE)
const listOf = <S extends z.ZodType>(item: S, problem: string) =>
  z
    .union([item.transform((value) => [value]), z.array(item).min(1).max(MAX_RECIPIENTS)], problem)
    .describe(`One recipient or a list of at most ${MAX_RECIPIENTS}`)
const Content = z.string().min(1, 'This field is required').max(50_000)
const Priority = z.enum(PRIORITIES).default('medium')
const From = text(320).min(1).optional().describe('One of the configured senders; optional')

const needs = (names: [string, ...string[]]) => (body: Record<string, unknown>, context: z.RefinementCtx) => {
  if (names.some((name) => body[name] !== undefined)) return
  context.addIssue({ code: 'custom', path: [names[0]], message: 'This field is required', input: body })
}
/** If both spellings of a field are given, they must agree; otherwise the request is rejected. */
const oneOf =
  (...groups: string[][]) =>
  (body: Record<string, unknown>, context: z.RefinementCtx) => {
    for (const names of groups) {
      const [first = '', other] = names.filter((name) => body[name] !== undefined)
      if (other && body[first] !== body[other])
        context.addIssue({ code: 'custom', path: [other], message: `Give this or ${first}, not both`, input: body })
    }
  }
const aliases = (name: string) => ['/functions/', '/admin-operations/', '/'].map((folder) => `${folder}${name}`)
const toUser = { user_id: z.uuid().optional(), userId: z.uuid().optional() }
const Sent = z.object({
  message_id: z.uuid().describe('Id of the first message in the outbox'),
  message_ids: z.array(z.uuid()),
  error: z.null(),
  errors: z.array(z.string()).describe('Recipients who were skipped, each with the reason'),
})

export const sendEmail = endpoint({
  method: 'POST',
  path: '/communication/send-email',
  also: aliases('send-email'),
  access: 'sendMessages',
  summary: 'Queues an email. Coordinators can only write to people they look after',
  body: z
    .strictObject({
      to: listOf(Email, 'Enter a valid email address').optional(),
      ...toUser,
      from: From,
      reply_to: Email.optional(),
      subject: text(200)
        .min(1, 'This field is required')
        .refine((subject) => !/[\p{Cc}\u2028\u2029]/u.test(subject), 'Write the subject on one line'),
      html: Content.optional(),
      text: Content.optional(),
      content: Content.optional(),
      message: Content.optional(),
      headers: MailHeaders.default({}).describe('Reply-To, X-Priority and a few more, or X-Portal-…'),
      priority: Priority,
    })
    .superRefine(needs(['to', 'user_id', 'userId']))
    .superRefine(needs(['text', 'html', 'content', 'message']))
    .superRefine(oneOf(['text', 'content', 'message'], ['to', 'user_id'], ['to', 'userId'], ['user_id', 'userId'])),
  response: Sent,
  status: 202,
})

const SmsText = z.string().trim().min(1, 'This field is required').max(MAX_RAW, TOO_LONG)
const SmsBody = z
  .strictObject({
    to: listOf(Phone, INVALID_PHONE).optional(),
    ...toUser,
    from: From,
    body: SmsText.optional(),
    message: SmsText.optional(),
    media_url: MediaUrl.optional().describe('An image or document to attach'),
    priority: Priority,
  })
  .superRefine(needs(['to', 'user_id', 'userId']))
  .superRefine(needs(['message', 'body']))
  .superRefine(oneOf(['message', 'body'], ['to', 'user_id'], ['to', 'userId'], ['user_id', 'userId']))

export const sendSms = endpoint({
  method: 'POST',
  path: '/communication/send-sms',
  also: aliases('send-sms'),
  access: 'sendMessages',
  summary: 'Queues a text message. Coordinators can only write to people they look after',
  body: SmsBody,
  response: Sent,
  status: 202,
})

export const sendWhatsapp = endpoint({
  method: 'POST',
  path: '/communication/send-whatsapp',
  also: aliases('send-whatsapp'),
  access: 'sendMessages',
  summary: 'Queues a WhatsApp message. Coordinators can only write to people they look after',
  body: SmsBody,
  response: Sent,
  status: 202,
})

export const sendPush = endpoint({
  method: 'POST',
  path: '/communication/send-push',
  also: aliases('send-push'),
  access: 'sendMessages',
  summary: 'Queues a push notification to one user',
  body: z
    .strictObject({
      ...toUser,
      title: text(200).min(1, 'This field is required'),
      body: text(2_000).min(1, 'This field is required').optional(),
      message: text(2_000).min(1, 'This field is required').optional(),
      data: PushData.optional().describe('Passed to the browser with the message'),
      action_url: text(500).optional().describe('Page of this portal that it opens'),
      actionUrl: text(500).optional(),
      priority: Priority,
    })
    .superRefine(needs(['user_id', 'userId']))
    .superRefine(needs(['body', 'message']))
    .superRefine(oneOf(['body', 'message'], ['user_id', 'userId'], ['action_url', 'actionUrl'])),
  response: Sent,
  status: 202,
})

const Templated = <S extends z.ZodType>(recipient: S) =>
  z.strictObject({
    recipients: z.array(recipient).min(1).max(MAX_RECIPIENTS),
    templateId: z.string().max(60),
    variables: z.record(z.string().max(60), z.union([z.string().max(10_000), z.number()])).default({}),
    language: z.enum(LANGUAGES).default('en'),
  })

export const sendTemplatedEmail = endpoint({
  method: 'POST',
  path: '/send-templated-email',
  also: ['/functions/send-templated-email', '/admin-operations/send-templated-email'],
  access: 'sendMessages',
  summary: 'Queues an email from a template',
  body: Templated(Email),
  response: Sent,
  status: 202,
})

export const sendTemplatedSms = endpoint({
  method: 'POST',
  path: '/send-templated-sms',
  also: ['/functions/send-templated-sms', '/admin-operations/send-templated-sms'],
  access: 'sendMessages',
  summary: 'Queues a text message from a template',
  body: Templated(Phone),
  response: Sent,
  status: 202,
})
