import * as z from 'zod'

export const instant = z.string().describe('ISO 8601 instant, UTC')

/** Id in a path. */
export const ById = z.strictObject({ id: z.uuid() })
/** Signed token of a link in a message. */
export const ByToken = z.strictObject({ token: z.string().max(200) })

/** Response to a deletion. */
export const Deleted = z.object({ deleted: z.literal(true) })
export const Removed = z.object({ removed: z.literal(true) })
