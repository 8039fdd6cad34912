import * as z from 'zod'
import { endpoint } from '#shared/contract.ts'
import { text } from '#shared/text.ts'
import { PURPOSES } from './intents.ts'

export const FACT_KINDS = ['rule', 'requirement', 'hotline'] as const
export type FactKind = (typeof FACT_KINDS)[number]

/** Purpose of a hotline, in display order. */
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

/** Requirements that may apply when leaving for another country. */
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

/** A statement with its source, the date it was checked and the last day it may be shown without a warning. */
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

/** A fact as stored, including whether it is published. */
export const ManagedFact = Fact.extend({ is_active: z.boolean(), is_expired: z.boolean(), updated_at: z.string() })
export type ManagedFact = z.infer<typeof ManagedFact>

const day = z.iso.date('Enter a valid date')
const id = text(120).regex(/^[a-zA-Z0-9_.-]{3,120}$/, 'Use letters, digits, dots, dashes and underscores only')

/** Form input of a fact; a hotline's number is `value.phone` and its name is `value.name`. */
export const FactInput = z.strictObject({
  kind: z.enum(FACT_KINDS, 'Choose from the list'),
  country_code: z
    .string()
    .regex(/^[A-Z]{2}$/, 'Choose a country')
    .nullable(),
  code: text(60).regex(/^[a-z_.]{2,60}$/, 'Choose from the list'),
  purpose: z.enum(PURPOSES, 'Choose from the list').nullable(),
  value: z.record(z.string().max(40), z.union([z.string().max(500), z.number(), z.boolean()])),
  source_title: text(300).min(1, 'This field is required'),
  source_url: text(1000).regex(/^(https:\/\/|\/)\S+$/, 'Enter a web address that starts with https://'),
  checked_on: day,
  valid_until: day,
  position: z.number().int().min(0).max(10_000).default(0),
  is_active: z.boolean().default(true),
})
export type FactInput = z.infer<typeof FactInput>

export const listFacts = endpoint({
  method: 'GET',
  path: '/admin/assistant/facts',
  access: 'manageAssistant',
  summary: 'Facts used by the assistant; those due for confirmation come first',
  query: z.strictObject({
    search: text(200).optional(),
    kind: z.enum(FACT_KINDS).optional(),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .optional(),
    status: z.enum(['expired', 'due', 'inactive']).optional().describe('due: to be confirmed within 30 days'),
    page: z.coerce.number().int().min(1).default(1),
  }),
  response: z.object({
    facts: z.array(ManagedFact),
    total: z.number().int(),
    page: z.number().int(),
    per_page: z.number().int(),
  }),
})

export const readFact = endpoint({
  method: 'GET',
  path: '/admin/assistant/facts/{id}',
  access: 'manageAssistant',
  summary: 'One fact',
  params: z.strictObject({ id }),
  response: z.object({ fact: ManagedFact }),
})

export const saveFact = endpoint({
  method: 'PUT',
  path: '/admin/assistant/facts/{id}',
  access: 'manageAssistant',
  summary: 'Creates or replaces the fact with this id; rejected if it changed since it was read',
  params: z.strictObject({ id }),
  body: FactInput.extend({ updated_at: z.string().nullable().describe('As last read; null for a new fact') }),
  response: z.object({ fact: ManagedFact }),
})

export const confirmFact = endpoint({
  method: 'POST',
  path: '/admin/assistant/facts/{id}/confirm',
  access: 'manageAssistant',
  summary: 'Confirms that a fact was checked today, and extends its validity by the same period',
  params: z.strictObject({ id }),
  response: z.object({ fact: ManagedFact }),
})

export const deleteFact = endpoint({
  method: 'DELETE',
  path: '/admin/assistant/facts/{id}',
  access: 'manageAssistant',
  summary: 'Deletes a fact',
  params: z.strictObject({ id }),
  response: z.object({}),
})
