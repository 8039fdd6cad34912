import * as z from 'zod'
import { ById, instant } from '#shared/common-schemas.ts'
import { endpoint } from '#shared/contract.ts'
import { ReachEstimate } from '#shared/delivery/estimate.ts'
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
    .describe('Countries where users are, or that they follow'),
  chapters: z.array(z.uuid()).max(500).default([]),
  people: z
    .array(text(320).min(1))
    .max(MAX_NAMED, `Choose at most ${MAX_NAMED} people`)
    .default([])
    .describe('Email addresses, hub ids or account ids'),
})

const LocalizedText = z.strictObject({
  title: text(TITLE_LENGTH).default('').describe('If one language is empty, the text of the other is sent'),
  message: text(MESSAGE_LENGTH).default(''),
})

/** An announcement as composed. Each list that is not empty narrows the audience. */
export const AnnouncementBody = z.strictObject({
  audience: Audience,
  channels: z.array(z.enum(ANNOUNCEMENT_CHANNELS)).max(ANNOUNCEMENT_CHANNELS.length).default([]),
  priority: z.enum(PRIORITIES).default('medium'),
  texts: z.strictObject({ en: LocalizedText, ar: LocalizedText, tl: LocalizedText.optional() }),
  action_url: text(500).default('').describe('Path on the portal that it links to'),
  scheduled_for: text(30)
    .default('')
    .describe('Date and time in the time zone of the portal, such as 2026-11-21T16:30'),
  is_sketch: z.boolean().default(false).describe('Saved although it is incomplete'),
})
export type AnnouncementBody = z.output<typeof AnnouncementBody>

const Row = z.object({
  id: z.uuid(),
  kind: z.enum(KINDS),
  status: z.enum(ANNOUNCEMENT_STATUSES),
  priority: z.enum(PRIORITIES),
  title: z.string().describe('In English if available'),
  titles: z.record(z.enum(LANGUAGES), z.string()).describe('As the reader sees it'),
  people: z.int().nullable().describe('Number of recipients; null until it is sent'),
  failed: z.int().describe('Number of failed messages'),
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
  summary: 'Announcements that are sent, scheduled or waiting for approval, newest first; coordinators see their own',
  query: AnnouncementQuery,
  response: z.object({ announcements: z.array(Row), ...TABLE_ANSWER }),
})

const Recipient = z.object({ id: z.uuid(), display_name: z.string(), email: z.string() })
export type Recipient = z.infer<typeof Recipient>

export const listAudienceChoices = endpoint({
  method: 'GET',
  path: '/admin-operations/announcements/choices',
  access: 'composeAnnouncements',
  summary: 'Roles, countries (null: all) and chapters that the caller may write to, and whether one user is among them',
  query: z.strictObject({ to: z.uuid('The id of a user is a UUID').optional() }),
  response: z.object({
    roles: z.array(z.enum(ROLES)),
    countries: z.array(z.string()).nullable(),
    chapters: z.array(z.object({ id: z.uuid(), chapter_name: z.string(), country_code: z.string().nullable() })),
    unsent: z.array(z.enum(MESSAGE_CHANNELS)).describe('Channels without a provider'),
    recipient: Recipient.nullable().describe(
      'The user `to`; null if an announcement of the caller would not reach them',
    ),
  }),
})

const ChannelStats = z.object({
  channel: z.enum(CHANNELS),
  waiting: z.int().describe('Pending or being sent'),
  deferred: z.int().describe('Deferred for a digest'),
  sent: z.int().describe('Sent; delivery is not known'),
  delivered: z.int(),
  failed: z.int(),
  dropped: z.int().describe('Obsolete, unwanted or cancelled'),
  recorded: z.int().describe('Recorded instead of sent, because no provider is configured'),
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
        .describe('All for a draft, otherwise at most fifty'),
      people_count: z.int(),
      within: z
        .object({
          everywhere: z.boolean(),
          countries: z.array(z.string()),
          chapters: z.array(z.object({ id: z.uuid(), name: z.string() })),
        })
        .nullable()
        .describe('For an announcement of a coordinator: only travellers and members in these places receive it'),
    })
    .nullable()
    .describe('Null: subscribers'),
  channels: z.array(z.enum(CHANNELS)).nullable(),
  texts: z
    .record(z.enum(LANGUAGES), z.object({ title: z.string(), message: z.string() }))
    .describe('Empty if the text of the other language is sent'),
  action_url: z.string().nullable(),
  advisory_id: z.uuid().nullable(),
  scheduled_local: z.string().describe('In the time zone of the portal, in form format'),
  updated_at: instant.describe('Send it back as `made_from` with a change'),
  is_mine: z.boolean(),
  approved_by_name: z.string().nullable(),
  approved_at: instant.nullable(),
  declined_by_name: z.string().nullable(),
  declined_at: instant.nullable(),
  decline_reason: z.string().nullable(),
  figures: z.array(ChannelStats),
  reasons: z
    .array(z.object({ channel: z.enum(MESSAGE_CHANNELS), error: z.string(), count: z.int() }))
    .describe('Reasons of failed messages, most frequent first'),
})
export type AnnouncementDetail = z.infer<typeof AnnouncementDetail>
const MadeFrom = z.strictObject({ made_from: z.string().optional() })

