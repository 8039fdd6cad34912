import * as z from 'zod'

/** Value of a fact of kind hotline. */
export const HotlineValue = z.object({
  phone: z.string().min(1).max(60),
  /** The organisation's own name. */
  name: z.string().max(200).nullable().default(null),
  hours: z.string().max(200).nullable().default(null),
  url: z.string().max(1000).nullable().default(null),
  /** For an embassy or labour office: the nationality it serves. */
  nationality: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .nullable()
    .default(null),
})

/** Value of a requirement: minimum remaining validity of a passport. */
export const RequirementValue = z.object({ months: z.number().int().positive().optional() })

/** Value of a rule: `days` and `hours` of pdos.duration, `years` of pdos.validity. */
export const RuleValue = z.object({
  days: z.number().positive().optional(),
  hours: z.number().positive().optional(),
  years: z.number().positive().optional(),
})
