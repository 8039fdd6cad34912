import * as z from 'zod'
import { ById, ByToken, instant } from '#shared/common-schemas.ts'
import { endpoint } from '#shared/contract.ts'
import { ReachEstimate } from '#shared/delivery/estimate.ts'
import { CHANNELS } from '#shared/delivery/kinds.ts'
import { LANGUAGES } from '#shared/language.ts'
import { TABLE_ANSWER } from '#shared/table.ts'
import { text } from '#shared/text.ts'
import { ANSWERED_VIA, ANSWERS, REACHED, RECIPIENT_FILTERS } from './answers.ts'

const country = z.string().regex(/^[A-Z]{2}$/, 'Choose from the list')
const RecipientParams = z.strictObject({ id: z.uuid(), person: z.uuid() })

/** Audience of a roll call: people in or bound for these countries, and members of this chapter. */
const Concerned = {
  countries: z.array(country).max(30).default([]),
  chapter: z.uuid().nullable().default(null),
}

export const Counts = z.object({
  asked: z.int(),
  safe: z.int(),
  need_help: z.int().describe('Still need help'),
  waiting: z.int().describe('Of those, not assigned yet'),
  helped: z.int(),
  not_there: z.int(),
  unclear: z.int().describe('Sent a text that a coordinator has to read; not included in other counts'),
  silent: z.int().describe('No answer yet'),
})
export type Counts = z.infer<typeof Counts>

export const RollCall = z.object({
  id: z.uuid(),
  title: z.string(),
  message: z.string(),
  advisory_id: z.uuid().nullable(),
  advisory_title: z.string().nullable(),
  country_codes: z.array(z.string()),
  chapter_id: z.uuid().nullable(),
  chapter_name: z.string().nullable(),
  started_by_name: z.string().nullable(),
  started_at: instant,
  ended_at: instant.nullable(),
  escalate_after_minutes: z.int(),
  reminders: z.int(),
  may_change: z.boolean().describe('Whether the caller may remind and close: all of it is within their scope'),
})
export type RollCall = z.infer<typeof RollCall>

export const ListedRecipient = z.object({
  user_id: z.uuid(),
  name: z.string(),
  phone: z.string().nullable(),
  country_code: z.string().nullable(),
  chapter_id: z.uuid().nullable(),
  chapter_name: z.string().nullable(),
  answer: z.enum(ANSWERS).nullable(),
  answered_at: instant.nullable(),
  answered_via: z.enum(ANSWERED_VIA).nullable(),
  note: z.string().nullable(),
  helper_id: z.uuid().nullable(),
  helper_name: z.string().nullable().describe('User who was asked to help, or who handles it'),
  helper_since: instant.nullable(),
  taken_at: instant.nullable(),
  escalations: z.int(),
  helped_at: instant.nullable(),
  help_note: z.string().nullable(),
  reached: z.enum(REACHED),
  unclear_at: instant
    .nullable()
    .describe('Time of an unclear text, still to be reviewed; takes precedence over "safe"'),
  opted_out_at: instant.nullable().describe('When the user texted STOP during this roll call'),
  texts: z
    .array(
      z.object({
        body: z.string().describe('Verbatim'),
        channel: z.enum(['sms', 'whatsapp']),
        media_count: z.int(),
        received_at: instant,
      }),
    )
    .describe('Texts from the user, latest last'),
})
export type ListedRecipient = z.infer<typeof ListedRecipient>

export const listRollCalls = endpoint({
  method: 'GET',
  path: '/roll-calls',
  access: 'rollCalls',
  summary: "Roll calls within the caller's scope, open ones first, counted within that scope",
  query: z.strictObject({ page: z.coerce.number().int().min(1).max(1_000).default(1) }),
  response: z.object({ roll_calls: z.array(RollCall.extend({ counts: Counts })), ...TABLE_ANSWER }),
})
export const ROLL_CALLS_PER_PAGE = 30

