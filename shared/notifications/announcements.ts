import * as z from 'zod'
import { ById, instant } from '#shared/common-schemas.ts'
import { endpoint } from '#shared/contract.ts'
import { CHANNELS, KINDS, MESSAGE_CHANNELS, PRIORITIES } from '#shared/delivery/kinds.ts'
import { LANGUAGES } from '#shared/language.ts'
import { ROLES } from '#shared/roles.ts'
import { sortBy, TABLE_ANSWER, TABLE_QUERY } from '#shared/table.ts'
import { text } from '#shared/text.ts'

export const ANNOUNCEMENT_STATUSES = ['draft', 'for_approval', 'waiting', 'sent', 'cancelled'] as const
export type AnnouncementStatus = (typeof ANNOUNCEMENT_STATUSES)[number]

/** Channels of an announcement; browser notifications accompany the in-app one. */
export const ANNOUNCEMENT_CHANNELS = ['in-app', 'email', 'sms', 'push', 'whatsapp'] as const
export const MAX_NAMED = 5_000
export const TITLE_LENGTH = 200
export const MESSAGE_LENGTH = 5_000
export const UNREACHED_PER_PAGE = 50

const Audience = z.strictObject({
  roles: z.array(z.enum(ROLES)).max(ROLES.length).default([]),
  countries: z
    .array(z.string().regex(/^[A-Z]{2}$/, 'Choose a country'))
    .max(300)
    .default([])
    .describe('Where a person says to be, or one of the countries followed'),
  chapters: z.array(z.uuid()).max(500).default([]),
  people: z
    .array(text(320).min(1))
    .max(MAX_NAMED, `Name at most ${MAX_NAMED} people.`)
    .default([])
    .describe('Email addresses, hub ids or ids of accounts'),
})

const LocalizedText = z.strictObject({
  title: text(TITLE_LENGTH).default('').describe('Empty in one language: the words of the other are sent'),
  message: text(MESSAGE_LENGTH).default(''),
})

/** An announcement as composed. Each list that is not empty narrows the audience. */
export const AnnouncementBody = z.strictObject({
  audience: Audience,
  channels: z.array(z.enum(ANNOUNCEMENT_CHANNELS)).max(ANNOUNCEMENT_CHANNELS.length).default([]),
  priority: z.enum(PRIORITIES).default('medium'),
  texts: z.strictObject({ en: LocalizedText, ar: LocalizedText }),
  action_url: text(500).default('').describe('Path inside the portal that it leads to'),
  scheduled_for: text(30).default('').describe('Day and time in the zone of the portal, as 2026-11-21T16:30'),
  is_sketch: z.boolean().default(false).describe('Saved as it is, though something is missing'),
})
export type AnnouncementBody = z.output<typeof AnnouncementBody>

const Row = z.object({
  id: z.uuid(),
  kind: z.enum(KINDS),
  status: z.enum(ANNOUNCEMENT_STATUSES),
  priority: z.enum(PRIORITIES),
  title: z.string().describe('In English where there is an English one'),
  titles: z.record(z.enum(LANGUAGES), z.string()).describe('As each reader hears it'),
  people: z.int().nullable().describe('People it was told to; null until then'),
  failed: z.int().describe('Messages of it that did not arrive'),
  scheduled_for: instant.nullable(),
  created_at: instant,
  told_at: instant.nullable(),
  created_by_name: z.string().nullable(),
})
export type AnnouncementRow = z.infer<typeof Row>

export const AnnouncementQuery = z.strictObject({
  ...TABLE_QUERY,
  sort: sortBy(['created_at', 'priority', 'status', 'people'], '-created_at'),
  kind: z.enum(KINDS).optional(),
  status: z.enum(ANNOUNCEMENT_STATUSES).optional(),
  priority: z.enum(PRIORITIES).optional(),
})

export const listAnnouncements = endpoint({
  method: 'GET',
  path: '/admin-operations/announcements',
  access: 'composeAnnouncements',
  summary: 'What was told to many, is planned or waits for approval; the latest first. Of coordinators their own',
  query: AnnouncementQuery,
  response: z.object({ announcements: z.array(Row), ...TABLE_ANSWER }),
})

