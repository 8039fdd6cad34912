import * as z from 'zod'
import { endpoint } from '#shared/contract.ts'
import { LANGUAGES } from '#shared/language.ts'
import { ROLES } from '#shared/roles.ts'
import { text } from '#shared/text.ts'
import { AUTH_PROVIDERS, FRESH_MINUTES, MAX_COUNTRIES, PROFILE_STATUSES } from './profile.ts'
import { CountryCode, Email, Name, Password, Phone, PreferredLanguage } from './text.ts'
import { TimeZone } from './time-zone.ts'

export const EmergencyContact = z.strictObject({
  name: text(100).default(''),
  relation: text(100).default(''),
  phone: z.union([z.literal(''), Phone]).default(''),
})

/** The user's own profile, including read-only fields: address, role, status. */
export const OwnProfile = z.object({
  id: z.uuid(),
  first_name: z.string(),
  last_name: z.string(),
  display_name: z.string(),
  email: z.string(),
  email_verified: z.boolean(),
  phone_number: z.string().nullable(),
  phone_verified: z.boolean(),
  role: z.enum(ROLES),
  profile_status: z.enum(PROFILE_STATUSES),
  auth_provider: z.enum(AUTH_PROVIDERS),
  preferred_language: z.enum(LANGUAGES),
  time_zone: z.string().nullable(),
  country_code: z.string().nullable().describe('Country of residence; ISO 3166-1 alpha-2'),
  countries: z.array(z.string()).describe('Countries the user travels to or follows'),
  emergency_contact: z.object({ name: z.string(), relation: z.string(), phone: z.string() }),
  preferences: z.object({ single_key_shortcuts: z.boolean() }),
  photo_file_id: z.uuid().nullable(),
  chapter_name: z.string().nullable().describe('Local chapter, set by an administrator'),
  created_at: z.string(),
  updated_at: z.string().describe('Version; send it back with a change'),
})
export type OwnProfile = z.infer<typeof OwnProfile>

export const getOwnProfile = endpoint({
  method: 'GET',
  path: '/account/profile',
  access: 'signedIn',
  summary: "The caller's profile",
  response: OwnProfile,
})

export const changeOwnProfile = endpoint({
  method: 'PUT',
  path: '/account/profile',
  access: 'signedIn',
  summary: "Changes the given fields of the caller's profile; 409 if it has changed since `updated_at`",
  body: z.strictObject({
    updated_at: z.iso.datetime(),
    first_name: Name.optional(),
    last_name: z.union([z.literal(''), Name]).optional(),
    display_name: Name.optional(),
    preferred_language: PreferredLanguage.optional(),
    time_zone: TimeZone.nullable().optional(),
    country_code: CountryCode.nullable().optional(),
    countries: z.array(CountryCode).max(MAX_COUNTRIES, 'Choose at most 30 countries').optional(),
    emergency_contact: EmergencyContact.optional(),
    preferences: z.strictObject({ single_key_shortcuts: z.boolean() }).optional(),
  }),
  response: OwnProfile,
})

export const choosePhoto = endpoint({
  method: 'PUT',
  path: '/account/photo',
  access: 'signedIn',
  summary: "Sets one of the caller's pictures (bucket avatars) as profile photo, or removes the photo",
  body: z.strictObject({ file_id: z.uuid().nullable() }),
  response: z.object({
    replaced_file_id: z.uuid().nullable().describe("The previous photo, still in the caller's folder"),
  }),
})

const current_password = Password.optional()

export const getFreshness = endpoint({
  method: 'GET',
  path: '/account/confirm',
  access: 'signedIn',
  summary: 'Whether the session was confirmed recently, and how to confirm it again',
  response: z.object({
    is_fresh: z.boolean(),
    has_password: z.boolean(),
    confirm_by: z
      .enum(['password', 'older_method', 'sign_in_again'])
      .describe('older_method: sign in with a method set up more than 24 hours ago'),
  }),
})

export const confirmPassword = endpoint({
  method: 'POST',
  path: '/account/confirm',
  access: 'signedIn',
  summary: `Confirms the session with the password, for ${FRESH_MINUTES} minutes`,
  body: z.strictObject({ current_password: Password }),
  response: z.object({ is_fresh: z.literal(true) }),
})

export const exportOwnData = endpoint({
  method: 'GET',
  path: '/account/export',
  access: 'signedIn',
  summary: 'All data the portal stores about the caller, as a JSON download',
  response: z.looseObject({}),
})

export const eraseAccount = endpoint({
  method: 'DELETE',
  path: '/account',
  access: 'signedIn',
  summary: "Deletes the caller's account; not possible for the last administrator",
  body: z.strictObject({ email: Email, current_password }),
  response: z.object({ message: z.string() }),
})