export const countConcerned = endpoint({
  method: 'POST',
  path: '/roll-calls/count',
  access: 'rollCalls',
  summary: 'How many people a roll call would ask, and how many each channel reaches',
  body: z.strictObject(Concerned),
  response: z.object({
    people: z.int(),
    unreachable: z.int().describe('People no channel reaches'),
    channels: z.array(z.object({ channel: z.enum(CHANNELS), people: z.int() })),
  }),
})

const Question = {
  title: text(200),
  message: text(1000).default(''),
}

export const estimateRollCall = endpoint({
  method: 'POST',
  path: '/roll-calls/estimate',
  access: 'rollCalls',
  summary: 'Whom a roll call would ask, on which channels, and how they read it; writes nothing',
  body: z.strictObject({ ...Concerned, ...Question, title: Question.title.default('') }),
  response: ReachEstimate,
})

export const listCallable = endpoint({
  method: 'GET',
  path: '/roll-calls/choices',
  access: 'rollCalls',
  summary: 'Countries and chapters that the caller may ask',
  response: z.object({
    countries: z.array(z.string()).nullable().describe('Null: every country'),
    chapters: z.array(z.object({ id: z.uuid(), chapter_name: z.string(), country_code: z.string().nullable() })),
  }),
})

export const startRollCall = endpoint({
  method: 'POST',
  path: '/roll-calls',
  access: 'rollCalls',
  summary: 'Asks everyone concerned whether they are safe, immediately and on every channel',
  body: z.strictObject({
    ...Concerned,
    ...Question,
    title: Question.title.pipe(z.string().min(1, 'This field is required')),
    advisory_id: z.uuid().nullable().default(null),
    escalate_after_minutes: z.coerce
      .number('Enter a whole number')
      .int('Enter a whole number')
      .min(1, 'Enter a number from 1 to 1440')
      .max(1440, 'Enter a number from 1 to 1440')
      .default(15),
    people: z
      .int()
      .nullable()
      .default(null)
      .describe('Confirmed number of people: 409 if it is missing or has changed'),
    once: z.uuid().optional().describe('Idempotency key: a repeated request starts only one roll call'),
  }),
  response: z.object({ id: z.uuid(), people: z.int() }),
  status: 201,
})

export const RECIPIENTS_PER_PAGE = 100
const GROUPED_BY = ['chapter', 'country'] as const

export const RecipientQuery = z.strictObject({
  part: z.enum(RECIPIENT_FILTERS).optional(),
  group: z.enum(GROUPED_BY).optional().describe('Sorts and counts by it'),
  search: z.string().trim().max(200).default(''),
  page: z.coerce.number().int().min(1).max(10_000).default(1),
})

export const getRollCall = endpoint({
  method: 'GET',
  path: '/roll-calls/{id}',
  access: 'rollCalls',
  summary: 'One roll call with counts and people: unassigned calls for help first, then people without an answer',
  params: ById,
  query: RecipientQuery,
  response: z.object({
    roll_call: RollCall,
    counts: Counts.extend({ unreached: z.int().describe('No answer, and no message reached them') }),
    groups: z
      .array(z.object({ key: z.string().nullable(), name: z.string().nullable(), counts: Counts }))
      .describe('By chapter or country; those with unassigned calls for help first'),
    people: z.array(ListedRecipient),
    ...TABLE_ANSWER,
  }),
})

export const exportRollCall = endpoint({
  method: 'GET',
  path: '/roll-calls/{id}/people.csv',
  access: 'rollCalls',
  summary: 'The people of a roll call as CSV',
  params: ById,
  response: z.string(),
})

export const remindRollCall = endpoint({
  method: 'POST',
  path: '/roll-calls/{id}/remind',
  access: 'rollCalls',
  summary: 'Sends a reminder to everyone who has not answered',
  params: ById,
  response: z.object({ people: z.int() }),
})

