import * as z from 'zod'
import { ADVISORY_TYPES, SEVERITIES } from '#shared/advisories/severity.ts'
import { ById, Deleted, instant } from '#shared/common-schemas.ts'
import { endpoint } from '#shared/contract.ts'
import { CHANNELS } from '#shared/delivery/kinds.ts'
import { LANGUAGES } from '#shared/language.ts'

/** N-17: per user. */
export const MAX_SUBSCRIPTIONS = 20
const MAX_COUNTRIES = 260
export const DEFAULT_SEVERITIES = ['emergency', 'critical', 'warning'] as const

const inOrder = <T extends string>(list: T[], order: readonly T[]): T[] => order.filter((item) => list.includes(item))

const countries = z
  .array(z.string().regex(/^[A-Za-z]{2}$/, 'We do not know this country. Check the spelling.'))
  .max(MAX_COUNTRIES)
  .transform((codes) => [...new Set(codes.map((code) => code.toUpperCase()))].sort())
  .describe('ISO codes; empty means every country')
const severities = z
  .array(z.enum(SEVERITIES))
  .min(1, 'Choose at least one level')
  .transform((list) => inOrder(list, SEVERITIES))
const types = z
  .array(z.enum(ADVISORY_TYPES))
  .transform((list) => inOrder(list, ADVISORY_TYPES))
  .describe('Empty means every type')
const channels = z
  .array(z.enum(CHANNELS))
  .min(1, 'Choose at least one channel')
  .transform((list) => inOrder(list, CHANNELS))

export const Subscription = z.object({
  id: z.uuid(),
  countries: z.array(z.string()),
  severity_levels: z.array(z.enum(SEVERITIES)),
  advisory_types: z.array(z.enum(ADVISORY_TYPES)),
  channels: z.array(z.enum(CHANNELS)),
  language: z.enum(LANGUAGES),
  urgent_only: z.boolean(),
  active: z.boolean(),
  created_at: instant,
  updated_at: instant,
  last_notified_at: instant.nullable(),
})
export type Subscription = z.infer<typeof Subscription>

const Answer = z.object({ subscription: Subscription })

/** Why a channel cannot reach the user at present; absent if it can. */
export const OBSTACLES = ['no_phone', 'opted_out', 'no_browser', 'no_email', 'switched_off'] as const
export type Obstacle = (typeof OBSTACLES)[number]

export const listSubscriptions = endpoint({
  method: 'GET',
  path: '/travel-advisories/subscriptions/user',
  access: 'signedIn',
  summary: 'Subscriptions of the caller, and what their channels still need',
  response: z.object({
    subscriptions: z.array(Subscription),
    most: z.int(),
    obstacles: z.partialRecord(z.enum(CHANNELS), z.enum(OBSTACLES)),
    defaults: z.object({ countries: z.array(z.string()), language: z.enum(LANGUAGES) }),
  }),
})

export const subscribe = endpoint({
  method: 'POST',
  path: '/travel-advisories/subscribe',
  access: 'signedIn',
  status: 201,
  summary: `Creates a subscription by country, severity, type and channel; one per set of countries, at most ${MAX_SUBSCRIPTIONS}`,
  body: z.strictObject({
    countries: countries.optional().describe('ISO codes; empty means every country; defaults to those of your profile'),
    severity_levels: severities.default([...DEFAULT_SEVERITIES]),
    advisory_types: types.default([]),
    channels: channels.default(['in-app', 'email']),
    language: z.enum(LANGUAGES).optional().describe('Defaults to that of your profile'),
    urgent_only: z.boolean().default(false),
    active: z.boolean().default(true),
  }),
  response: Answer,
})

export const updateSubscription = endpoint({
  method: 'PATCH',
  path: '/travel-advisories/subscriptions/{id}',
  access: 'signedIn',
  summary: 'Changes a subscription of the caller; inactive means paused',
  params: ById,
  body: z.strictObject({
    countries: countries.optional(),
    severity_levels: severities.optional(),
    advisory_types: types.optional(),
    channels: channels.optional(),
    language: z.enum(LANGUAGES).optional(),
    urgent_only: z.boolean().optional(),
    active: z.boolean().optional(),
  }),
  response: Answer,
})

export const unsubscribe = endpoint({
  method: 'DELETE',
  path: '/travel-advisories/subscriptions/{id}',
  access: 'signedIn',
  summary: 'Deletes a subscription of the caller',
  params: ById,
  query: z.strictObject({ user_id: z.uuid().optional().describe("If given, the caller's own") }),
  response: Deleted,
})
