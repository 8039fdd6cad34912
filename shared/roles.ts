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

/** The three kinds of coordinators. With the admin, these are the roles that look after others (001 §6). */
export const COORDINATORS = ['mfa_coordinator', 'pdos_coordinator', 'local_servant'] as const
/** Whether the role is limited to its countries and chapters, unless explicitly granted everywhere. */
export const isScoped = (role: Role | null) => (COORDINATORS as readonly (Role | null)[]).includes(role)
export const isAdmin = (role: Role | null) => role === 'admin'
export const isCoordinator = (role: Role | null) => role === 'admin' || isScoped(role)

/**
 * Who may use an endpoint or a page: 'anyone' needs no account, 'firstStep' a sign-in whose second step is still
 * pending, 'signedIn' any account; a list names the roles. Endpoints, page guards, menus and the row-level policies all
 * read this one table.
 */
export const ACCESS = {
  anyone: 'anyone',
  firstStep: 'firstStep',
  signedIn: 'signedIn',
  overview: ['admin'],
  manageAdvisories: ['admin'],
  manageLocales: ['admin'],
  manageChapters: ['admin'],
  readChapters: ['admin', 'mfa_coordinator'],
  manageUsers: ['admin'],
  manageSettings: ['admin'],
  manageFiles: ['admin'],
  readAudit: ['admin'],
  readOutbox: ['admin'],
  manageBackups: ['admin'],
  manageNotifications: ['admin'],
  composeAnnouncements: ['admin', ...COORDINATORS],
  sendMessages: ['admin', ...COORDINATORS],
  coordinate: COORDINATORS,
  verifyAccounts: ['admin', ...COORDINATORS],
  searchAdmin: ['admin', ...COORDINATORS],
  careForLocales: ['admin', 'mfa_coordinator', 'local_servant'],
  takeCases: ['admin', 'mfa_coordinator', 'local_servant'],
  manageAssistant: ['admin'],
  manageFaq: ['admin'],
  rollCalls: ['admin', 'mfa_coordinator', 'local_servant'],
  readPdosModules: ['admin', 'mfa_coordinator', 'pdos_coordinator'],
  managePdosModules: ['admin'],
} as const satisfies Record<string, 'anyone' | 'firstStep' | 'signedIn' | readonly Role[]>

export type Access = keyof typeof ACCESS
/** Rows that a caller without an account may pass. */
export type OpenAccess = 'anyone' | 'firstStep'

/** Whether a role (null: not signed in) satisfies the given row of the access table. */
export function mayPass(access: Access, role: Role | null, isWaiting = false): boolean {
  const row: 'anyone' | 'firstStep' | 'signedIn' | readonly Role[] = ACCESS[access]
  if (row === 'anyone' || (row === 'firstStep' && isWaiting)) return true
  if (role === null) return false
  return row === 'firstStep' || row === 'signedIn' || row.includes(role)
}

/** Landing page after signing in (001 §2, the dashboard target). */
export function dashboardOf(role: Role): '/admin' | '/admin/coordinator' | '/dashboard' {
  if (role === 'admin') return '/admin'
  return isCoordinator(role) ? '/admin/coordinator' : '/dashboard'
}
