import { PAGE_PATHS, PAGES } from '#shared/pages/pages.ts'
import { ACCESS, type Access, mayPass, ROLES, type Role } from '#shared/roles.ts'

export interface PermissionRow {
  /** A row of the access table, or the URL of a page. */
  name: string
  may: Record<Role, boolean>
}

const rowOf = (name: string, access: Access): PermissionRow => ({
  name,
  may: Object.fromEntries(ROLES.map((role) => [role, mayPass(access, role)])) as Record<Role, boolean>,
})

/** Permissions by role, read from the same table as endpoints and guards. Rights of every account are omitted. */
export const RIGHTS: PermissionRow[] = (Object.keys(ACCESS) as Access[])
  .filter((access) => Array.isArray(ACCESS[access]))
  .map((access) => rowOf(access, access))

/** Pages whose access differs from that of the page above them. */
export const PAGE_RIGHTS: PermissionRow[] = PAGE_PATHS.flatMap((page) => {
  const { access } = PAGES[page]
  return access && access !== 'firstStep' ? rowOf(page, access) : []
})
