import * as z from 'zod'
import { MAX_COUNTRIES } from '#shared/countries/limits.ts'

export const instant = z.string().describe('ISO 8601 instant, UTC')

/** Several countries in a query. */
export const CountryCodes = z
  .string()
  .regex(new RegExp(`^[A-Z]{2}(,[A-Z]{2}){0,${MAX_COUNTRIES - 1}}$`), 'Give ISO codes with commas between them.')
  .transform((list) => list.split(','))

/** Id in a path. */
export const ById = z.strictObject({ id: z.uuid() })
/** Signed token of a link in a message. */
export const ByToken = z.strictObject({ token: z.string().max(200) })

/** Response to a deletion. */
export const Deleted = z.object({ deleted: z.literal(true) })
export const Removed = z.object({ removed: z.literal(true) })
