import * as z from 'zod'
import { SEVERITIES } from '#shared/advisories/severity.ts'
import { AuditEntry } from '#shared/audit/endpoints.ts'
import { ById } from '#shared/common-schemas.ts'
import { endpoint } from '#shared/contract.ts'
import { DayOfMessages } from '#shared/delivery/endpoints.ts'
import { ROLES } from '#shared/roles.ts'
import { FoundRecords } from './record-search.ts'

export const MAX_FOUND_USERS = 8

export const AdminFrame = z.object({
  new_accounts: z.int().describe('Accounts that are not verified yet; for coordinators, those in their countries'),
  failed_messages: z.int().describe('Failed messages; 0 without permission to see them'),
  notices_to_approve: z.int().describe('Announcements of other administrators that need a second approval'),
  open_cases: z.int().describe("Unassigned cases of the assistant in the user's scope"),
  church_care: z.int().describe("Pending messages and corrections of the user's churches"),
  has_scope: z.boolean().describe('False: the role has a scope without countries and chapters, so it sees nobody'),
  single_key_shortcuts: z.boolean().describe('Whether the / key opens the search'),
})
export type AdminFrame = z.infer<typeof AdminFrame>

export const getAdminFrame = endpoint({
  method: 'GET',
  path: '/admin-operations/frame',
  access: 'searchAdmin',
  summary: 'Counts for the menu of the admin area',
  response: AdminFrame,
})

export const FoundUser = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
})
export type FoundUser = z.infer<typeof FoundUser>

export const searchAdmin = endpoint({
  method: 'GET',
  path: '/admin-operations/search',
  access: 'searchAdmin',
  summary: 'Users and records that contain a text, by kind; only those the caller may see',
  query: z.strictObject({ search: z.string().trim().min(2).max(200) }),
  response: z.object({
    people: z.array(FoundUser).describe(`At most ${MAX_FOUND_USERS}`),
    total_users: z.int(),
    groups: z.array(FoundRecords).describe('Other records, without the kinds that have none'),
  }),
})

const Waiting = z.object({
  count: z.int(),
  oldest_at: z.string().nullable().describe('When the oldest one arrived'),
})

/** Open items of the churches the user looks after. */
export const ChurchCare = z.object({
  due: z.int().describe('Locales that need confirmation'),
  messages: Waiting.describe('Unanswered messages from visitors'),
  corrections: Waiting.describe('Proposed corrections waiting for a decision'),
})
export type ChurchCare = z.infer<typeof ChurchCare>

export const RECENT_ACTIVITY = 8

export const getOverview = endpoint({
  method: 'GET',
  path: '/admin-operations/overview',
  access: 'overview',
  summary: 'Counts of open work for an administrator, and the latest actions',
  response: z.object({
    new_accounts: Waiting,
    failed_messages: Waiting.extend({ email: z.int(), sms: z.int() }),
    open_cases: z.int().describe('Cases of the assistant that nobody has taken'),
    unresolved_names: z.int().describe('Country names from sources that match no country'),
    church_care: ChurchCare,
    deliveries: z.array(DayOfMessages).describe('Of the last seven days, today last'),
    activity: z.array(AuditEntry),
  }),
})

export const MAX_PLACES = 20

/** A country of a coordinator, as it is now. */
export const CoordinatedPlace = z.object({
  country_code: z.string(),
  severity: z.enum(SEVERITIES).nullable().describe('Highest level in force; null: no advisory in force'),
  advisory_id: z.uuid().nullable().describe('Most urgent advisory in force'),
  is_affected: z.boolean().describe('People there may be asked whether they are safe'),
  users: z.int().describe('Accounts of people who live there or travel there'),
  time_zone: z.string().nullable().describe('Null where the country has several times at present'),
})
export type CoordinatedPlace = z.infer<typeof CoordinatedPlace>

export const getCoordination = endpoint({
  method: 'GET',
  path: '/admin-operations/coordinator',
  access: 'coordinate',
  summary: 'The countries of a coordinator, and the counts of their open work',
  response: z.object({
    countries: z.array(z.string()).nullable().describe('ISO codes; null: not limited to countries'),
    chapters: z.array(z.string()).nullable().describe('Names of the additional chapters; null if none'),
    new_accounts: Waiting,
    church_care: ChurchCare,
    places: z
      .array(CoordinatedPlace)
      .describe('Countries of the scope, worst first; with scope everywhere those with urgent advisories'),
    place_count: z.int().describe(`Total number; at most ${MAX_PLACES} are listed`),
  }),
})

/** What a profile should contain before a journey. */
export const PROFILE_FIELDS = ['country_code', 'countries', 'phone_number', 'emergency_contact'] as const

export const getDashboard = endpoint({
  method: 'GET',
  path: '/account/dashboard',
  access: 'signedIn',
  summary: "Content of the caller's dashboard",
  response: z.object({
    display_name: z.string(),
    email: z.string(),
    email_verified: z.boolean(),
    countries: z.array(z.string()).describe('Countries the user lives in and travels to, without duplicates'),
    missing: z.array(z.enum(PROFILE_FIELDS)).describe('Missing details of the profile'),
    acknowledged: z
      .array(z.object({ advisory_id: z.uuid(), version: z.int(), acknowledged_at: z.string() }))
      .describe('Acknowledged advisories in force for these countries'),
  }),
})

export const getOwnCountries = endpoint({
  method: 'GET',
  path: '/account/countries',
  access: 'signedIn',
  summary: 'Countries of the caller: residence and destinations (D-10)',
  response: z.object({ countries: z.array(z.string()) }),
})

export const getAcknowledgment = endpoint({
  method: 'GET',
  path: '/travel-advisories/{id}/acknowledgment',
  access: 'signedIn',
  summary: 'Whether the caller has acknowledged the advisory, and which version',
  params: ById,
  response: z.object({
    is_offered: z.boolean().describe('False if acknowledgments are turned off'),
    acknowledged_at: z.string().nullable(),
    version: z.int().nullable(),
  }),
})
