import { accessOfPage } from '#shared/page-access.ts'
import { isAdmin, mayPass, type Role } from '#shared/roles.ts'
import type { Key } from '#web/lib/i18n.tsx'
import type { IconName } from '#web/ui/Icon.tsx'

export interface AdminMenuItem {
  to: string
  label: Key<'admin'>
  /** Stands for the words where the drawer is narrow. */
  icon: IconName
  /** What is counted at the end of the line. */
  count?: 'new_accounts' | 'failed_messages' | 'church_care' | 'notices_to_approve' | 'open_cases'
}

export interface AdminMenuGroup {
  /** Without a label: the overview, above all groups. */
  label?: Key<'admin'>
  items: readonly AdminMenuItem[]
}

/**
 * The menu of administrators in the order of the specification. A capability adds its line when its page answers, at
 * its place: Core Modules are PDOS Applications, Inquiries, Brethren Monitoring (to /admin/overseas-brethren),
 * Endorsements, Notifications, Attendance; System is Data Management, Reports & Analytics, System Settings, Users,
 * Travel Advisories, and after them the pages that the specification leaves out of the menu (C-16).
 */
const ADMIN: readonly AdminMenuGroup[] = [
  { items: [{ to: '/admin', label: 'menu_overview', icon: 'grid' }] },
  {
    label: 'menu_core',
    items: [
      { to: '/admin/my-churches', label: 'menu_my_churches', icon: 'church', count: 'church_care' },
      { to: '/admin/notifications', label: 'menu_notifications', icon: 'bell', count: 'notices_to_approve' },
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
 * The menu of coordinators and local servants. Operations are PDOS Applications (not for local servants, C-10),
 * Inquiries, Endorsements, Attendance (only for local servants and MFA coordinators), each when its page answers.
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
      { to: '/admin/roll-calls', label: 'menu_roll_calls', icon: 'check' },
      { to: '/admin/assistant/cases', label: 'menu_cases', icon: 'hands', count: 'open_cases' },
    ],
  },
]

const isOpenTo = (role: Role) => (item: AdminMenuItem) => mayPass(accessOfPage(item.to), role)

/** The groups that hold something for this role, in order. */
export function menuFor(role: Role): AdminMenuGroup[] {
  return (isAdmin(role) ? ADMIN : COORDINATOR)
    .map((group) => ({ ...group, items: group.items.filter(isOpenTo(role)) }))
    .filter(({ items }) => items.length > 0)
}

/** Whether a line of the menu is the page one is on: no other leads nearer to it. The overview is its own page only. */
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

/** What the area is called for this role (001 §2). */
export const panelLabel = (role: Role): Key<'admin'> => PANELS[role] ?? 'panel_other'
