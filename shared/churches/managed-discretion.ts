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
  needs_second: z.boolean().describe('Whether showing more needs approval by a second administrator'),
  updated_at: instant,
  updated_by: line.describe('Name of the user who set it'),
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
  locales: z.int().describe('Churches that would show more'),
  requested_by: line,
  is_own: z.boolean().describe('The caller sent this request, and so cannot approve it'),
  requested_at: instant,
  expires_at: instant,
})
export type DiscretionRequest = z.infer<typeof DiscretionRequest>

export const getDiscretion = endpoint({
  ...manages,
  method: 'GET',
  path: '/locales/discretion',
  summary: 'Countries with restricted visibility, number of locales per country, and requests waiting for approval',
  response: z.object({
    discretion: z.array(CountryDiscretion),
    countries: z.array(
      z.object({
        country_code: z.string(),
        locales: z.int(),
        own_mode: z.int().describe('Locales with their own setting, not affected by the country'),
      }),
    ),
    requests: z.array(DiscretionRequest).describe('Requests waiting for a second administrator'),
  }),
})

export const getConsequences = endpoint({
  ...manages,
  method: 'GET',
  path: '/locales/discretion/consequences',
  summary: 'What a change for a country or a locale would make public',
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
    locales: z.int().describe('Churches that would show more'),
    whole: z.int().describe('Those that become public with name, address and map'),
    needs_second: z.boolean().describe('Needs approval by a second administrator'),
  }),
})

export const setDiscretion = endpoint({
  ...manages,
  method: 'PUT',
  path: '/locales/discretion',
  summary:
    'Sets the public visibility of the locales of a country, or of one locale; null removes the rule. Showing less takes effect immediately; showing more needs a reason, a typed confirmation and, if the country requires it, a second administrator',
  body: z
    .strictObject({
      country_code: country.optional(),
      locale_id: z.uuid().optional(),
      discreet_mode: mode,
      reason: text(500).default(''),
      confirm: text(200).default('').describe('To show more: the name of the country, or the number of churches'),
      needs_second: z.boolean().optional().describe('Of the country; unchanged if left out'),
    })
    .refine((body) => (body.country_code === undefined) !== (body.locale_id === undefined), {
      path: ['country_code'],
      message: 'Choose a country',
    }),
  response: z.object({
    locales: z.int().describe('Number of locales with this visibility now'),
    request_id: z.uuid().nullable().describe('Waiting for a second administrator; nothing has changed yet'),
  }),
})

export const decideDiscretion = endpoint({
  ...manages,
  method: 'POST',
  path: '/locales/discretion/requests/{id}',
  summary: "Approves or declines another administrator's request, or withdraws the caller's own",
  params: z.strictObject({ id: z.uuid() }),
  body: z.strictObject({ decision: z.enum(['approve', 'decline', 'withdraw']) }),
  response: z.object({ locales: z.int().describe('Churches that now show more') }),
})
