import * as z from 'zod'
import { endpoint } from '#shared/contract.ts'
import { TABLE_ANSWER } from '#shared/table.ts'
import { ANSWER_STATUSES } from './answer.ts'

/** A question that was not fully answered, or whose answer was rated down. Contains nothing about the user. */
export const QuestionLogEntry = z.object({
  id: z.uuid(),
  asked_at: z.string(),
  language: z.string(),
  intent: z.string(),
  status: z.enum(ANSWER_STATUSES),
  country_code: z.string().nullable(),
  question: z.string().nullable(),
  rating: z.union([z.literal(1), z.literal(-1)]).nullable(),
  comment: z.string().nullable(),
  record_ids: z.array(z.string()),
})
export type QuestionLogEntry = z.infer<typeof QuestionLogEntry>

export const listQuestions = endpoint({
  method: 'GET',
  path: '/admin/assistant/questions',
  access: 'manageAssistant',
  summary: 'Unanswered and badly rated questions, newest first, with statistics of the last 30 days',
  query: z.strictObject({
    kind: z.enum(['unanswered', 'rated_down']).optional(),
    page: z.coerce.number().int().min(1).default(1),
  }),
  response: z.object({
    questions: z.array(QuestionLogEntry),
    ...TABLE_ANSWER,
    figures: z.object({
      asked: z.number().int(),
      by_status: z.record(z.string(), z.number().int()),
      rated_up: z.number().int(),
      rated_down: z.number().int(),
      model_calls_today: z.number().int(),
      tokens_today: z.number().int(),
    }),
  }),
})

export const reviewQuestion = endpoint({
  method: 'POST',
  path: '/admin/assistant/questions/{id}/review',
  access: 'manageAssistant',
  summary: 'Removes a question from the list after review',
  params: z.strictObject({ id: z.uuid() }),
  response: z.object({}),
})
