import { COORDINATORS, type Role } from '#shared/roles.ts'

/** The groups that somebody of a role hears: the role itself, and all coordinators together. As portal_hears in SQL. */
export const groupsOf = (role: Role): string[] => [
  ...new Set([role, ...((COORDINATORS as readonly Role[]).includes(role) ? ['coordinator'] : [])]),
]
