import * as z from 'zod'

/** A moment in an answer. */
export const instant = z.string().describe('ISO 8601 instant, UTC')

/** Which one an address means. */
export const ById = z.strictObject({ id: z.uuid() })
/** A signed link of a message. */
export const ByToken = z.strictObject({ token: z.string().max(200) })

/** What is answered when it is gone. */
export const Deleted = z.object({ deleted: z.literal(true) })
export const Removed = z.object({ removed: z.literal(true) })
