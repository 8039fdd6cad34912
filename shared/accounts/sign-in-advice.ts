import type { UserDetail } from './users.ts'

export type SignInAdvice =
  | 'suspended'
  | 'no_method'
  | 'unconfirmed'
  | 'role_ended'
  | 'never_signed_in'
  | 'session_ended'

type Account = Pick<UserDetail, 'profile_status' | 'email_verified' | 'can_get_mail' | 'passkeys' | 'sessions'> &
  Pick<UserDetail, 'role_ends_at' | 'last_login_at'> & { sign_in_methods: readonly string[] }

/** Why a user cannot sign in, or sees less than they expect; the first that has to be removed. Null: nothing known. */
export function signInAdvice(account: Account, now: Date): SignInAdvice | null {
  const { profile_status, can_get_mail, role_ends_at } = account
  if (profile_status === 'deleted') return null
  if (profile_status === 'suspended') return 'suspended'
  // A code or link by mail needs no other method.
  if (account.sign_in_methods.length === 0 && account.passkeys === 0 && !can_get_mail) return 'no_method'
  const needsMail = account.passkeys === 0 && account.sign_in_methods.every((method) => method === 'credential')
  if (!account.email_verified && needsMail) return 'unconfirmed'
  if (role_ends_at !== null && new Date(role_ends_at) <= now) return 'role_ended'
  if (account.sessions > 0) return null
  return account.last_login_at === null ? 'never_signed_in' : 'session_ended'
}
