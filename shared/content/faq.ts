import * as z from 'zod'
import { instant } from '#shared/common-schemas.ts'
import { crudEndpoints } from '#shared/crud.ts'
import { required, text, translated } from '#shared/text.ts'

/** In the order of the page; `faq_category_…` of content.json are their names. */
export const FAQ_CATEGORIES = [
  'before_you_go',
  'advisories',
  'safety',
  'documents',
  'church',
  'portal',
  'after_return',
] as const

/** The assistant quotes this entry to people who lost their passport, in any language. */
export const LOST_PAPERS = 'passport-lost-or-stolen'
/** Entries that the portal itself refers to by their slug. */
const REFERENCES: Readonly<Record<string, 'assistant' | 'pages'>> = {
  [LOST_PAPERS]: 'assistant',
  'in-an-emergency': 'pages',
}
export const referenceOf = (slug: string) => (Object.hasOwn(REFERENCES, slug) ? REFERENCES[slug]! : null)

const ORDER = 'Enter a whole number, 10000 at most.'

/** The address of each Markdown link: a page of the portal, or the protocols that a browser may follow. */
const hasSafeLinks = (answer: string) =>
  [...answer.matchAll(/\]\(\s*<?([^\s)>]*)/g)].every(([, address = '']) =>
    /^(https?:\/\/[^\s/]|mailto:.|tel:[+\d]|\/(?![/\\])|#.)/i.test(address),
  )

const fields = z.strictObject({
  category: z.enum(FAQ_CATEGORIES, 'Choose from the list'),
  position: z.int(ORDER).min(0, ORDER).max(10_000, ORDER).optional().describe('In its category; a new one comes last'),
  question: translated(required(200)),
  answer: translated(
    required(10_000).refine(hasSafeLinks, 'Start the address of a link with https:// or, in this portal, with /'),
  ).describe('Markdown: paragraphs, lists, links and bold'),
  is_published: z.boolean().optional(),
})

export const FaqRecord = z.object({
  id: z.uuid(),
  slug: z.string().describe('Anchor on the page'),
  category: z.string(),
  position: z.int(),
  question: z.object(fields.shape.question.shape),
  answer: z.object(fields.shape.answer.shape),
  is_published: z.boolean(),
  referenced_by: z.enum(['assistant', 'pages']).nullable().describe('What refers to its slug, so that it must stay'),
  updated_at: instant.describe('Goes with a change as `made_from`'),
})
export type FaqRecord = z.infer<typeof FaqRecord>

export const faqEntries = crudEndpoints({
  path: '/admin/faq',
  one: 'faq_entry',
  many: 'faq_entries',
  nouns: ['question of the travel FAQ', 'questions of the travel FAQ'],
  read: 'manageFaq',
  manage: 'manageFaq',
  record: FaqRecord,
  fields,
  fixed: {
    slug: text(80)
      .regex(/^(?=.{2})[a-z0-9]+(-[a-z0-9]+)*$/, 'Use small letters, digits and hyphens, such as lost-passport')
      // Categories are anchors of the page too.
      .refine((slug) => slug !== 'main' && !FAQ_CATEGORIES.some((category) => category === slug), 'Choose another name')
      .describe('Anchor on the page; it never changes, since others link to it'),
  },
  filters: {
    category: z.enum(FAQ_CATEGORIES).optional(),
    status: z.enum(['published', 'draft']).optional(),
  },
})
