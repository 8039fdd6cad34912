import * as z from 'zod'
import { ById, instant } from '#shared/common-schemas.ts'
import { endpoint } from '#shared/contract.ts'
import { text } from '#shared/text.ts'
import { DISCREET_MODES } from './discretion.ts'
import { SERVICE_TYPES, ServiceSchedule } from './schedule.ts'
import { CORRECTION_KINDS, MESSAGE_KINDS, ProposedValues } from './visitors.ts'

/** How current the published data is: recently confirmed, due for confirmation, outdated (call first), not public. */
const FRESHNESS = ['fresh', 'due', 'stale', 'unpublished'] as const
export type Freshness = (typeof FRESHNESS)[number]

const day = z.iso.date('Enter a valid date')
const version = z.string().describe('Time of the last change; a save based on an older one is rejected')

export const MyChurch = z.object({
  id: z.uuid(),
  name: z.string(),
  city: z.string().nullable(),
  country_code: z.string().nullable(),
  freshness: z.enum(FRESHNESS),
  confirmed_at: instant.nullable(),
  confirmed_as: z.string().nullable(),
  closed_since: z.string().nullable(),
  closed_until: z.string().nullable(),
  open_corrections: z.int(),
  open_messages: z.int(),
})
export type MyChurch = z.infer<typeof MyChurch>

export const CareFilters = z.strictObject({
  search: text(200).optional(),
  status: z
    .enum(['due', 'closed', 'waiting'])
    .optional()
    .describe('Only those that are unconfirmed, closed or have messages'),
  page: z.coerce.number().int().min(1).max(100_000).default(1),
})

export const CARED_PER_PAGE = 50

export const listMyChurches = endpoint({
  method: 'GET',
  path: '/my-churches',
  access: 'careForLocales',
  summary: 'Locales the caller looks after, longest unconfirmed first',
  query: CareFilters,
  response: z.object({
    locales: z.array(MyChurch),
    total: z.int(),
    page: z.int(),
    per_page: z.int(),
    counts: z.object({ all: z.int(), due: z.int(), closed: z.int(), corrections: z.int(), messages: z.int() }),
  }),
})

export const Correction = z.object({
  id: z.uuid(),
  locale_id: z.uuid(),
  locale_name: z.string(),
  kind: z.enum(CORRECTION_KINDS),
  changes: z
    .array(z.object({ field: z.string(), old: z.string().nullable(), new: z.string().nullable() }))
    .describe('Proposed values beside the current ones'),
  message: z.string(),
  contact: z.string().nullable(),
  language: z.string(),
  created_at: instant,
})
export type Correction = z.infer<typeof Correction>

export const VisitorMessage = z.object({
  id: z.uuid(),
  locale_id: z.uuid(),
  locale_name: z.string(),
  kind: z.enum(MESSAGE_KINDS),
  sender_name: z.string(),
  sender_contact: z.string(),
  arrives_on: z.string().nullable(),
  language: z.string(),
  message: z.string(),
  passed_on_to: z.int().describe('Number of servants it was sent to; 0 if none of the locale can be reached'),
  created_at: instant,
})
export type VisitorMessage = z.infer<typeof VisitorMessage>

const Queue = z.strictObject({ page: z.coerce.number().int().min(1).max(100_000).default(1) })
export const QUEUE_PER_PAGE = 20

export const listCorrections = endpoint({
  method: 'GET',
  path: '/my-churches/corrections',
  access: 'careForLocales',
  summary: 'Proposed corrections waiting for a decision, oldest first',
  query: Queue,
  response: z.object({ corrections: z.array(Correction), total: z.int(), page: z.int() }),
})

export const listVisitorMessages = endpoint({
  method: 'GET',
  path: '/my-churches/messages',
  access: 'careForLocales',
  summary: 'Questions and planned visits waiting for an answer, oldest first',
  query: Queue,
  response: z.object({ messages: z.array(VisitorMessage), total: z.int(), page: z.int() }),
})

