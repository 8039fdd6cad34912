import { COORDINATORS, type Role } from '#shared/roles.ts'

/** The groups of a role: the role itself, and all coordinators together. Matches portal_hears in SQL. */
export const groupsOf = (role: Role): string[] => [
  ...new Set([role, ...((COORDINATORS as readonly Role[]).includes(role) ? ['coordinator'] : [])]),
]
