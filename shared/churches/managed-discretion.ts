import * as z from 'zod'
import { instant } from '#shared/common-schemas.ts'
import { endpoint } from '#shared/contract.ts'
import { text } from '#shared/text.ts'
import { DISCREET_MODES } from './discretion.ts'
import { country, line, manages } from './managed.ts'

export const CountryDiscretion = z.object({
  country_code: z.string(),
  discreet_mode: z.enum(DISCREET_MODES),
  reason: z.string(),
  needs_second: z.boolean().describe('Whether a second administrator approves before more is told'),
  updated_at: instant,
  updated_by: line.describe('Name of who set it'),
})
export type CountryDiscretion = z.infer<typeof CountryDiscretion>

const mode = z.enum(DISCREET_MODES, 'Choose how much the public can see').nullable()

export const DiscretionRequest = z.object({
  id: z.uuid(),
  country_code: z.string(),
  locale_id: z.uuid().nullable(),
  locale_name: z.string().nullable(),
  discreet_mode: z.enum(DISCREET_MODES).nullable(),
  needs_second: z.boolean(),
  reason: z.string(),
  locales: z.int().describe('Churches of which more is told'),
  requested_by: line,
  is_own: z.boolean().describe('The caller asked for it, and so cannot approve it'),
  requested_at: instant,
  expires_at: instant,
})
export type DiscretionRequest = z.infer<typeof DiscretionRequest>

export const getDiscretion = endpoint({
  ...manages,
  method: 'GET',
  path: '/locales/discretion',
  summary:
    'Countries whose locales are told of discreetly, how many locales each country has, and what waits for approval',
  response: z.object({
    discretion: z.array(CountryDiscretion),
    countries: z.array(
      z.object({
        country_code: z.string(),
        locales: z.int(),
        own_mode: z.int().describe('Those that have a mode of their own, which the country leaves alone'),
      }),
    ),
    requests: z.array(DiscretionRequest).describe('Those that wait for a second administrator'),
  }),
})

export const getConsequences = endpoint({
  ...manages,
  method: 'GET',
  path: '/locales/discretion/consequences',
  summary: 'What a change would tell more of: of a country, or of one locale',
  query: z.strictObject({
    country_code: country.optional(),
    locale_id: z.uuid().optional(),
    discreet_mode: z.enum(DISCREET_MODES).optional().describe('Left out: no rule any more'),
    needs_second: z.stringbool().optional(),
  }),
  response: z.object({
    country_code: z.string().nullable(),
    locale_name: z.string().nullable(),
    is_loosening: z.boolean(),
    locales: z.int().describe('Churches of which more is told'),
    whole: z.int().describe('Those that become public with name, address and map'),
    needs_second: z.boolean().describe('A second administrator approves it first'),
  }),
})

export const setDiscretion = endpoint({
  ...manages,
  method: 'PUT',
  path: '/locales/discretion',
  summary:
    'Says how much is told of the locales of a country, or of one locale; null takes the rule back. To tell less works at once; to tell more takes a reason, a typed confirmation and, where the country says so, a second administrator',
  body: z
    .strictObject({
      country_code: country.optional(),
      locale_id: z.uuid().optional(),
      discreet_mode: mode,
      reason: text(500).default(''),
      confirm: text(200).default('').describe('To tell more: the name of the country, or the number of churches'),
      needs_second: z.boolean().optional().describe('Of the country; left out: as it is'),
    })
    .refine((body) => (body.country_code === undefined) !== (body.locale_id === undefined), {
      path: ['country_code'],
      message: 'Choose a country',
    }),
  response: z.object({
    locales: z.int().describe('How many locales are told of in this way now'),
    request_id: z.uuid().nullable().describe('Waits for a second administrator; nothing has changed yet'),
  }),
})

export const decideDiscretion = endpoint({
  ...manages,
  method: 'POST',
  path: '/locales/discretion/requests/{id}',
  summary: 'Approves or declines what another administrator asked for, or withdraws what one asked for oneself',
  params: z.strictObject({ id: z.uuid() }),
  body: z.strictObject({ decision: z.enum(['approve', 'decline', 'withdraw']) }),
  response: z.object({ locales: z.int().describe('Churches of which more is told now') }),
})
