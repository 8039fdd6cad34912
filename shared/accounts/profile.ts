/** pending: new, may use the traveler area; suspended: may not sign in (D-28). */
export const PROFILE_STATUSES = ['pending', 'active', 'suspended', 'deleted'] as const
export type ProfileStatus = (typeof PROFILE_STATUSES)[number]

/** How an account is signed in to. 'supabase' is the specification's name for email and password (C-50). */
export const AUTH_PROVIDERS = ['supabase', 'google', 'mcgi-hub'] as const
export type AuthProvider = (typeof AUTH_PROVIDERS)[number]

export const REGISTRATION_METHODS = ['email_signup', 'google_oauth', 'mcgi_hub', 'admin_created'] as const
export type RegistrationMethod = (typeof REGISTRATION_METHODS)[number]

export interface EmergencyContact {
  name?: string
  relation?: string
  phone?: string
}

/** What a person chose for herself; everything has a default where it is read. */
export interface Preferences {
  /** Off where one-letter keys get in the way of a screen reader or of speech input (WCAG 2.1.4). */
  single_key_shortcuts?: boolean
}

/** How long a password must at least be, and may at most be. */
export const PASSWORD_LENGTH = { min: 10, max: 128 } as const

/** How many countries a person may follow. */
export const MAX_COUNTRIES = 30

/** Minutes after signing in, or after a password given again, in which the own data is handed out or erased. */
export const FRESH_MINUTES = 15

/** Hours in which a method of signing in that was just added confirms nothing (docs/decisions/0028-step-up.md). */
export const NEW_METHOD_HOURS = 24

/** Whether a session may do what an open screen alone must not allow, and else how its owner confirms it. */
export interface Freshness {
  is_fresh: boolean
  has_password: boolean
  confirm_by: 'password' | 'older_method' | 'sign_in_again'
}
