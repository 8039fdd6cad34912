import * as z from 'zod'
import { endpoint } from '#shared/contract.ts'
import { text } from '#shared/text.ts'
import { MAX_TRANSCRIPT } from './limits.ts'

export const translateText = endpoint({
  method: 'POST',
  path: '/ai/translate',
  access: 'takeCases',
  summary: 'Translates a message for the coordinator who handles it, if a model is set up',
  body: z.strictObject({
    text: text(MAX_TRANSCRIPT).min(1, 'This field is required'),
    source_language: text(20).min(2),
    target_language: text(20).min(2),
  }),
  response: z.object({
    translation: z.string(),
    warning: z.string().nullable().describe('Why the translation should be checked'),
  }),
})
