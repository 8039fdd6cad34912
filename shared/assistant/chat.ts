import * as z from 'zod'
import { endpoint } from '#shared/contract.ts'
import { latitude, longitude } from '#shared/coordinates.ts'
import { text } from '#shared/text.ts'
import { Answer, AnswerMetadata } from './answer.ts'
import { ASSISTANT_LANGUAGE_CODES } from './languages.ts'

export { LAST_MESSAGES, MAX_QUESTION, PUBLIC_TIMEOUT_MS } from './limits.ts'

const SHOWN = 20
/** One of the twelve languages; any other is rejected by name (000 §5). */
const AnswerLanguage = z.enum(ASSISTANT_LANGUAGE_CODES, {
  error: ({ input }) => `Language ${String(input).slice(0, SHOWN)} not supported`,
})

const Turn = z.strictObject({
  id: z.string().max(100).optional(),
  /** Either of the two field names in the specification. */
  role: z.enum(['user', 'assistant']).optional(),
  sender: z.enum(['user', 'assistant']).optional(),
  content: text(20_000),
})
export type Turn = z.infer<typeof Turn>

export const ChatRequest = z.strictObject({
  messages: z.array(Turn).max(100).optional(),
  message: text(20_000).optional().describe('Instead of messages, for a single message'),
  conversation_id: z.uuid().nullable().optional(),
  context: z.literal('destination_info').optional(),
  /** Ignored: the user is identified by the session alone. */
  userId: z.string().max(100).nullable().optional(),
  language: AnswerLanguage.optional().describe('Language of the answer, whatever the language of the question'),
  interface_language: z
    .string()
    .max(20)
    .optional()
    .describe('Used if the question is too short to detect the language'),
  location: z.strictObject({ latitude, longitude }).optional().describe('Location of the user, if shared'),
  save: z.boolean().default(true).describe('False: nothing is stored on the server'),
  options: z
    .strictObject({
      model: z.string().max(100).optional(),
      temperature: z.number().min(0).max(2).optional(),
      max_tokens: z.number().int().min(1).max(4000).optional(),
      language: AnswerLanguage.optional(),
    })
    .optional(),
})
export type ChatRequest = z.infer<typeof ChatRequest>

/** The same answer under every field name of the specification. */
export const ChatReply = z.object({
  content: z.string(),
  ai_response: Answer.pick({ content: true, format: true }),
  conversation_id: z.uuid().nullable(),
  detectedLanguage: z.enum(ASSISTANT_LANGUAGE_CODES),
  usage: z.object({ total_tokens: z.number().int() }),
  processing_time_ms: z.number().int(),
  metadata: AnswerMetadata,
  error: z.string().nullable(),
  status_code: z.number().int(),
  data: z.object({ destinationInfo: z.unknown() }).optional().describe('Only with the context destination_info'),
})
export type ChatReply = z.infer<typeof ChatReply>

export const askAssistant = endpoint({
  method: 'POST',
  path: '/public/chat',
  also: ['/chat', '/ai/chat', '/functions/ai-chat-public', '/functions/ai-chat-public/chat'],
  access: 'anyone',
  summary: 'Answers a question from records, with sources; the last message of the user is the question',
  body: ChatRequest,
  response: ChatReply,
})

/**
 * The same answer streamed as server-sent events: `start` with what precedes it (danger, notice), `words` with pieces
 * of the content, and finally `answer` with the complete answer.
 */
export const streamAnswer = endpoint({
  method: 'POST',
  path: '/public/chat/stream',
  access: 'anyone',
  summary: 'The same as a stream of server-sent events: start, words, answer, failure',
  body: ChatRequest,
  response: z.unknown(),
})
