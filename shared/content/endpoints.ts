import * as z from 'zod'
import { endpoint } from '#shared/contract.ts'
import { text } from '#shared/text.ts'

export const FaqEntry = z.object({
  slug: z.string().describe('Anchor of the question on the page'),
  category: z.string(),
  question: z.string(),
  answer: z.string().describe('Sanitised HTML'),
  updated_at: z.string(),
})
export type FaqEntry = z.infer<typeof FaqEntry>

export const listFaq = endpoint({
  method: 'GET',
  path: '/public/faq',
  access: 'anyone',
  summary: 'The travel FAQ in one language, in page order',
  query: z.strictObject({
    search: text(200).optional(),
    lng: z.enum(['en', 'ar']).default('en'),
  }),
  response: z.object({ faq: z.array(FaqEntry), total: z.number().int() }),
})
