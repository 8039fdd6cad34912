import * as z from 'zod'
import { PURPOSES } from './intents.ts'

export const FACT_KINDS = ['rule', 'requirement', 'hotline'] as const
export type FactKind = (typeof FACT_KINDS)[number]

/** What a hotline is for, in the order in which numbers are given. */
export const HOTLINE_CODES = [
  'emergency',
  'police',
  'ambulance',
  'fire',
  'embassy',
  'labour_attache',
  'trafficking',
  'domestic_violence',
  'suicide_prevention',
  'labour_authority',
  'migrant_helpline',
  'home_government',
] as const
export type HotlineCode = (typeof HOTLINE_CODES)[number]

/** What may be asked of somebody who leaves for another country. */
export const REQUIREMENT_CODES = [
  'pdos',
  'passport',
  'visa',
  'work_permit',
  'contract',
  'oec',
  'medical',
  'insurance',
  'admission_letter',
  'proof_of_funds',
  'return_ticket',
  'accommodation',
  'police_clearance',
  'electronic_authorisation',
  'arrival_form',
] as const
export type RequirementCode = (typeof REQUIREMENT_CODES)[number]

/** Rules of the organisation itself. */
export const RULE_CODES = ['pdos.required', 'pdos.duration', 'pdos.validity', 'pdos.register'] as const
export type RuleCode = (typeof RULE_CODES)[number]

/** A statement with its source, the day it was checked and the last day it may be said without a warning. */
export const Fact = z.object({
  id: z.string(),
  kind: z.enum(FACT_KINDS),
  country_code: z.string().nullable(),
  code: z.string(),
  purpose: z.enum(PURPOSES).nullable(),
  value: z.record(z.string(), z.unknown()),
  source_title: z.string(),
  source_url: z.string(),
  checked_on: z.string(),
  valid_until: z.string(),
  position: z.number().int(),
})
export type Fact = z.infer<typeof Fact>
