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
  by: z.string().nullable().describe('Who told it by hand'),
  created_at: instant,
  told_at: instant.nullable(),
  people: count.nullable(),
  bells: count.describe('People who have it in the portal'),
  deliveries: z.partialRecord(z.enum(MESSAGE_CHANNELS), Delivery),
})
export type AdvisoryAnnouncement = z.infer<typeof AdvisoryAnnouncement>

export const listAnnouncementsOf = endpoint({
  method: 'GET',
  path: '/admin/travel-advisories/{id}/announcements',
  access: 'manageAdvisories',
  summary: 'When subscribers were told of an advisory and what became of it, and how many would be told now',
  params: ById,
  response: z.object({
    announcements: z.array(AdvisoryAnnouncement),
    readers: z.object({ people: count, channels: z.partialRecord(z.enum(CHANNELS), count) }),
    may_notify: z.boolean().describe('Only what is in force is told'),
    times: count.describe('How often it was told by hand'),
  }),
})

export const notifyNow = endpoint({
  method: 'POST',
  path: '/travel-advisories/{id}/notify',
  also: ['/admin/travel-advisories/{id}/notify'],
  access: 'manageAdvisories',
  status: 201,
  summary: 'Tells those who subscribed to an advisory of it now, also where it was told before',
  params: ById,
  body: z.strictObject({
    times: z.int().min(0).describe('How often it was told by hand when you looked: sent twice, it is told once'),
    reason: text(500).default(''),
  }),
  response: z.object({ announcement_id: z.uuid() }),
})