export const getAnnouncement = endpoint({
  method: 'GET',
  path: '/admin-operations/announcements/{id}',
  access: 'composeAnnouncements',
  summary: 'One announcement with its delivery per channel',
  params: ById,
  response: AnnouncementDetail,
})

export const getReachEstimate = endpoint({
  method: 'GET',
  path: '/admin-operations/announcements/{id}/outlook',
  access: 'composeAnnouncements',
  summary: 'Preview per channel, with reachable and unreachable recipients and the cost of text messages',
  params: ById,
  query: z.strictObject({ page: z.coerce.number().int().min(1).max(10_000).default(1) }),
  response: ReachEstimate,
})

export const estimateAnnouncement = endpoint({
  method: 'POST',
  path: '/admin-operations/announcements/estimate',
  access: 'composeAnnouncements',
  summary: 'The same for an announcement that is not saved; writes nothing',
  body: AnnouncementBody.pick({ audience: true, channels: true, priority: true, texts: true, action_url: true }).extend(
    {
      id: z.uuid().optional().describe('The draft it would replace'),
    },
  ),
  response: ReachEstimate,
})

const Made = z.object({ id: z.uuid(), status: z.enum(ANNOUNCEMENT_STATUSES) })

export const createAnnouncement = endpoint({
  method: 'POST',
  path: '/admin-operations/announcements',
  access: 'composeAnnouncements',
  summary: 'Creates a draft; a coordinator can only write to users in their scope',
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
  summary: 'Deletes a draft',
  params: ById,
  response: z.object({}),
})

export const sendAnnouncement = endpoint({
  method: 'POST',
  path: '/admin-operations/announcements/{id}/send',
  access: 'composeAnnouncements',
  summary: 'Sends an announcement now or at its time; a very large one needs a second approval',
  params: ById,
  body: MadeFrom.extend({
    people: z.int().min(0).optional().describe('Confirmed number of recipients: 409 if it has changed'),
  }),
  response: Made,
})

export const approveAnnouncement = endpoint({
  method: 'POST',
  path: '/admin-operations/announcements/{id}/approve',
  access: 'manageNotifications',
  summary: 'Approves an announcement of another administrator',
  params: ById,
  body: MadeFrom,
  response: Made,
})

export const declineAnnouncement = endpoint({
  method: 'POST',
  path: '/admin-operations/announcements/{id}/decline',
  access: 'manageNotifications',
  summary: 'Returns an announcement to the administrator who wrote it',
  params: ById,
  body: MadeFrom.extend({ reason: text(500).min(1, 'Enter a reason') }),
  response: Made,
})

export const cancelAnnouncement = endpoint({
  method: 'POST',
  path: '/admin-operations/announcements/{id}/cancel',
  access: 'composeAnnouncements',
  summary: 'Cancels what has not been sent yet',
  params: ById,
  response: Made,
})

export const testAnnouncement = endpoint({
  method: 'POST',
  path: '/admin-operations/announcements/{id}/test',
  access: 'composeAnnouncements',
  summary: 'Sends a test to the caller on each channel that reaches them',
  params: ById,
  response: z.object({ channels: z.array(z.enum(CHANNELS)) }),
})

export const retryAnnouncement = endpoint({
  method: 'POST',
  path: '/admin-operations/announcements/{id}/retry',
  access: 'composeAnnouncements',
  summary: 'Retries all failed messages',
  params: ById,
  response: z.object({ messages: z.int() }),
})