export const readMyChurch = endpoint({
  method: 'GET',
  path: '/my-churches/{id}',
  access: 'careForLocales',
  summary: 'One locale for the people who look after it, with messages from visitors',
  params: ById,
  response: z.object({
    locale: MyChurch.extend({
      version,
      discreet_mode: z.enum(DISCREET_MODES).describe('Its own or that of its country'),
      address: z.string().nullable(),
      timezone: z.string().nullable(),
      phone: z.string().nullable(),
      closed_reason: z.string().nullable(),
      schedules: z.array(ServiceSchedule),
    }),
    corrections: z.array(Correction),
    messages: z.array(VisitorMessage),
  }),
})

const Saved = z.object({ version })

export const confirmMyChurch = endpoint({
  method: 'POST',
  path: '/my-churches/{id}/confirm',
  access: 'careForLocales',
  summary: 'Confirms that all details of the locale are right',
  params: ById,
  response: z.object({ confirmed_at: instant }),
})

export const requestConfirmation = endpoint({
  method: 'POST',
  path: '/my-churches/{id}/ask',
  access: 'careForLocales',
  summary: 'Emails the servants of the locale a link to confirm it',
  params: ById,
  response: z.object({ asked: z.int().describe('Number of recipients; 0 if none can be reached by email') }),
})

export const closeMyChurch = endpoint({
  method: 'PUT',
  path: '/my-churches/{id}/closure',
  access: 'careForLocales',
  summary: 'Closes the locale temporarily: it stays listed with the reopening date and without services',
  params: ById,
  body: z.strictObject({
    closed_since: day,
    closed_until: day.nullable().default(null),
    closed_reason: text(300).default(''),
  }),
  response: Saved,
})

export const reopenMyChurch = endpoint({
  method: 'DELETE',
  path: '/my-churches/{id}/closure',
  access: 'careForLocales',
  summary: 'Reopens the locale',
  params: ById,
  response: Saved,
})

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time, such as 18:00')
const address = z.union(
  [z.literal(''), z.url({ protocol: /^https?$/ }).max(500)],
  'Enter a web address that starts with https://',
)

/** One line of the service schedule in a save request. */
export const ScheduleInput = z.strictObject({
  id: z.uuid().nullable().default(null).describe('Id of the service to change; null creates a new one'),
  day_of_week: z.coerce.number().int().min(0).max(6).nullable().default(null),
  recurrence: text(300).nullable().default(null).describe('RFC 5545, instead of a weekday'),
  starts_on: day.nullable().default(null),
  ends_on: day.nullable().default(null),
  time: clock,
  end_time: clock.nullable().default(null),
  service_type: z.enum(SERVICE_TYPES, 'Choose from the list'),
  title: text(120).default(''),
  language: text(35).default(''),
  is_online: z.boolean().default(false),
  online_url: address.default(''),
  note: text(300).default(''),
})
export type ScheduleInput = z.infer<typeof ScheduleInput>
export const MAX_SCHEDULES = 60

export const saveServices = endpoint({
  method: 'PUT',
  path: '/my-churches/{id}/services',
  access: 'careForLocales',
  summary: 'Saves the phone number and all services of a locale; services left out are deleted',
  params: ById,
  body: z.strictObject({
    version,
    phone: text(40).default(''),
    schedules: z.array(ScheduleInput).max(MAX_SCHEDULES),
  }),
  response: Saved,
})

export const applyCorrection = endpoint({
  method: 'POST',
  path: '/my-churches/corrections/{id}/apply',
  access: 'careForLocales',
  summary: "Applies a visitor's correction, or the given fields of it",
  params: ById,
  body: z.strictObject({
    fields: z
      .array(z.enum(Object.keys(ProposedValues.shape) as [keyof ProposedValues]))
      .optional()
      .describe('Fields to apply; all if left out'),
    note: text(500).default(''),
  }),
  response: z.object({ applied: z.array(z.string()) }),
})

export const declineCorrection = endpoint({
  method: 'POST',
  path: '/my-churches/corrections/{id}/decline',
  access: 'careForLocales',
  summary: 'Rejects a proposed correction',
  params: ById,
  body: z.strictObject({ note: text(500).pipe(z.string().min(1, 'Enter a reason')) }),
  response: z.object({ declined: z.literal(true) }),
})

export const markAnswered = endpoint({
  method: 'POST',
  path: '/my-churches/messages/{id}/answered',
  access: 'careForLocales',
  summary: 'Marks a message from a visitor as answered',
  params: ById,
  response: z.object({ answered_at: instant }),
})
