import { accessOfPage } from '#shared/page-access.ts'
import type { MenuGroup, PageEntry } from '#shared/pages/entry.ts'
import { nearestPage, PAGE_PATHS, PAGES, type PagePath } from '#shared/pages/pages.ts'
import { isAdmin, mayPass, type Role } from '#shared/roles.ts'
import type { Key } from '#web/lib/i18n.tsx'

export type AdminMenuItem = { to: PagePath } & NonNullable<PageEntry['menu']>

export interface AdminMenuGroup {
  /** Without a label: the overview, above all groups. */
  label?: Key<'admin'>
  items: readonly AdminMenuItem[]
}

const LABELS: Record<MenuGroup, Key<'admin'> | undefined> = {
  overview: undefined,
  core: 'menu_core',
  system: 'menu_system',
  operations: 'menu_operations',
}

/** The groups with items for this role, in order. */
export function menuFor(role: Role): AdminMenuGroup[] {
  const groups: MenuGroup[] = isAdmin(role) ? ['overview', 'core', 'system'] : ['overview', 'operations']
  return groups
    .map((group) => ({ label: LABELS[group], items: itemsOf(group, role) }))
    .filter(({ items }) => items.length > 0)
}

/** The pages of a group that the role may open, in the order of the specification. */
function itemsOf(group: MenuGroup, role: Role): AdminMenuItem[] {
  const placeOf = (to: PagePath) => PAGES[to].menu?.[group] ?? 0
  return PAGE_PATHS.filter((to) => placeOf(to) > 0 && mayPass(accessOfPage(to), role))
    .sort((a, b) => placeOf(a) - placeOf(b))
    .map((to) => ({ to, ...PAGES[to].menu! }))
}

/** Whether an item is the current page, with no more specific item. The overview matches its own page only. */
export const isCurrentItem = ({ to }: AdminMenuItem, pathname: string) =>
  (to === '/admin' ? pathname : nearestPage(pathname, 'menu')?.path) === to

const PANELS: Partial<Record<Role, Key<'admin'>>> = {
  admin: 'panel_admin',
  mfa_coordinator: 'panel_mfa_coordinator',
  pdos_coordinator: 'panel_pdos_coordinator',
  local_servant: 'panel_local_servant',
}

/** Name of the area for this role (001 §2). */
export const panelLabel = (role: Role): Key<'admin'> => PANELS[role] ?? 'panel_other'
