import * as z from 'zod'
import { endpoint } from '#shared/contract.ts'
import { text } from '#shared/text.ts'
import { AnswerMetadata } from './answer.ts'
import { ASSISTANT_LANGUAGE_CODES } from './languages.ts'
import { MAX_BACKUP_MESSAGES } from './limits.ts'

export const ConversationSummary = z.object({
  id: z.uuid(),
  title: z.string(),
  lastMessage: z.string().describe('First 100 characters'),
  lastActivity: z.string(),
  messageCount: z.number().int(),
  userId: z.uuid(),
  status: z.enum(['active', 'handed_over']),
  language: z.enum(ASSISTANT_LANGUAGE_CODES),
  isSessionOnly: z.boolean(),
})
export type ConversationSummary = z.infer<typeof ConversationSummary>

export const StoredMessage = z.object({
  id: z.uuid(),
  conversation_id: z.uuid(),
  sender_type: z.enum(['user', 'assistant']),
  content: z.string(),
  message_order: z.number().int(),
  tokens_used: z.number().int().nullable(),
  model_used: z.string().nullable(),
  processing_time_ms: z.number().int().nullable(),
  metadata: AnswerMetadata.nullable(),
  created_at: z.string(),
  format: z.enum(['text', 'markdown']),
  reply_to: z.uuid().nullable(),
})
export type StoredMessage = z.infer<typeof StoredMessage>

const params = z.strictObject({ id: z.uuid() })
const title = text(200).min(1, 'This field is required')

export const listConversations = endpoint({
  method: 'GET',
  path: '/ai/conversations',
  access: 'signedIn',
  summary: 'Conversations of the caller, newest first; optional search in titles and messages',
  query: z.strictObject({ search: text(200).optional() }),
  response: z.object({ conversations: z.array(ConversationSummary), total: z.number().int() }),
})

export const createConversation = endpoint({
  method: 'POST',
  path: '/ai/conversations',
  access: 'signedIn',
  summary: 'Starts a conversation or restores it from the copy in a browser; deleted conversations stay deleted',
  body: z.strictObject({
    id: z.uuid().optional().describe('From the restored copy'),
    title: text(200).optional(),
    language: z.enum(ASSISTANT_LANGUAGE_CODES).optional(),
    messages: z
      .array(
        z.strictObject({
          id: z.uuid().optional(),
          sender_type: z.enum(['user', 'assistant']),
          content: text(20_000).min(1),
          created_at: z.iso.datetime().optional(),
        }),
      )
      .max(MAX_BACKUP_MESSAGES)
      .optional(),
  }),
  response: z.object({ conversation: ConversationSummary }),
  status: 201,
})

export const readConversation = endpoint({
  method: 'GET',
  path: '/ai/conversations/{id}',
  access: 'signedIn',
  summary: 'One conversation of the caller',
  params,
  response: z.object({ conversation: ConversationSummary }),
})

export const renameConversation = endpoint({
  method: 'PUT',
  path: '/ai/conversations/{id}',
  access: 'signedIn',
  summary: 'Renames a conversation of the caller',
  params,
  body: z.strictObject({ title }),
  response: z.object({ conversation: ConversationSummary }),
})

export const deleteConversation = endpoint({
  method: 'DELETE',
  path: '/ai/conversations/{id}',
  access: 'signedIn',
  summary: 'Deletes the content of a conversation of the caller; it cannot be restored from a copy',
  params,
  response: z.object({}),
})

export const deleteAllConversations = endpoint({
  method: 'DELETE',
  path: '/ai/conversations',
  access: 'signedIn',
  summary: 'Deletes all conversations of the caller',
  response: z.object({ deleted: z.number().int() }),
})

export const listMessages = endpoint({
  method: 'GET',
  path: '/ai/conversations/{id}/messages',
  access: 'signedIn',
  summary: 'Messages of a conversation of the caller, in order',
  params,
  response: z.object({ messages: z.array(StoredMessage) }),
})

export const addMessage = endpoint({
  method: 'POST',
  path: '/ai/conversations/{id}/messages',
  access: 'signedIn',
  summary: 'Adds a message to a conversation of the caller without asking for an answer',
  params,
  body: z.strictObject({
    content: text(20_000).min(1, 'This field is required'),
    format: z.enum(['text', 'markdown']).default('text'),
    reply_to: z.uuid().optional(),
  }),
  response: z.object({ message: StoredMessage }),
  status: 201,
})

export const rateAnswer = endpoint({
  method: 'POST',
  path: '/ai/feedback',
  access: 'anyone',
  summary: 'Rates an answer; with a bad rating, the question is stored if the user agrees',
  body: z.strictObject({
    question_id: z.uuid(),
    rating: z.union([z.literal(1), z.literal(-1)]),
    comment: text(1000).optional(),
    question: text(500).optional().describe('The question, if the user wants it to be read'),
  }),
  response: z.object({}),
})
