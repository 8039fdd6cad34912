import * as z from 'zod'
import { endpoint } from '../contract.ts'
import { instant } from '../parts.ts'
import { text } from '../text.ts'
import { DISCREET_MODES } from './discretion.ts'
import { country, line, manages } from './managed.ts'

export const CountryDiscretion = z.object({
  country_code: z.string(),
  discreet_mode: z.enum(DISCREET_MODES),
  reason: z.string(),
  updated_at: instant,
  updated_by: line.describe('Name of who set it'),
})
export type CountryDiscretion = z.infer<typeof CountryDiscretion>

export const getDiscretion = endpoint({
  ...manages,
  method: 'GET',
  path: '/locales/discretion',
  summary: 'Countries whose locales are told of discreetly, and how many locales each country has',
  response: z.object({
    discretion: z.array(CountryDiscretion),
    countries: z.array(
      z.object({
        country_code: z.string(),
        locales: z.int(),
        own_mode: z.int().describe('Those that have a mode of their own, which the country leaves alone'),
      }),
    ),
  }),
})

export const setDiscretion = endpoint({
  ...manages,
  method: 'PUT',
  path: '/locales/discretion',
  summary: 'Says how much is told of the locales of a country; null is everything again',
  body: z.strictObject({
    country_code: country,
    discreet_mode: z.enum(DISCREET_MODES, 'Choose how much is told').nullable(),
    reason: text(500).default(''),
  }),
  response: z.object({ locales: z.int().describe('How many locales are told of in this way now') }),
})
