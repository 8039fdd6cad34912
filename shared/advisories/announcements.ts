import * as z from 'zod'
import { ById, instant } from '#shared/common-schemas.ts'
import { endpoint } from '#shared/contract.ts'
import { ADVISORY_REASONS, CHANNELS, MESSAGE_CHANNELS, PRIORITIES } from '#shared/delivery/kinds.ts'
import { text } from '#shared/text.ts'

const count = z.int()

/** Delivery state per channel. 'recorded': nothing was sent because no provider is configured. */
const DELIVERY_STATES = ['waiting', 'recorded', 'sent', 'delivered', 'failed', 'dropped'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]
export const Delivery = z.record(z.enum(DELIVERY_STATES), count)

export const AdvisoryAnnouncement = z.object({
  id: z.uuid(),
  reason: z.enum(ADVISORY_REASONS),
  version: count,
  priority: z.enum(PRIORITIES),
  status: z.enum(['draft', 'for_approval', 'waiting', 'sent', 'cancelled']),
  by: z.string().nullable().describe('Who sent it manually'),
  created_at: instant,
  told_at: instant.nullable(),
  people: count.nullable(),
  bells: count.describe('Users who got it in the portal'),
  deliveries: z.partialRecord(z.enum(MESSAGE_CHANNELS), Delivery),
})
export type AdvisoryAnnouncement = z.infer<typeof AdvisoryAnnouncement>

export const Readers = z.object({ people: count, channels: z.partialRecord(z.enum(CHANNELS), count) })
export type Readers = z.infer<typeof Readers>

export const listAnnouncementsOf = endpoint({
  method: 'GET',
  path: '/admin/travel-advisories/{id}/announcements',
  access: 'manageAdvisories',
  summary: 'Announcements of an advisory with their delivery, and how many subscribers it would reach now',
  params: ById,
  response: z.object({
    announcements: z.array(AdvisoryAnnouncement),
    readers: Readers,
    may_notify: z.boolean().describe('Only advisories in force are announced'),
    times: count.describe('Number of manual announcements'),
  }),
})

export const notifyNow = endpoint({
  method: 'POST',
  path: '/travel-advisories/{id}/notify',
  also: ['/admin/travel-advisories/{id}/notify'],
  access: 'manageAdvisories',
  status: 201,
  summary: 'Announces an advisory to its subscribers now, even if it was announced before',
  params: ById,
  body: z.strictObject({
    times: z.int().min(0).describe('Number of manual announcements you saw; makes a repeated request harmless'),
    reason: text(500).default(''),
  }),
  response: z.object({ announcement_id: z.uuid() }),
})