export const closeRollCall = endpoint({
  method: 'POST',
  path: '/roll-calls/{id}/close',
  access: 'rollCalls',
  summary: 'Ends a roll call: no more answers; open calls for help remain open',
  params: ById,
  response: z.object({ ended_at: instant }),
})

export const writeAnswer = endpoint({
  method: 'PUT',
  path: '/roll-calls/{id}/people/{person}/answer',
  access: 'rollCalls',
  summary: 'Records the answer of someone reached by phone',
  params: RecipientParams,
  body: z.strictObject({
    answer: z.enum(ANSWERS, 'Choose from the list'),
    note: text(500).pipe(z.string().min(1, 'Enter how you know this')),
  }),
  response: z.object({ answered: z.literal(true) }),
})

export const takeCare = endpoint({
  method: 'POST',
  path: '/roll-calls/{id}/people/{person}/take',
  access: 'rollCalls',
  summary: 'Accepts a call for help; the first to accept handles it',
  params: RecipientParams,
  response: z.object({ helper_name: z.string(), is_mine: z.boolean() }),
})

export const closeHelp = endpoint({
  method: 'POST',
  path: '/roll-calls/{id}/people/{person}/helped',
  access: 'rollCalls',
  summary: 'Records that someone was helped, and how',
  params: RecipientParams,
  body: z.strictObject({ note: text(500).pipe(z.string().min(1, 'Enter what was done')) }),
  response: z.object({ helped_at: instant }),
})

/** A roll call as its recipient sees it. */
export const OwnRollCall = z.object({
  id: z.uuid(),
  title: z.string(),
  message: z.string(),
  country_code: z.string().nullable().describe('Country it asks about, if there is only one'),
  started_at: instant,
  is_open: z.boolean(),
  answer: z.enum(ANSWERS).nullable(),
  answered_at: instant.nullable(),
  note: z.string(),
  phone: z.string().describe('Contact for people who need help'),
  helper: z.object({ name: z.string(), since: instant, taken_at: instant.nullable() }).nullable(),
  helped_at: instant.nullable(),
  chapter: z
    .object({ name: z.string(), contact: z.string().nullable(), phone: z.string().nullable() })
    .nullable()
    .describe('Phone number of the user'),
})
export type OwnRollCall = z.infer<typeof OwnRollCall>

export const AnswerBody = z.strictObject({
  answer: z.enum(ANSWERS, 'Choose from the list'),
  note: text(500).optional(),
  phone: text(40).optional(),
})
export type AnswerBody = z.infer<typeof AnswerBody>

export const listOwnRollCalls = endpoint({
  method: 'GET',
  path: '/account/roll-calls',
  access: 'signedIn',
  summary: 'Open roll calls that ask the caller, newest first',
  response: z.object({ roll_calls: z.array(OwnRollCall) }),
})

export const getOwnRollCall = endpoint({
  method: 'GET',
  path: '/account/roll-calls/{id}',
  access: 'signedIn',
  summary: 'One roll call that asked the caller, with their answer and helper',
  params: ById,
  response: OwnRollCall,
})

export const answerOwnRollCall = endpoint({
  method: 'PUT',
  path: '/account/roll-calls/{id}/answer',
  access: 'signedIn',
  summary: 'Answers a roll call; the answer can be changed while it is open',
  params: ById,
  body: AnswerBody,
  response: OwnRollCall,
})

export const getAnswer = endpoint({
  method: 'GET',
  path: '/roll-call-answers/{token}',
  access: 'anyone',
  summary: 'The roll call behind a signed link. Reading it never answers, because programs open links too',
  params: ByToken,
  response: z.object({ language: z.enum(LANGUAGES), roll_call: OwnRollCall }),
})

export const answerByLink = endpoint({
  method: 'POST',
  path: '/roll-call-answers/{token}',
  access: 'anyone',
  summary: 'Answers a roll call with its signed link, without signing in',
  params: ByToken,
  body: AnswerBody,
  response: z.object({ language: z.enum(LANGUAGES), roll_call: OwnRollCall }),
})
