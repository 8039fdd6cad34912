import * as z from 'zod'
import { endpoint } from '#shared/contract.ts'
import { CHANNELS, DIGESTS, KINDS } from '#shared/delivery/kinds.ts'
import { LANGUAGES } from '#shared/language.ts'

/** {"advisory": {"email": false}}: anything not listed is enabled. */
export const Choices = z.partialRecord(z.enum(KINDS), z.partialRecord(z.enum(CHANNELS), z.boolean()))
export type Choices = z.infer<typeof Choices>

export const isWanted = (choices: Choices, kind: (typeof KINDS)[number], channel: (typeof CHANNELS)[number]) =>
  choices[kind]?.[channel] ?? true

const Clock = z
  .string()
  .trim()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time, such as 18:00')

/** Why an address is suppressed. */
export const STOP_REASONS = ['bounced', 'invalid', 'complained', 'opted_out'] as const

const Address = z.object({
  address: z.string(),
  is_confirmed: z.boolean(),
  stopped: z.object({ reason: z.enum(STOP_REASONS), since: z.string() }).nullable(),
  worked_at: z.string().nullable().describe('Time of the last delivery, as far as the push service reports it'),
})
export type AddressHealth = z.infer<typeof Address>

export const Preferences = z.object({
  user_id: z.uuid(),
  channels: Choices,
  sms_opt_out: z.boolean(),
  quiet_from: z.string().nullable().describe('HH:MM in the time zone of the user'),
  quiet_until: z.string().nullable(),
  digest: z.enum(DIGESTS).describe('Frequency of emails about advisories'),
  urgent_bypass: z.boolean().describe('Urgent messages arrive at any time'),
  time_zone: z.string().nullable().describe('From the profile; null if not set'),
  country_zone: z
    .string()
    .nullable()
    .describe("Time zone of the user's country, used if the profile has none; null: that of the portal"),
  preferred_language: z.enum(LANGUAGES),
  email: Address,
  phone: Address.nullable(),
  browsers: z.int().describe('Browsers that receive push notifications'),
})
export type Preferences = z.infer<typeof Preferences>

/** Both spellings, for callers of the earlier portal. Default: the caller. */
const Whose = { user_id: z.uuid().optional(), userId: z.uuid().optional() }

export const getPreferences = endpoint({
  method: 'GET',
  path: '/communication/preferences',
  access: 'signedIn',
  summary: 'Notification preferences of the caller; administrators can query any user',
  query: z.strictObject(Whose),
  response: Preferences,
})

export const changePreferences = endpoint({
  method: 'PUT',
  path: '/communication/preferences',
  access: 'signedIn',
  summary: 'Changes the given preferences of the caller',
  query: z.strictObject(Whose),
  body: z
    .strictObject({
      ...Whose,
      channels: Choices.optional(),
      sms_opt_out: z.boolean().optional(),
      quiet_from: Clock.nullable().optional(),
      quiet_until: Clock.nullable().optional(),
      digest: z.enum(DIGESTS).optional(),
      urgent_bypass: z.boolean().optional(),
    })
    .superRefine(({ quiet_from, quiet_until }, context) => {
      const refuse = (field: string, message: string) =>
        context.addIssue({ code: 'custom', path: [field], message, input: field })
      if (typeof quiet_from === 'string' && typeof quiet_until !== 'string')
        refuse('quiet_until', 'Enter both times or neither')
      else if (typeof quiet_until === 'string' && typeof quiet_from !== 'string')
        refuse('quiet_from', 'Enter both times or neither')
      else if (typeof quiet_from === 'string' && quiet_from === quiet_until)
        refuse('quiet_until', 'The two times must be different')
    }),
  response: Preferences,
})

export const retryAddress = endpoint({
  method: 'POST',
  path: '/communication/addresses',
  access: 'signedIn',
  summary: "Resumes messages to the caller's own address or number",
  body: z.strictObject({ channel: z.enum(['email', 'sms']) }),
  response: Preferences,
})
