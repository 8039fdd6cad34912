import * as z from 'zod'

/** What a fact of kind hotline holds in its value. */
export const HotlineValue = z.object({
  phone: z.string().min(1).max(60),
  /** Of the organisation, as it calls itself. */
  name: z.string().max(200).nullable().default(null),
  hours: z.string().max(200).nullable().default(null),
  url: z.string().max(1000).nullable().default(null),
  /** Of an embassy or labour office: whose passport holders it helps. */
  nationality: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .nullable()
    .default(null),
})

/** What a requirement may hold: how long a passport must still be valid. */
export const RequirementValue = z.object({ months: z.number().int().positive().optional() })

/** What a rule may hold: `days` and `hours` of pdos.duration, `years` of pdos.validity. */
export const RuleValue = z.object({
  days: z.number().positive().optional(),
  hours: z.number().positive().optional(),
  years: z.number().positive().optional(),
})
