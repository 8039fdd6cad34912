/** The seven roles of the specification (001 §6). A role is only ever read from `user_profiles` on the server. */
export const ROLES = [
  'admin',
  'mfa_coordinator',
  'pdos_coordinator',
  'local_servant',
  'traveler',
  'member',
  'coordinator',
] as const

export type Role = (typeof ROLES)[number]

/**
 * Who may use an endpoint or a page: 'anyone' needs no account, 'signedIn' any account, a list names the roles.
 * Endpoints, page guards, menus and the row-level policies all read this one table.
 */
export const ACCESS = {
  anyone: 'anyone',
  signedIn: 'signedIn',
  manageAdvisories: ['admin'],
} as const satisfies Record<string, 'anyone' | 'signedIn' | readonly Role[]>

export type Access = keyof typeof ACCESS

/** True when somebody with this role (null: nobody is signed in) may pass the given row of the access table. */
export function mayPass(access: Access, role: Role | null): boolean {
  const row: 'anyone' | 'signedIn' | readonly Role[] = ACCESS[access]
  if (row === 'anyone') return true
  if (role === null) return false
  return row === 'signedIn' || row.includes(role)
}
