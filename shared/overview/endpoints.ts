import * as z from 'zod'
import { Advisory } from '#shared/advisories/endpoints.ts'
import { AuditEntry } from '#shared/audit/endpoints.ts'
import { ById } from '#shared/common-schemas.ts'
import { endpoint } from '#shared/contract.ts'
import { MONITOR_CAUSES } from '#shared/notifications/status.ts'
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
  summary: 'Open tasks of an administrator, and the latest actions',
  response: z.object({
    new_accounts: Waiting,
    failed_messages: Waiting.extend({ email: z.int(), sms: z.int() }),
    alarms: z
      .array(z.object({ cause: z.enum(MONITOR_CAUSES), found: z.int(), detail: z.string(), raised_at: z.string() }))
      .describe('Urgent advisories with delivery problems'),
    unresolved_names: z.int().describe('Country names from sources that match no country'),
    expired_facts: z.int().describe('Facts of the assistant due for confirmation'),
    church_care: ChurchCare,
    backup: z
      .object({ is_late: z.boolean(), is_untested: z.boolean(), last_at: z.string().nullable() })
      .nullable()
      .describe('Null if there is nothing to lose: a trial on the embedded database'),
    activity: z.array(AuditEntry),
  }),
})

/** A person waiting for help, or a text message waiting to be read. */
export const CallForHelp = z.object({
  kind: z
    .enum(['roll_call', 'unclear', 'case'])
    .describe('Asked for help in a roll call, sent it an unclear text, or opened a case with danger or a call back'),
  id: z.uuid().describe('Of the roll call or the case'),
  user_id: z.uuid().nullable(),
  name: z.string().nullable().describe('Null: a visitor without a known name'),
  about: z.string().describe('Title of the roll call, or reference of the case'),
  country_code: z.string().nullable(),
  words: z.string().nullable().describe("Start of the person's latest message"),
  since: z.string(),
  owner_name: z.string().nullable().describe('Name of the user handling it; null if unassigned'),
  asked_name: z.string().nullable().describe('Name of the user who was asked to help and has not answered'),
  is_mine: z.boolean().describe('The caller handles it or was asked to'),
  messages: z.int().nullable().describe('For a case that groups messages from unknown people in one country'),
  last_at: z.string().nullable().describe('Time of the latest message of the case'),
})
export type CallForHelp = z.infer<typeof CallForHelp>

export const MAX_CALLS_SHOWN = 20

export const listCallsForHelp = endpoint({
  method: 'GET',
  path: '/admin-operations/calls-for-help',
  access: 'rollCalls',
  summary: `People waiting for help in the caller's scope: unassigned first, unknown people last, then longest waiting; at most ${MAX_CALLS_SHOWN}`,
  response: z.object({
    calls: z.array(CallForHelp),
    total: z.int(),
    unowned: z.int(),
    floods: z
      .array(z.object({ country_code: z.string().nullable(), since: z.string(), count: z.int() }))
      .describe('Countries with very many calls without an account'),
  }),
})

export const COORDINATED_ADVISORIES = 20

export const getCoordination = endpoint({
  method: 'GET',
  path: '/admin-operations/coordinator',
  access: 'coordinate',
  summary: 'Open tasks of a coordinator, in their scope',
  response: z.object({
    countries: z.array(z.string()).nullable().describe('ISO codes; null: not limited to countries'),
    chapters: z.array(z.string()).nullable().describe('Names of the additional chapters; null if none'),
    new_accounts: Waiting,
    church_care: ChurchCare,
    advisories: z
      .array(Advisory)
      .describe('Advisories in force there, most urgent first; with scope everywhere, the urgent ones'),
    advisory_count: z.int().describe('Total number'),
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
