/** pending: new, may use the traveler area; suspended: may not sign in (D-28). */
export const PROFILE_STATUSES = ['pending', 'active', 'suspended', 'deleted'] as const
export type ProfileStatus = (typeof PROFILE_STATUSES)[number]

/** Sign-in method of an account. 'supabase' is the specification's name for email and password (C-50). */
export const AUTH_PROVIDERS = ['supabase', 'google', 'mcgi-hub'] as const
export type AuthProvider = (typeof AUTH_PROVIDERS)[number]

export const REGISTRATION_METHODS = ['email_signup', 'google_oauth', 'mcgi_hub', 'admin_created'] as const
export type RegistrationMethod = (typeof REGISTRATION_METHODS)[number]

export interface EmergencyContact {
  name?: string
  relation?: string
  phone?: string
}

/** User preferences. Defaults are applied where a preference is read. */
export interface Preferences {
  /** False where single-letter shortcuts interfere with a screen reader or speech input (WCAG 2.1.4). */
  single_key_shortcuts?: boolean
}

/** Minimum and maximum password length. */
export const PASSWORD_LENGTH = { min: 10, max: 128 } as const

/** Maximum number of countries a user may follow. */
export const MAX_COUNTRIES = 30

/** Minutes after sign-in, or after re-entering the password, in which users may export or erase their data. */
export const FRESH_MINUTES = 15

/** Hours in which a newly added sign-in method cannot confirm anything (docs/decisions/0028-step-up.md). */
export const NEW_METHOD_HOURS = 24

/** Whether the session may perform sensitive actions, and if not, how the account's owner confirms it. */
export interface Freshness {
  is_fresh: boolean
  has_password: boolean
  confirm_by: 'password' | 'older_method' | 'sign_in_again'
}
