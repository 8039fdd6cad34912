import type { ColumnType, Generated } from 'kysely'
import type { AccountActionKind, AccountActionResult } from '#shared/accounts/account-actions.ts'
import type {
  AuthProvider,
  EmergencyContact,
  Preferences,
  ProfileStatus,
  RegistrationMethod,
} from '#shared/accounts/profile.ts'
import type { SignInChangeKind } from '#shared/accounts/sign-in-changes.ts'
import type { Role } from '#shared/roles.ts'
import type { DefaultInstant, Instant, Json, OptionalInstant } from './column-types.ts'

export interface AuthSessionsTable {
  id: string
  user_id: string
  token: string
  expires_at: Instant
  /** 'password' (with email or phone), 'google', 'mcgi-hub', 'code', 'link', 'phone', 'passkey'. */
  sign_in_method: Generated<string>
  second_factor_at: OptionalInstant
  /** When the password was last entered again. */
  confirmed_at: OptionalInstant
  /** When the method that started it was added; null: unknown. */
  method_since: OptionalInstant
  user_agent: string | null
  ip_address: string | null
  created_at: DefaultInstant
  updated_at: DefaultInstant
}

/** A change of a user's sign-in methods, for as long as it can be undone. */
export interface SignInChangesTable {
  id: Generated<string>
  /** Of auth_users. */
  user_id: string
  kind: SignInChangeKind
  /** State that an undo restores. */
  former: ColumnType<object, string>
  undo_token_hash: string | null
  changed_at: DefaultInstant
  expires_at: Instant
  undone_at: OptionalInstant
}

export interface PersonsTable {
  id: Generated<string>
  first_name: string
  last_name: Generated<string>
  email: string | null
  mcgi_id: string | null
  person_types: Generated<string[]>
  status: Generated<'active' | 'inactive' | 'deceased' | 'erased'>
  created_at: DefaultInstant
  updated_at: DefaultInstant
}

export interface UserProfilesTable {
  id: Generated<string>
  auth_user_id: string | null
  person_id: string | null
  email: string
  email_verified: Generated<boolean>
  display_name: string
  role: Generated<Role>
  scope_countries: string[] | null
  scope_chapters: string[] | null
  /** Unrestricted scope, for scope_reason; without this or a place the role has no effect anywhere. */
  scope_everywhere: Generated<boolean>
  scope_reason: string | null
  chapter_id: string | null
  role_ends_at: OptionalInstant
  permissions: Generated<string[]>
  profile_status: Generated<ProfileStatus>
  status_reason: string | null
  is_flagged: Generated<boolean>
  auth_provider: Generated<AuthProvider>
  registration_method: Generated<RegistrationMethod>
  mcgi_hub_id: string | null
  preferred_language: Generated<string>
  time_zone: string | null
  phone_number: string | null
  phone_verified: Generated<boolean>
  country_code: string | null
  countries: Generated<string[]>
  emergency_contact: Json<EmergencyContact>
  preferences: Json<Preferences>
  photo_file_id: string | null
  admin_notes: Generated<string>
  terms_accepted_at: OptionalInstant
  last_login_at: OptionalInstant
  verified_at: OptionalInstant
  verified_by: string | null
  search_text: ColumnType<string, never, never>
  created_at: DefaultInstant
  updated_at: DefaultInstant
}

/** Bulk actions on accounts. */
export interface AccountActionsTable {
  id: Generated<string>
  /** Idempotency key of the submitted form. */
  request_key: string
  kind: AccountActionKind
  actor_id: string
  message: string | null
  /** Ids that the actor sent but cannot see. */
  missing: Generated<string[]>
  created_at: DefaultInstant
  undone_at: OptionalInstant
  undone_by: string | null
}

export interface AccountActionItemsTable {
  action_id: string
  user_id: string
  result: AccountActionResult
  earlier_by: string | null
  undo_result: 'undone' | 'changed_since' | null
}

export interface AccountTables {
  auth_users: {
    id: string
    name: string
    email: string
    email_verified: boolean
    phone_number: string | null
    phone_number_verified: Generated<boolean | null>
    two_factor_enabled: boolean | null
    /** When the current address, and the current number, were set. */
    email_since: DefaultInstant
    phone_since: OptionalInstant
    updated_at: DefaultInstant
    registration: ColumnType<object, string | undefined, string>
    created_at: DefaultInstant
  }
  auth_sessions: AuthSessionsTable
  auth_refresh_tokens: {
    token_hash: string
    session_id: string
    used_at: OptionalInstant
    created_at: DefaultInstant
  }
  auth_accounts: {
    id: string
    user_id: string
    provider_id: string
    account_id: string
    password: string | null
    access_token: string | null
    refresh_token: string | null
    id_token: string | null
    /** When it was linked, or its password was changed. */
    since: DefaultInstant
    created_at: DefaultInstant
  }
  auth_two_factors: {
    id: string
    user_id: string
    /** Encrypted; the codes are hashed. */
    secret: string
    backup_codes: string
    verified: boolean | null
    failed_verification_count: number | null
    locked_until: OptionalInstant
    /** Time step of the last accepted code: no code works twice. */
    last_step: number | null
    /** When it was set up, or its recovery codes were renewed. */
    since: DefaultInstant
  }
  auth_verifications: {
    id: string
    identifier: string
    value: string
    expires_at: Instant
    created_at: DefaultInstant
  }
  auth_passkeys: {
    id: string
    user_id: string
    name: string | null
    credential_id: string
    created_at: OptionalInstant
    since: DefaultInstant
  }
  sign_in_changes: SignInChangesTable
  auth_secrets: { name: string; value: string }
  rate_limits: { key: string; used: number; resets_at: Instant }
  persons: PersonsTable
  user_profiles: UserProfilesTable
  account_actions: AccountActionsTable
  account_action_items: AccountActionItemsTable
}
