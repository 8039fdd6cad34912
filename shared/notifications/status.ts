import * as z from 'zod'
import { AdvisorySource } from '#shared/advisories/endpoints.ts'
import { instant } from '#shared/common-schemas.ts'
import { endpoint } from '#shared/contract.ts'
import { MESSAGE_CHANNELS } from '#shared/delivery/kinds.ts'

const count = z.int()
const seconds = z.number().nullable().describe('Seconds; null if there is nothing to measure')

export const DeliveryStats = z.object({
  scope: z.enum(['urgent', 'all']).describe('urgent: urgent advisories and emergencies'),
  channel: z.enum([...MESSAGE_CHANNELS, 'all']),
  announcements: count.describe('Number of announced advisories, all channels'),
  messages: count,
  recorded: count.describe('Recorded but not sent: no provider is configured'),
  handed_over: count,
  delivered: count.describe('Confirmed deliveries; not every provider reports them'),
  failed: count,
  waiting: count,
  handed_over_p50: seconds,
  handed_over_p95: seconds,
  delivered_p50: seconds,
  delivered_p95: seconds,
})
export type DeliveryStats = z.infer<typeof DeliveryStats>

export const MONITOR_CAUSES = ['not_fanned_out', 'not_sent_email', 'not_sent_sms', 'not_announced'] as const

/** Cached this long, so that a public page costs the database one small read per minute. */
export const STATUS_SECONDS = 60

export const getStatus = endpoint({
  method: 'GET',
  path: '/public/status',
  access: 'anyone',
  summary: 'Freshness of the sources, and measured delivery times of advisories in the last 30 days',
  response: z.object({
    days: count,
    measured_at: instant.nullable().describe('Null: not measured yet'),
    figures: z.array(DeliveryStats),
    unsent_channels: z
      .array(z.enum(MESSAGE_CHANNELS))
      .describe('Channels without a configured provider: nothing is sent'),
    alarms: z.array(z.object({ cause: z.enum(MONITOR_CAUSES), raised_at: instant })).describe('Current problems'),
    proof: z
      .object({
        announced_at: instant,
        told_at: instant.nullable(),
        channels: z.array(
          z.object({ channel: z.string(), handed_over_at: instant.nullable(), delivered_at: instant.nullable() }),
        ),
      })
      .nullable()
      .describe('The latest urgent advisory that was also sent to the delivery monitor'),
    sources: z.array(
      AdvisorySource.pick({
        id: true,
        name: true,
        organization: true,
        authority: true,
        country_code: true,
        state: true,
        reading: true,
        last_success_at: true,
        last_change_at: true,
        not_confirmed_since: true,
        captured_on: true,
        interval_seconds: true,
      }),
    ),
  }),
})