const Recipient = z.object({ id: z.uuid(), display_name: z.string(), email: z.string() })
export type Recipient = z.infer<typeof Recipient>

export const listAudienceChoices = endpoint({
  method: 'GET',
  path: '/admin-operations/announcements/choices',
  access: 'composeAnnouncements',
  summary: 'Whom the caller may tell: roles, countries (null: all) and chapters, and whether one person is among them',
  query: z.strictObject({ to: z.uuid('The id of a user is a UUID').optional() }),
  response: z.object({
    roles: z.array(z.enum(ROLES)),
    countries: z.array(z.string()).nullable(),
    chapters: z.array(z.object({ id: z.uuid(), chapter_name: z.string(), country_code: z.string().nullable() })),
    recipient: Recipient.nullable().describe(
      'The person `to`; null where an announcement of the caller would not reach her',
    ),
  }),
})

const ChannelStats = z.object({
  channel: z.enum(CHANNELS),
  waiting: z.int().describe('Pending or on the way'),
  deferred: z.int().describe('Waits for a digest'),
  sent: z.int().describe('Handed over; whether it arrived is not known'),
  delivered: z.int(),
  failed: z.int(),
  dropped: z.int().describe('No longer true or wanted when its time came, or cancelled'),
  recorded: z.int().describe('Written down instead of sent, where nothing is configured'),
})
export type ChannelStats = z.infer<typeof ChannelStats>

const AnnouncementDetail = Row.extend({
  audience: z
    .object({
      roles: z.array(z.enum(ROLES)),
      countries: z.array(z.string()),
      chapters: z.array(z.object({ id: z.uuid(), name: z.string() })),
      people: z
        .array(z.object({ id: z.uuid(), name: z.string(), email: z.string() }))
        .describe('Of a draft all of them, else fifty at most'),
      people_count: z.int(),
      within: z
        .object({
          everywhere: z.boolean(),
          countries: z.array(z.string()),
          chapters: z.array(z.object({ id: z.uuid(), name: z.string() })),
        })
        .nullable()
        .describe("Of a coordinator's announcement: only travelers and members of these places hear it"),
    })
    .nullable()
    .describe('Null: those who subscribed'),
  channels: z.array(z.enum(CHANNELS)).nullable(),
  texts: z
    .record(z.enum(LANGUAGES), z.object({ title: z.string(), message: z.string() }))
    .describe('Empty where the words of the other language are sent'),
  action_url: z.string().nullable(),
  advisory_id: z.uuid().nullable(),
  scheduled_local: z.string().describe('In the zone of the portal, as it is written in a form'),
  updated_at: instant.describe('Goes with a change as `made_from`'),
  is_mine: z.boolean(),
  approved_by_name: z.string().nullable(),
  approved_at: instant.nullable(),
  declined_by_name: z.string().nullable(),
  declined_at: instant.nullable(),
  decline_reason: z.string().nullable(),
  figures: z.array(ChannelStats),
  reasons: z
    .array(z.object({ channel: z.enum(MESSAGE_CHANNELS), error: z.string(), count: z.int() }))
    .describe('Why messages failed, the most frequent first'),
})
export type AnnouncementDetail = z.infer<typeof AnnouncementDetail>
const MadeFrom = z.strictObject({ made_from: z.string().optional() })

export const getAnnouncement = endpoint({
  method: 'GET',
  path: '/admin-operations/announcements/{id}',
  access: 'composeAnnouncements',
  summary: 'One of them with what became of it by each way',
  params: ById,
  response: AnnouncementDetail,
})

const Preview = z.object({
  language: z.enum(LANGUAGES),
  is_borrowed: z.boolean().describe('Nothing was written in this language: it is told in the other'),
  mail: z.object({ subject: z.string(), html: z.string(), text: z.string() }),
  sms: z.object({ text: z.string(), segments: z.int(), encoding: z.string(), is_cut: z.boolean() }),
  short: z.object({ title: z.string(), body: z.string() }).describe('In the bell and as a push message'),
})

