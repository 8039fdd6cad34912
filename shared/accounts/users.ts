import * as z from 'zod'
import { AuditEntry } from '#shared/audit/endpoints.ts'
import { endpoint } from '#shared/contract.ts'
import { STOP_REASONS } from '#shared/notifications/preferences.ts'
import { ROLES } from '#shared/roles.ts'
import { sortBy, TABLE_ANSWER, TABLE_QUERY } from '#shared/table.ts'
import { AUTH_PROVIDERS, PROFILE_STATUSES, REGISTRATION_METHODS } from './profile.ts'
import { CountryCode } from './text.ts'

/** Signals about a new account, strongest first. Computed by `account_signs` in the database. */
export const ACCOUNT_SIGNS = [
  'flagged',
  'bounced',
  'hub',
  'servant',
  'asked',
  'phone_in_use',
  'same_name',
  'email_confirmed',
  'phone_confirmed',
  'unconfirmed',
] as const
export type AccountSign = (typeof ACCOUNT_SIGNS)[number]
/** Sufficient to suggest verifying the account, unless another signal contradicts it. */
export const SAFE_SIGNS = ['hub', 'servant'] as const satisfies readonly AccountSign[]
export const DOUBTFUL_SIGNS = ['flagged', 'bounced', 'phone_in_use'] as const satisfies readonly AccountSign[]

/** Tabs of the list. new: not yet verified; everywhere: roles not limited to countries or chapters. */
export const USER_TABS = ['new', 'all', 'role', 'everywhere', 'one_step', 'suspended', 'flagged'] as const
export type UserTab = (typeof USER_TABS)[number]
/** Tabs that coordinators see too; the others are about roles. */
export const COORDINATOR_TABS = ['new', 'all', 'suspended', 'flagged'] as const satisfies readonly UserTab[]

/** Age of an account. */
export const ACCOUNT_AGES = ['under_day', 'under_week', 'over_week', 'over_month'] as const
export type AccountAge = (typeof ACCOUNT_AGES)[number]

/** The id of a user, in a path. */
export const UserId = z.strictObject({ id: z.uuid('The id of a user is a UUID') })

export const UserRow = z.object({
  id: z.uuid(),
  display_name: z.string(),
  email: z.string(),
  email_verified: z.boolean(),
  role: z.enum(ROLES),
  scope_countries: z.array(z.string()).nullable().describe('Scope of the role'),
  scope_chapters: z
    .array(z.uuid())
    .nullable()
    .describe('Chapters in the scope of the role, with their users and churches'),
  scope_everywhere: z.boolean().describe('The scope is everywhere, by choice'),
  scope_reason: z.string().nullable().describe('Reason for the scope "everywhere"'),
  role_ends_at: z.string().nullable(),
  profile_status: z.enum(PROFILE_STATUSES),
  is_flagged: z.boolean(),
  auth_provider: z.enum(AUTH_PROVIDERS),
  registration_method: z.enum(REGISTRATION_METHODS),
  country_code: z.string().nullable(),
  created_at: z.string(),
  last_login_at: z.string().nullable(),
  chapter_name: z.string().nullable(),
  signs: z
    .array(z.enum(ACCOUNT_SIGNS))
    .describe('What the portal knows about a pending account, strongest signal first'),
})
export type UserRow = z.infer<typeof UserRow>

/** Channels that can be suppressed for an address or a number. */
export const SUPPRESSIBLE_CHANNELS = ['email', 'sms', 'whatsapp'] as const

/** The user page counts failed sign-ins over this many days. */
export const FAILED_SIGN_IN_DAYS = 30
const FailedSignIns = z.object({
  count: z.int(),
  networks: z.int().describe('Number of networks they came from: IPv4 /24 or IPv6 /48'),
  last_at: z.string().nullable().describe('Rounded to ten minutes'),
})
export type FailedSignIns = z.infer<typeof FailedSignIns>

export const UserDetail = UserRow.omit({ chapter_name: true }).extend({
  chapter: z.object({ id: z.uuid(), chapter_name: z.string() }).nullable(),
  chapters_covered: z.array(z.object({ id: z.uuid(), chapter_name: z.string() })).describe('Names of scope_chapters'),
  person: z.object({ first_name: z.string(), last_name: z.string(), mcgi_id: z.string().nullable() }).nullable(),
  phone_number: z.string().nullable(),
  mcgi_hub_id: z.string().nullable(),
  preferred_language: z.string(),
  time_zone: z.string().nullable(),
  countries: z.array(z.string()),
  permissions: z.array(z.string()),
  status_reason: z.string().nullable(),
  admin_notes: z.string(),
  verified_at: z.string().nullable(),
  verified_by: z.string().nullable().describe('Name of the user who verified the account'),
  terms_accepted_at: z.string().nullable(),
  has_second_factor: z.boolean(),
  sign_in_methods: z.array(z.string()).describe('credential, google or mcgi-hub; empty for coordinators'),
  passkeys: z.int(),
  sessions: z.int().describe('Active sessions'),
  devices: z.array(z.object({ device: z.string(), last_used_at: z.string() })),
  failed_sign_ins: FailedSignIns.nullable().describe('In the last 30 days; null for coordinators'),
  stopped: z
    .array(z.object({ channel: z.enum(SUPPRESSIBLE_CHANNELS), reason: z.enum(STOP_REASONS), since: z.string() }))
    .describe('Suppressed addresses of the account'),
  can_get_mail: z.boolean().describe('False for a placeholder address of an MCGI Hub member'),
  is_self: z.boolean(),
})
export type UserDetail = z.infer<typeof UserDetail>

