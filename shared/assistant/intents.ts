import * as z from 'zod'

/** Topic of a question (000 §5, CHAT-INTENT-02). */
export const INTENTS = [
  'locale_inquiry',
  'contact_inquiry',
  'schedule_inquiry',
  'travel_inquiry',
  'pdos_registration',
  'document_inquiry',
  'status_check',
  'emergency_support',
  'general_inquiry',
] as const
export type Intent = (typeof INTENTS)[number]

export const SERVICE_TYPES = ['prayer_meeting', 'worship_service', 'thanksgiving'] as const
export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
export const CONTACT_TYPES = ['phone', 'email', 'address'] as const
export const CONTACT_ROLES = ['local_servant', 'coordinator', 'worker'] as const
export const PURPOSES = ['work', 'study', 'visit'] as const
export const DOCUMENT_TYPES = ['passport', 'visa', 'contract', 'certificate', 'medical'] as const
export const EMERGENCY_TYPES = ['document', 'medical', 'travel', 'safety'] as const
/** Services whose number or address users ask for; also hotline codes. */
export const EMERGENCY_SERVICES = ['police', 'ambulance', 'fire', 'embassy'] as const
export type EmergencyService = (typeof EMERGENCY_SERVICES)[number]

/** Kinds of danger, most urgent first: if several apply, the first leads the answer. */
export const DANGERS = [
  'self_harm',
  'medical',
  'violence',
  'conflict',
  'disaster',
  'missing',
  'trafficking',
  'arrest',
  'withheld_passport',
  'unspecified',
] as const
export type Danger = (typeof DANGERS)[number]

/** Entities named in a question (000 §3, CHAT-INTENT-03). Countries are ISO codes, dates YYYY-MM-DD. */
export const Entities = z.object({
  city: z.string().nullable(),
  country: z.string().length(2).nullable(),
  serviceType: z.enum(SERVICE_TYPES).nullable(),
  dayOfWeek: z.enum(WEEKDAYS).nullable(),
  contactType: z.enum(CONTACT_TYPES).nullable(),
  role: z.enum(CONTACT_ROLES).nullable(),
  destination: z.string().length(2).nullable().describe('Destination country'),
  purpose: z.enum(PURPOSES).nullable(),
  travelDate: z.string().nullable(),
  documentType: z.enum(DOCUMENT_TYPES).nullable(),
  applicationId: z.string().nullable().describe('PDOS-2026-001 or APP-2026-0001'),
  emergencyType: z.enum(EMERGENCY_TYPES).nullable(),
})
export type Entities = z.infer<typeof Entities>

export const NO_ENTITIES: Entities = {
  city: null,
  country: null,
  serviceType: null,
  dayOfWeek: null,
  contactType: null,
  role: null,
  destination: null,
  purpose: null,
  travelDate: null,
  documentType: null,
  applicationId: null,
  emergencyType: null,
}

export const IntentAnalysis = z.object({
  intent: z.enum(INTENTS),
  confidence: z.number().min(0).max(1),
  entities: Entities,
  dangers: z.array(z.enum(DANGERS)),
  possible_danger: z
    .enum(DANGERS)
    .nullable()
    .describe('The question may be about this danger but does not clearly say so'),
})
export type IntentAnalysis = z.infer<typeof IntentAnalysis>
