import * as z from 'zod'
import { ById } from '#shared/common-schemas.ts'
import { endpoint } from '#shared/contract.ts'
import { LANGUAGES } from '#shared/language.ts'
import { sortBy, TABLE_ANSWER, TABLE_QUERY } from '#shared/table.ts'
import { MESSAGE_CHANNELS } from './kinds.ts'

export const MESSAGE_STATUSES = [
  'pending',
  'deferred',
  'sending',
  'sent',
  'delivered',
  'failed',
  'dropped',
  'cancelled',
  'recorded',
] as const

const Row = z.object({
  id: z.uuid(),
  channel: z.enum(MESSAGE_CHANNELS),
  recipient: z.string().describe('Empty until it is sent, if the address is that of a profile'),
  subject: z.string().describe('Empty for a text message; hidden if it contains a code'),
  template: z.string(),
  language: z.enum(LANGUAGES),
  status: z.enum(MESSAGE_STATUSES),
  is_secret: z.boolean().describe('Contains a sign-in code or link'),
  attempts: z.int(),
  error: z.string().nullable(),
  created_at: z.string(),
  sent_at: z.string().nullable(),
})
export type OutboxRow = z.infer<typeof Row>

const Message = Row.extend({
  not_before: z.string().describe('Time of the next attempt, while it is waiting'),
  receipt: z.string().nullable().describe('Response of the provider'),
  provider: z.string().nullable().describe('Provider that sent it'),
  delivered_at: z.string().nullable(),
  announcement_id: z.uuid().nullable().describe('The announcement it belongs to'),
  tries: z
    .array(
      z.object({
        at: z.string(),
        provider: z.string().nullable(),
        outcome: z.enum(['failed', 'deferred', 'sent', 'delivery_event']),
        detail: z.string().nullable(),
      }),
    )
    .describe('Delivery events, newest first'),
  body_text: z.string().nullable().describe('Null if hidden or deleted'),
  body_html: z.string().nullable(),
})
export type OutboxMessage = z.infer<typeof Message>

export const OutboxQuery = z.strictObject({
  ...TABLE_QUERY,
  sort: sortBy(['created_at', 'recipient', 'status'], '-created_at'),
  status: z.enum(MESSAGE_STATUSES).optional(),
  channel: z.enum(MESSAGE_CHANNELS).optional(),
  announcement: z.uuid().optional(),
})
const List = z.object({ messages: z.array(Row), ...TABLE_ANSWER })

export const listMessages = endpoint({
  method: 'GET',
  path: '/admin/outbox',
  access: 'readOutbox',
  summary: 'Outgoing and sent messages, newest first, without their texts',
  query: OutboxQuery,
  response: List,
})

export const getMessagesByDay = endpoint({
  method: 'GET',
  path: '/admin/outbox/days',
  access: 'readOutbox',
  summary: 'Messages of the last seven days, by day in the time zone of the portal',
  response: z.object({
    days: z.array(
      z.object({
        day: z.string().describe('YYYY-MM-DD, oldest first'),
        sent: z.int().describe('Sent or delivered'),
        failed: z.int(),
        recorded: z.int().describe('Stored without a provider, so never sent'),
      }),
    ),
  }),
})

export const getMessage = endpoint({
  method: 'GET',
  path: '/admin/outbox/{id}',
  access: 'readOutbox',
  summary: 'One message; the text is hidden if it contains a sign-in code or link',
  params: ById,
  response: Message,
})

export const retryMessage = endpoint({
  method: 'POST',
  path: '/admin/outbox/{id}/retry',
  access: 'readOutbox',
  summary: 'Retries a failed message from the beginning',
  params: ById,
  response: Row,
})

export const listOpenMessages = endpoint({
  method: 'GET',
  path: '/public/outbox',
  access: 'anyone',
  summary: 'Messages that would have been sent, on a local trial portal; 404 elsewhere',
  query: OutboxQuery,
  response: List,
})

export const getOpenMessage = endpoint({
  method: 'GET',
  path: '/public/outbox/{id}',
  access: 'anyone',
  summary: 'One message with its text, on a local trial portal; 404 elsewhere',
  params: ById,
  response: Message,
})