const ReachEstimate = z.object({
  chosen: z.int().describe('People in the audience'),
  people: z.int().describe('Those of them who are told by one way at least'),
  needs_approval: z.boolean(),
  approval_above: z.int(),
  channels: z.array(z.object({ channel: z.enum(CHANNELS), people: z.int(), en: z.int(), ar: z.int() })),
  sms_segments: z.int(),
  sms_cost: z.string().nullable().describe('Estimated; null where the price of a segment is not set'),
  unreached: z.object({
    ...TABLE_ANSWER,
    people: z.array(z.object({ id: z.uuid(), name: z.string(), email: z.string() })),
  }),
  previews: z.array(Preview),
})
export type ReachEstimate = z.infer<typeof ReachEstimate>

export const getReachEstimate = endpoint({
  method: 'GET',
  path: '/admin-operations/announcements/{id}/outlook',
  access: 'composeAnnouncements',
  summary: 'How an announcement will read by each way, whom it reaches, whom not, and what its text messages cost',
  params: ById,
  query: z.strictObject({ page: z.coerce.number().int().min(1).max(10_000).default(1) }),
  response: ReachEstimate,
})

const Made = z.object({ id: z.uuid(), status: z.enum(ANNOUNCEMENT_STATUSES) })

export const createAnnouncement = endpoint({
  method: 'POST',
  path: '/admin-operations/announcements',
  access: 'composeAnnouncements',
  summary:
    'Writes an announcement; it is a draft until it is sent. One of a coordinator is told within the own places only',
  body: AnnouncementBody,
  response: Made,
  status: 201,
})

export const updateAnnouncement = endpoint({
  method: 'PUT',
  path: '/admin-operations/announcements/{id}',
  access: 'composeAnnouncements',
  summary: 'Changes a draft',
  params: ById,
  body: AnnouncementBody.extend({ made_from: z.string().optional() }),
  response: Made,
})

export const deleteAnnouncement = endpoint({
  method: 'DELETE',
  path: '/admin-operations/announcements/{id}',
  access: 'composeAnnouncements',
  summary: 'Throws a draft away',
  params: ById,
  response: z.object({}),
})

export const sendAnnouncement = endpoint({
  method: 'POST',
  path: '/admin-operations/announcements/{id}/send',
  access: 'composeAnnouncements',
  summary: 'Tells an announcement now or at its time; one for very many waits for another administrator',
  params: ById,
  body: MadeFrom,
  response: Made,
})

export const approveAnnouncement = endpoint({
  method: 'POST',
  path: '/admin-operations/announcements/{id}/approve',
  access: 'manageNotifications',
  summary: 'Lets an announcement go out that another administrator wrote',
  params: ById,
  body: MadeFrom,
  response: Made,
})

export const declineAnnouncement = endpoint({
  method: 'POST',
  path: '/admin-operations/announcements/{id}/decline',
  access: 'manageNotifications',
  summary: 'Gives an announcement back to the administrator who wrote it',
  params: ById,
  body: MadeFrom.extend({ reason: text(500).min(1, 'Say why') }),
  response: Made,
})

export const cancelAnnouncement = endpoint({
  method: 'POST',
  path: '/admin-operations/announcements/{id}/cancel',
  access: 'composeAnnouncements',
  summary: 'Cancels what was not told yet',
  params: ById,
  response: Made,
})

export const testAnnouncement = endpoint({
  method: 'POST',
  path: '/admin-operations/announcements/{id}/test',
  access: 'composeAnnouncements',
  summary: 'Sends an announcement to whoever asks, by each of its ways that reaches them',
  params: ById,
  response: z.object({ channels: z.array(z.enum(CHANNELS)) }),
})

export const retryAnnouncement = endpoint({
  method: 'POST',
  path: '/admin-operations/announcements/{id}/retry',
  access: 'composeAnnouncements',
  summary: 'Tries all messages again that failed',
  params: ById,
  response: z.object({ messages: z.int() }),
})
