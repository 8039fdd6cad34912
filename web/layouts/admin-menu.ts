import { accessOfPage } from '#shared/page-access.ts'
import { isAdmin, mayPass, type Role } from '#shared/roles.ts'
import type { Key } from '#web/lib/i18n.tsx'
import type { IconName } from '#web/ui/Icon.tsx'

export interface AdminMenuItem {
  to: string
  label: Key<'admin'>
  /** Shown alone in the narrow drawer. */
  icon: IconName
  /** The count at the end of the line. */
  count?: 'new_accounts' | 'failed_messages' | 'church_care' | 'notices_to_approve' | 'open_cases'
}

export interface AdminMenuGroup {
  /** Without a label: the overview, above all groups. */
  label?: Key<'admin'>
  items: readonly AdminMenuItem[]
}

/**
 * Administrators' menu in the order of the specification. A capability adds its item once its page exists, at its
 * place: Core Modules are PDOS Applications, Inquiries, Brethren Monitoring (to /admin/overseas-brethren),
 * Endorsements, Notifications, Attendance; System is Data Management, Reports & Analytics, System Settings, Users,
 * Travel Advisories, followed by the pages that the specification omits from the menu (C-16).
 */
const ADMIN: readonly AdminMenuGroup[] = [
  { items: [{ to: '/admin', label: 'menu_overview', icon: 'grid' }] },
  {
    label: 'menu_core',
    items: [
      { to: '/admin/my-churches', label: 'menu_my_churches', icon: 'church', count: 'church_care' },
      { to: '/admin/notifications', label: 'menu_notifications', icon: 'bell', count: 'notices_to_approve' },
      { to: '/admin/pdos-modules', label: 'menu_pdos_modules', icon: 'calendar' },
      { to: '/admin/roll-calls', label: 'menu_roll_calls', icon: 'check' },
      { to: '/admin/assistant/cases', label: 'menu_cases', icon: 'hands', count: 'open_cases' },
    ],
  },
  {
    label: 'menu_system',
    items: [
      { to: '/admin/data', label: 'menu_data', icon: 'data' },
      { to: '/admin/settings', label: 'menu_settings', icon: 'sliders' },
      { to: '/admin/users', label: 'menu_users', icon: 'people', count: 'new_accounts' },
      { to: '/admin/travel-advisories', label: 'menu_advisories', icon: 'warning' },
      { to: '/admin/locales', label: 'menu_locales', icon: 'church' },
      { to: '/admin/chapters', label: 'menu_chapters', icon: 'hands' },
      { to: '/admin/assistant', label: 'menu_assistant', icon: 'speech' },
      { to: '/admin/roles', label: 'menu_roles', icon: 'key' },
      { to: '/admin/outbox', label: 'menu_outbox', icon: 'box', count: 'failed_messages' },
    ],
  },
]

/**
 * Menu of coordinators and local servants. Operations are PDOS Applications (not for local servants, C-10), Inquiries,
 * Endorsements, Attendance (only for local servants and MFA coordinators), each once its page exists.
 */
const COORDINATOR: readonly AdminMenuGroup[] = [
  { items: [{ to: '/admin/coordinator', label: 'menu_overview', icon: 'grid' }] },
  {
    label: 'menu_operations',
    items: [
      { to: '/admin/users', label: 'menu_users', icon: 'people', count: 'new_accounts' },
      { to: '/admin/my-churches', label: 'menu_my_churches', icon: 'church', count: 'church_care' },
      { to: '/admin/chapters', label: 'menu_chapters', icon: 'hands' },
      { to: '/admin/notifications', label: 'menu_notifications', icon: 'bell' },
      { to: '/admin/pdos-modules', label: 'menu_pdos_modules', icon: 'calendar' },
      { to: '/admin/roll-calls', label: 'menu_roll_calls', icon: 'check' },
      { to: '/admin/assistant/cases', label: 'menu_cases', icon: 'hands', count: 'open_cases' },
    ],
  },
]

const isOpenTo = (role: Role) => (item: AdminMenuItem) => mayPass(accessOfPage(item.to), role)

/** The groups with items for this role, in order. */
export function menuFor(role: Role): AdminMenuGroup[] {
  return (isAdmin(role) ? ADMIN : COORDINATOR)
    .map((group) => ({ ...group, items: group.items.filter(isOpenTo(role)) }))
    .filter(({ items }) => items.length > 0)
}

/** Whether an item is the current page, with no more specific item. The overview matches its own page only. */
export function isCurrentItem({ to }: AdminMenuItem, pathname: string): boolean {
  if (to === '/admin') return pathname === to
  return isOn(to, pathname) && !LINES.some((other) => other.startsWith(`${to}/`) && isOn(other, pathname))
}

const LINES = [...ADMIN, ...COORDINATOR].flatMap(({ items }) => items.map(({ to }) => to))

const isOn = (to: string, pathname: string) => pathname === to || pathname.startsWith(`${to}/`)

const PANELS: Partial<Record<Role, Key<'admin'>>> = {
  admin: 'panel_admin',
  mfa_coordinator: 'panel_mfa_coordinator',
  pdos_coordinator: 'panel_pdos_coordinator',
  local_servant: 'panel_local_servant',
}

/** Name of the area for this role (001 §2). */
export const panelLabel = (role: Role): Key<'admin'> => PANELS[role] ?? 'panel_other'
