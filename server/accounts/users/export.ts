import { csvResponse } from '#server/http/csv.ts'
import type { UserRow } from '#shared/accounts/users.ts'

/** The list of accounts as a table to download. */
export function savedUsers(users: UserRow[]): Response {
  return csvResponse(
    'users',
    [
      { label: 'id', value: (u) => u.id },
      { label: 'display_name', value: (u) => u.display_name },
      { label: 'email', value: (u) => u.email },
      { label: 'email_verified', value: (u) => u.email_verified },
      { label: 'role', value: (u) => u.role },
      { label: 'scope_countries', value: (u) => u.scope_countries?.join(' ') },
      { label: 'scope_chapters', value: (u) => u.scope_chapters?.join(' ') },
      { label: 'role_ends_at', value: (u) => u.role_ends_at },
      { label: 'profile_status', value: (u) => u.profile_status },
      { label: 'is_flagged', value: (u) => u.is_flagged },
      { label: 'auth_provider', value: (u) => u.auth_provider },
      { label: 'registration_method', value: (u) => u.registration_method },
      { label: 'country_code', value: (u) => u.country_code },
      { label: 'created_at', value: (u) => u.created_at },
      { label: 'last_login_at', value: (u) => u.last_login_at },
    ],
    users,
  )
}