/** Filters of the account list, and of an action on all that match. */
const ACCOUNT_FILTER = {
  search: TABLE_QUERY.search,
  role: z.enum(ROLES).optional(),
  status: z.enum(PROFILE_STATUSES).optional(),
  provider: z.enum(AUTH_PROVIDERS).optional(),
  method: z.enum(REGISTRATION_METHODS).optional().describe('How the account was created'),
  country: CountryCode.optional().describe('Countries the user lives in or travels to'),
  age: z.enum(ACCOUNT_AGES).optional().describe('Age of the account'),
  suggested: z.enum(['yes']).optional().describe('yes: only new accounts that the portal suggests verifying'),
  tab: z.enum(USER_TABS).default('all').describe('new: accounts that are not verified yet'),
}
export const AccountFilter = z.strictObject(ACCOUNT_FILTER)
export type AccountFilter = z.output<typeof AccountFilter>

export const UserFilters = z.strictObject({
  ...TABLE_QUERY,
  sort: sortBy(['created_at', 'display_name', 'email', 'role', 'last_login_at'], '-created_at'),
  ...ACCOUNT_FILTER,
})
export type UserFilters = z.output<typeof UserFilters>

export const listUsers = endpoint({
  method: 'GET',
  path: '/admin-operations/users',
  also: ['/auth/admin/users'],
  access: 'verifyAccounts',
  summary:
    'Accounts with search, filters and pages; coordinators see those in their countries; format=csv exports all matches (administrators)',
  query: UserFilters.extend({ format: z.enum(['json', 'csv']).default('json') }),
  response: z.object({
    users: z.array(UserRow),
    ...TABLE_ANSWER,
    counts: z.partialRecord(z.enum(USER_TABS), z.int()).describe('Among the roles available to the caller'),
    suggested: z.int().describe('Matching new accounts that the portal suggests verifying'),
  }),
})

export const ScopeCounts = z.object({ members: z.int(), cases: z.int(), chapters: z.int(), churches: z.int() })
export type ScopeCounts = z.infer<typeof ScopeCounts>

export const findUser = endpoint({
  method: 'GET',
  path: '/admin-operations/users/{id}',
  also: ['/auth/admin/users/{id}'],
  access: 'verifyAccounts',
  summary: 'One account with its history; coordinators see those in their countries, without notes and sessions',
  params: UserId,
  response: z.object({
    user: UserDetail,
    history: z.array(AuditEntry).describe('Actions on the account; administrators only'),
    lately: z.array(AuditEntry).describe('Actions of the user and on the account; administrators only'),
    can_write: z.boolean().describe('The caller may send an announcement to this user'),
    work: ScopeCounts.nullable().describe(
      "The user's responsibilities; null without such a role, and for coordinators",
    ),
  }),
})

const Named = z.object({ id: z.uuid(), display_name: z.string(), email: z.string(), role: z.enum(ROLES) })

export const listUsersByRole = endpoint({
  method: 'GET',
  path: '/admin-operations/users/by-role/{role}',
  access: 'manageUsers',
  summary: 'Users with an active account and a role that is valid today',
  params: z.strictObject({ role: z.enum(ROLES) }),
  query: z.strictObject({
    limit: z.coerce.number().int().min(1).max(200).default(50),
    offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
  }),
  response: z.object({ users: z.array(Named), total: z.int() }),
})

export const countRoles = endpoint({
  method: 'GET',
  path: '/admin-operations/roles',
  access: 'manageUsers',
  summary: 'The seven roles with their number of users',
  response: z.object({
    roles: z.array(z.object({ role: z.enum(ROLES), total: z.int(), scoped: z.int(), ending: z.int() })),
  }),
})

export const getContact = endpoint({
  method: 'GET',
  path: '/admin-operations/users/{id}/profile',
  access: 'signedIn',
  summary: 'Contact details of the caller; administrators can query any user',
  params: UserId,
  response: z.object({ email: z.string(), phone_number: z.string().nullable() }),
})

export const NewAccount = z.object({
  id: z.uuid(),
  display_name: z.string(),
  email: z.string(),
  email_verified: z.boolean(),
  registration_method: z.enum(REGISTRATION_METHODS),
  country_code: z.string().nullable(),
  countries: z.array(z.string()),
  is_flagged: z.boolean(),
  status_reason: z.string().nullable(),
  created_at: z.string(),
})
export type NewAccount = z.infer<typeof NewAccount>

export const listNewAccounts = endpoint({
  method: 'GET',
  path: '/accounts/new',
  access: 'verifyAccounts',
  summary: 'Accounts that are not verified yet, oldest first; coordinators see those in their countries',
  query: z.strictObject({ page: TABLE_QUERY.page, per_page: TABLE_QUERY.per_page }),
  response: z.object({ accounts: z.array(NewAccount), ...TABLE_ANSWER }),
})
