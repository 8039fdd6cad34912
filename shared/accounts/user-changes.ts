import * as z from 'zod'
import { endpoint } from '#shared/contract.ts'
import { ROLES } from '#shared/roles.ts'
import { text } from '#shared/text.ts'
import { PASSWORD_LENGTH } from './profile.ts'
import { CountryCode, Email, Name, PreferredLanguage } from './text.ts'
import { ScopeCounts, SUPPRESSIBLE_CHANNELS, UserId } from './users.ts'

const Reason = text(500).default('')

/** Scope of a role: named countries or chapters, or everywhere with a reason. */
const ROLE_SCOPE = {
  scope_countries: z.array(CountryCode).min(1).max(250).nullable().default(null),
  scope_chapters: z
    .array(z.uuid('Choose a chapter'))
    .min(1)
    .max(250)
    .nullable()
    .default(null)
    .describe('MFA coordinators only: chapters in addition to countries; may be used without countries'),
  scope_everywhere: z.boolean().default(false).describe('Instead of countries and chapters; needs scope_reason'),
  scope_reason: text(500).nullable().default(null).describe('Reason for the scope "everywhere"'),
}
const RoleEnd = z.iso.date('Enter a valid date').nullable().default(null).describe('Last day of the role (UTC)')
const CurrentPassword = z
  .string()
  .max(PASSWORD_LENGTH.max)
  .optional()
  .describe("The caller's password, if the session was not confirmed recently")

export const createUser = endpoint({
  method: 'POST',
  path: '/admin-operations/users',
  also: ['/auth/admin/users'],
  access: 'manageUsers',
  status: 201,
  summary: 'Creates an account; the user gets an email to choose a password',
  body: z.strictObject({
    first_name: Name,
    last_name: Name,
    email: Email,
    role: z.enum(ROLES).default('traveler'),
    ...ROLE_SCOPE,
    current_password: CurrentPassword,
    country_code: CountryCode.nullable().default(null),
    preferred_language: PreferredLanguage.default('en'),
  }),
  response: z.object({ id: z.uuid() }),
})

/** Permission names that other ministry programs query; the portal itself checks only the role. */
const Permission = z
  .string()
  .trim()
  .max(60, 'Must be at most 60 characters')
  .regex(/^[a-z][a-z0-9_.:-]*$/, 'Use only lower-case letters, numbers, dots, colons and hyphens')

export const updateUser = endpoint({
  method: 'PUT',
  path: '/admin-operations/users/{id}',
  also: ['/auth/admin/users/{id}'],
  access: 'manageUsers',
  summary: 'Changes the name, countries, notes or permissions of an account; role and status have their own endpoints',
  params: UserId,
  body: z.strictObject({
    display_name: text(200).min(1, 'This field is required').optional(),
    preferred_language: PreferredLanguage.optional(),
    country_code: CountryCode.nullable().optional(),
    countries: z.array(CountryCode).max(30).optional(),
    chapter_id: z.uuid('Choose a chapter').nullable().optional(),
    permissions: z.array(Permission).max(50).optional(),
    admin_notes: text(5000).optional(),
  }),
  response: z.object({}),
})

export const changeRole = endpoint({
  method: 'POST',
  path: '/admin-operations/users/{id}/role',
  access: 'manageUsers',
  summary: 'Sets the role, its scope and its end date. Takes effect with the next request; the user is notified',
  params: UserId,
  body: z.strictObject({
    role: z.enum(ROLES, 'Choose a role'),
    ...ROLE_SCOPE,
    role_ends_on: RoleEnd,
    reason: Reason,
    current_password: CurrentPassword,
  }),
  response: z.object({}),
})

export const previewRole = endpoint({
  method: 'POST',
  path: '/admin-operations/users/{id}/role/preview',
  access: 'manageUsers',
  summary: "What a change of role would add to and remove from the user's responsibilities; changes nothing",
  params: UserId,
  body: z.strictObject({ role: z.enum(ROLES, 'Choose a role'), ...ROLE_SCOPE, role_ends_on: RoleEnd }),
  response: z.object({
    adds: ScopeCounts,
    removes: ScopeCounts,
    is_fresh: z.boolean().describe('False: the caller must confirm the session first'),
  }),
})

export const changeStatus = endpoint({
  method: 'POST',
  path: '/admin-operations/users/{id}/status',
  access: 'manageUsers',
  summary: 'Verifies, suspends (with a reason) or reactivates an account; the user is notified',
  params: UserId,
  body: z
    .strictObject({ status: z.enum(['active', 'suspended']), reason: Reason })
    .refine(({ status, reason }) => status === 'active' || reason !== '', {
      path: ['reason'],
      error: 'This field is required',
    }),
  response: z.object({ ended: z.int().describe('Number of sessions that were ended') }),
})

export const recoverUser = endpoint({
  method: 'POST',
  path: '/admin-operations/users/{id}/recover',
  access: 'manageUsers',
  status: 202,
  summary: 'Sends the user an email to choose a new password',
  params: UserId,
  response: z.object({}),
})

export const clearSuppression = endpoint({
  method: 'POST',
  path: '/admin-operations/users/{id}/stopped/clear',
  access: 'manageUsers',
  summary: 'Resumes sending to a failed address or number; only its owner can undo an opt-out',
  params: UserId,
  body: z.strictObject({
    channel: z.enum(SUPPRESSIBLE_CHANNELS, 'Choose from the list'),
    reason: text(500).min(1, 'This field is required'),
  }),
  response: z.object({}),
})

export const endUserSessions = endpoint({
  method: 'POST',
  path: '/admin-operations/users/{id}/sessions',
  access: 'manageUsers',
  summary: 'Signs the user out everywhere',
  params: UserId,
  response: z.object({ ended: z.int() }),
})

export const verifyAccount = endpoint({
  method: 'POST',
  path: '/accounts/{id}/verify',
  access: 'verifyAccounts',
  summary: 'Verifies a new account; the user is notified',
  params: UserId,
  response: z.object({}),
})

export const flagAccount = endpoint({
  method: 'POST',
  path: '/accounts/{id}/flag',
  access: 'verifyAccounts',
  summary: 'Flags an account for review by an administrator, with a reason, or removes the flag',
  params: UserId,
  body: z
    .strictObject({ is_flagged: z.boolean().default(true), reason: Reason })
    .refine(({ is_flagged, reason }) => !is_flagged || reason !== '', {
      path: ['reason'],
      error: 'This field is required',
    }),
  response: z.object({}),
})
