import * as z from 'zod'
import { instant } from '#shared/common-schemas.ts'
import { endpoint } from '#shared/contract.ts'
import { sortBy, TABLE_ANSWER, TABLE_QUERY } from '#shared/table.ts'
import { DISCREET_MODES } from './discretion.ts'
import { LOCALE_STATUSES } from './entry.ts'
import { country, line, manages } from './managed.ts'

/** A row of the admin list of locales. */
export const ManagedLocale = z.object({
  id: z.uuid(),
  name: z.string(),
  city: line,
  state_province: line,
  country_code: line,
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  timezone: line,
  locale_status: z.enum(LOCALE_STATUSES),
  is_public: z.boolean(),
  located_in: line.describe('The country that contains its coordinates'),
  mode: z
    .enum(DISCREET_MODES)
    .describe("Visibility in effect: its own, its country's, or a stricter one by its coordinates"),
  has_own_mode: z.boolean(),
  confirmed_at: instant.nullable(),
  updated_at: instant,
})
export type ManagedLocale = z.infer<typeof ManagedLocale>

export const MISSING = ['coordinates', 'time_zone', 'country', 'confirmation'] as const
const MANAGED_LOCALE_SORTS = ['name', 'city', 'country_code', 'confirmed_at', 'updated_at'] as const

export const ManagedLocaleQuery = z.strictObject({
  ...TABLE_QUERY,
  sort: sortBy(MANAGED_LOCALE_SORTS, 'name'),
  country: country.optional(),
  status: z.enum(LOCALE_STATUSES).optional(),
  public: z.enum(['yes', 'no']).optional().describe('Whether the public can see it'),
  mode: z.enum(DISCREET_MODES).optional(),
  missing: z.enum(MISSING).optional(),
  chapter: z.uuid().optional(),
})
export type ManagedLocaleQuery = z.output<typeof ManagedLocaleQuery>

export const listManagedLocales = endpoint({
  ...manages,
  method: 'GET',
  path: '/locales',
  summary: 'All locales, including those that are private, hidden or closed',
  query: ManagedLocaleQuery,
  response: z.object({ ...TABLE_ANSWER, locales: z.array(ManagedLocale) }),
})

export const exportLocales = endpoint({
  ...manages,
  method: 'GET',
  path: '/locales/export',
  summary: 'The same list, all pages and fields, as a file that can be imported again',
  query: ManagedLocaleQuery.extend({ format: z.enum(['csv', 'xlsx']).default('csv') }),
  response: z.any().describe('The file'),
})
