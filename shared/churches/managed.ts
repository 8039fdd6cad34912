import * as z from 'zod'

/** Common to all contracts of locale administration. */
export const manages = { access: 'manageLocales' } as const

export const line = z.string().nullable()
/** ISO 3166-1 alpha-2, as typed by a user. */
export const country = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{2}$/, 'Choose a country')
