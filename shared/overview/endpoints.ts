import * as z from 'zod'
import { Advisory } from '#shared/advisories/endpoints.ts'
import { ById } from '#shared/common-schemas.ts'
import { endpoint } from '#shared/contract.ts'
import { MONITOR_CAUSES } from '#shared/notifications/status.ts'
import { ROLES } from '#shared/roles.ts'

export const MAX_FOUND_USERS = 8

export const AdminFrame = z.object({
  new_accounts: z.int().describe('Accounts that nobody has verified yet; of coordinators: those of their countries'),
  failed_messages: z.int().describe('Messages that did not go out; 0 for those who may not see them'),
  notices_to_approve: z.int().describe('Notices of other administrators that wait for a second one'),
  open_cases: z
    .int()
    .describe('What the assistant handed over and nobody has taken, of the places the person looks after'),
  church_care: z.int().describe('Messages and corrections that wait, of the churches the person looks after'),
  has_scope: z
    .boolean()
    .describe('False: the role looks after people and has no country and no chapter, so that it sees nobody'),
  single_key_shortcuts: z.boolean().describe('Whether the / key leads to the search'),
})
export type AdminFrame = z.infer<typeof AdminFrame>

export const getAdminFrame = endpoint({
  method: 'GET',
  path: '/admin-operations/frame',
  access: 'searchAdmin',
  summary: 'What stands around every page of the admin area: the counts of its menu',
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
  summary: `People by name or email, ${MAX_FOUND_USERS} at most; only those the caller may see`,
  query: z.strictObject({ search: z.string().trim().min(2).max(200) }),
  response: z.object({ people: z.array(FoundUser) }),
})

const Waiting = z.object({
  count: z.int(),
  oldest_at: z.string().nullable().describe('Since when the one waits that waits longest'),
})

/** Open items of the churches the user looks after. */
export const ChurchCare = z.object({
  due: z.int().describe('Locales to be confirmed'),
  messages: Waiting.describe('Visitors whom nobody has answered'),
  corrections: Waiting.describe('Proposed corrections that nobody has decided on'),
})
export type ChurchCare = z.infer<typeof ChurchCare>

export const Activity = z.object({
  id: z.int(),
  at: z.string(),
  actor_name: z.string().nullable().describe('Null for the portal itself, or for an account that is gone'),
  action: z.string(),
  subject_type: z.string(),
  subject_id: z.string(),
  subject_name: z.string().nullable().describe('Name of the person or title of the advisory'),
  before: z.json(),
  after: z.json(),
})
export type Activity = z.infer<typeof Activity>

export const RECENT_ACTIVITY = 8

export const getOverview = endpoint({
  method: 'GET',
  path: '/admin-operations/overview',
  access: 'overview',
  summary: 'What waits for an administrator, and what was done last',
  response: z.object({
    new_accounts: Waiting,
    failed_messages: Waiting.extend({ email: z.int(), sms: z.int() }),
    alarms: z
      .array(z.object({ cause: z.enum(MONITOR_CAUSES), found: z.int(), detail: z.string(), raised_at: z.string() }))
      .describe('Urgent advisories that did not go out as they should'),
    unresolved_names: z.int().describe('Country names of sources that no country answers to'),
    expired_facts: z.int().describe('Facts of the assistant that have to be confirmed again'),
    church_care: ChurchCare,
    backup: z
      .object({ is_late: z.boolean(), is_untested: z.boolean(), last_at: z.string().nullable() })
      .nullable()
      .describe('Null where nothing is there to lose: a trial on the embedded database'),
    activity: z.array(Activity),
  }),
})

/** A person waiting for help, or a text message waiting to be read. */
export const CallForHelp = z.object({
  kind: z
    .enum(['roll_call', 'unclear', 'case'])
    .describe('Asked for help in a roll call, sent it an unclear text, or a case with danger or a call to return'),
  id: z.uuid().describe('Of the roll call or of the case'),
  user_id: z.uuid().nullable(),
  name: z.string().nullable().describe('Null: a visitor whose name nobody knows'),
  about: z.string().describe('Title of the roll call, or reference of the case'),
  country_code: z.string().nullable(),
  words: z.string().nullable().describe('The beginning of what the person wrote last'),
  since: z.string(),
  owner_name: z.string().nullable().describe('Who takes care of it; null: nobody does'),
  asked_name: z.string().nullable().describe('Who was asked to help and has not answered'),
  is_mine: z.boolean().describe('The caller takes care of it or was asked to'),
  messages: z.int().nullable().describe('Of a case that gathers what unknown people of one country wrote'),
  last_at: z.string().nullable().describe('When the last message of the case came'),
})
export type CallForHelp = z.infer<typeof CallForHelp>

export const MAX_CALLS_SHOWN = 20

export const listCallsForHelp = endpoint({
  method: 'GET',
  path: '/admin-operations/calls-for-help',
  access: 'rollCalls',
  summary: `Who waits for help, as far as the caller looks after them: without an owner first, unknown people last, then the longest waiting; ${MAX_CALLS_SHOWN} at most`,
  response: z.object({
    calls: z.array(CallForHelp),
    total: z.int(),
    unowned: z.int(),
    floods: z
      .array(z.object({ country_code: z.string().nullable(), since: z.string(), count: z.int() }))
      .describe('Countries from which very many call without an account'),
  }),
})

export const COORDINATED_ADVISORIES = 20

export const getCoordination = endpoint({
  method: 'GET',
  path: '/admin-operations/coordinator',
  access: 'coordinate',
  summary: 'What waits for a coordinator, in the countries where the role counts',
  response: z.object({
    countries: z.array(z.string()).nullable().describe('ISO codes; null: not limited to countries'),
    chapters: z.array(z.string()).nullable().describe('Names of the chapters beside them; null where there are none'),
    new_accounts: Waiting,
    church_care: ChurchCare,
    advisories: z.array(Advisory).describe('In force there, most urgent first; everywhere: the urgent ones'),
    advisory_count: z.int().describe('All of them'),
  }),
})

/** What a profile should contain before a journey. */
export const PROFILE_FIELDS = ['country_code', 'countries', 'phone_number', 'emergency_contact'] as const

export const getDashboard = endpoint({
  method: 'GET',
  path: '/account/dashboard',
  access: 'signedIn',
  summary: 'What the dashboard of the signed-in person begins with',
  response: z.object({
    display_name: z.string(),
    email: z.string(),
    email_verified: z.boolean(),
    countries: z.array(z.string()).describe('Where the person lives and travels, each once'),
    missing: z.array(z.enum(PROFILE_FIELDS)).describe('What the profile does not say yet'),
    acknowledged: z
      .array(z.object({ advisory_id: z.uuid(), version: z.int(), acknowledged_at: z.string() }))
      .describe('Advisories in force on these countries that the person has acknowledged'),
  }),
})

export const getOwnCountries = endpoint({
  method: 'GET',
  path: '/account/countries',
  access: 'signedIn',
  summary: 'The countries of the signed-in person: where she lives and where she travels (D-10)',
  response: z.object({ countries: z.array(z.string()) }),
})

export const getAcknowledgment = endpoint({
  method: 'GET',
  path: '/travel-advisories/{id}/acknowledgment',
  access: 'signedIn',
  summary: 'Whether the signed-in person has acknowledged the advisory, and in which version',
  params: ById,
  response: z.object({
    is_offered: z.boolean().describe('False where acknowledgments are switched off'),
    acknowledged_at: z.string().nullable(),
    version: z.int().nullable(),
  }),
})
