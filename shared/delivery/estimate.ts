import * as z from 'zod'
import { inEachLanguage, LANGUAGES } from '#shared/language.ts'
import { TABLE_ANSWER } from '#shared/table.ts'
import { CHANNELS } from './kinds.ts'

const Preview = z.object({
  language: z.enum(LANGUAGES),
  is_borrowed: z.boolean().describe('No text in this language: the other is sent'),
  mail: z.object({ subject: z.string(), html: z.string(), text: z.string() }),
  sms: z.object({ text: z.string(), segments: z.int(), encoding: z.string(), is_cut: z.boolean() }),
  short: z.object({ title: z.string(), body: z.string() }).describe('In-app and as a push notification'),
})

const Named = z.object({ id: z.uuid(), name: z.string(), email: z.string() })

/** What sending a message now would do: who is reached on which channel, at what price, and how it looks. */
export const ReachEstimate = z.object({
  chosen: z.int().describe('Number of recipients'),
  people: z.int().describe('Recipients who can be reached on at least one channel'),
  needs_approval: z.boolean(),
  approval_above: z.int(),
  approvers: z.array(z.string()).describe('Names of administrators who may approve it, at most five'),
  channels: z.array(
    z.object({
      channel: z.enum(CHANNELS),
      people: z.int(),
      is_connected: z.boolean().describe('False without a provider: messages are recorded or fail'),
      ...inEachLanguage(() => z.int()),
    }),
  ),
  sms_segments: z.int(),
  sms_cost: z.string().nullable().describe('Estimate; null if no price per segment is set'),
  unreached: z.object({ ...TABLE_ANSWER, people: z.array(Named) }),
  portal_only: z
    .object({ total: z.int(), people: z.array(Named) })
    .describe('Recipients whom no message reaches: they see it when they open the portal. At most twenty are named'),
  readers: z
    .array(z.object({ id: z.uuid(), name: z.string(), language: z.enum(LANGUAGES), time_zone: z.string() }))
    .describe('Some recipients of each language, for the preview'),
  previews: z.array(Preview),
})
export type ReachEstimate = z.infer<typeof ReachEstimate>
