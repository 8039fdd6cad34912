import * as z from 'zod'
import { HOTLINE_CODES } from '#shared/assistant/facts.ts'
import { endpoint } from '#shared/contract.ts'
import { text } from '#shared/text.ts'

/** Situations, in page order. */
export const SITUATIONS = ['hurt', 'ill', 'arrested', 'passport', 'disaster', 'alone'] as const
export type Situation = (typeof SITUATIONS)[number]

const day = z.string().describe('YYYY-MM-DD')

export const EmergencyNumber = z.object({
  record: z.string().describe('The fact behind it, such as fact:hotline.QA.emergency'),
  code: z.enum(HOTLINE_CODES),
  country_code: z.string().nullable().describe('Null: can be reached from any country'),
  phone: z.string(),
  name: z.string().nullable().describe('Name of the organisation in its own language'),
  hours: z.string().nullable(),
  nationality: z
    .string()
    .nullable()
    .describe('For a mission: nationality of the passport holders it helps; null if not recorded'),
  checked_on: day,
  is_expired: z.boolean().describe('Confirmed too long ago: marked as such, and never shown first'),
  source_title: z.string(),
  source_url: z.string(),
})
export type EmergencyNumber = z.infer<typeof EmergencyNumber>

/** One step, with the official page it comes from. */
export const Instruction = z.object({
  text: z.object({ en: z.string(), ar: z.string() }),
  source: z.object({
    name: z.string(),
    mark: z.object({ en: z.string(), ar: z.string() }).describe('Short text for the mark after the step'),
    url: z.string(),
    checked_on: day,
  }),
})
export type Instruction = z.infer<typeof Instruction>

export const SituationHelp = z.object({
  situation: z.enum(SITUATIONS),
  steps: z.array(Instruction).max(4),
  number: EmergencyNumber.nullable().describe('Confirmed; null if none is known'),
  older: z.array(EmergencyNumber).describe('Not re-checked'),
})
export type SituationHelp = z.infer<typeof SituationHelp>

export const MinistryLine = z.object({
  phone: z.string(),
  languages: z.string().describe('As written by the administrators; empty if not given'),
  from: z.string().describe('HH:MM in `time_zone`; same as `until`: at any time'),
  until: z.string(),
  time_zone: z.string(),
})
export type MinistryLine = z.infer<typeof MinistryLine>

export const Emergency = z.object({
  country: z.string().nullable(),
  first: EmergencyNumber.nullable().describe(
    'Number to call first: emergency or police, confirmed; null if none is known',
  ),
  services: z.array(EmergencyNumber).describe('Confirmed numbers of individual services'),
  local_older: z.array(EmergencyNumber).describe('Not re-checked'),
  missions: z.array(EmergencyNumber).describe('Confirmed embassies, consulates and labour offices'),
  missions_older: z.array(EmergencyNumber).describe('Not re-checked'),
  line: MinistryLine.nullable().describe('Null: the ministry has no hotline'),
  situations: z.array(SituationHelp),
  more: z.array(EmergencyNumber).describe('Confirmed, and not in any other list'),
  pages: z
    .object({ local: z.string(), mission: z.string() })
    .describe('Official pages to consult if no number is confirmed'),
})
export type Emergency = z.infer<typeof Emergency>

export const getEmergency = endpoint({
  method: 'GET',
  path: '/public/emergency',
  access: 'anyone',
  summary: 'Who to call and what to do in an emergency, in one country or while the country is unknown',
  query: z.strictObject({
    country: z
      .string()
      .regex(/^[A-Za-z]{2}$/, 'Give the two-letter ISO code.')
      .optional(),
    zone: text(60).optional().describe('IANA time zone of the device, if nothing better is known'),
  }),
  response: Emergency,
})

export const CountryNumber = z.object({
  code: z.string(),
  number: EmergencyNumber.pick({ phone: true, code: true }).nullable().describe('Confirmed; null if none is known'),
})
export type CountryNumber = z.infer<typeof CountryNumber>

export const listEmergencyNumbers = endpoint({
  method: 'GET',
  path: '/public/emergency/countries',
  access: 'anyone',
  summary: 'All countries with their confirmed emergency number, or those that match a text',
  query: z.strictObject({ search: text(100).optional() }),
  response: z.object({
    countries: z.array(CountryNumber),
    exact: z.string().nullable().describe('The one country that the text names, without guessing'),
  }),
})

export const findFirstNumber = endpoint({
  method: 'GET',
  path: '/public/emergency/first',
  access: 'anyone',
  summary: 'The confirmed number to call first in the country of a time zone; nulls if unknown',
  query: z.strictObject({ zone: text(60) }),
  response: z.object({ country: z.string().nullable(), number: CountryNumber.shape.number }),
})

export const PLACE_SOURCES = ['roll_call', 'profile'] as const

export const getOwnPlace = endpoint({
  method: 'GET',
  path: '/account/place',
  access: 'signedIn',
  summary: 'The country the caller is most likely in: from an open roll call, otherwise from the profile',
  response: z.object({
    country_code: z.string().nullable(),
    source: z.enum(PLACE_SOURCES).nullable(),
  }),
})
