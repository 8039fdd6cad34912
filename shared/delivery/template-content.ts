import * as z from 'zod'
import { text } from '#shared/text.ts'

/** Fields overridden in a template; all others keep the portal's default. */
export const TemplateContent = z.strictObject({
  subject: text(200).min(1, 'This field is required'),
  lines: z.array(text(2_000).min(1)).min(1, 'This field is required').max(30).describe('Paragraphs'),
  button: text(80).min(1, 'This field is required').optional(),
  sms: text(600).min(1, 'This field is required').optional(),
})
export type TemplateContent = z.output<typeof TemplateContent>
