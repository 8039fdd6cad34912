import * as z from 'zod'

const lines = z.array(z.string())

export const FirstSteps = z.object({
  here: lines.describe('For people in the country'),
  planning: lines.describe('For people who plan to go'),
  all: lines.describe('For everybody'),
})
export type FirstSteps = z.infer<typeof FirstSteps>

export const AdvisorySection = z.object({
  title: z.string().nullable().describe('Heading of the source; null for text before its first heading'),
  html: z.string().describe('Sanitised HTML'),
})
export type AdvisorySection = z.infer<typeof AdvisorySection>

/** The text of an advisory as its page shows it. */
export const AdvisoryText = z.object({
  first_steps: FirstSteps.describe('What the source tells its readers to do, in its own sentences'),
  sections: z.array(AdvisorySection).describe('detailed_information, split at the headings of the source'),
})
export type AdvisoryText = z.infer<typeof AdvisoryText>
