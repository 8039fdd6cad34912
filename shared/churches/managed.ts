import * as z from 'zod'

/** What the contracts of the administration of locales have alike. */
export const manages = { access: 'manageLocales' } as const

export const line = z.string().nullable()
/** ISO 3166-1 alpha-2, as somebody types it. */
export const country = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{2}$/, 'Choose a country')
