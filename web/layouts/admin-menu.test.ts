import { expect, test } from 'vitest'
import { isCurrentItem, menuFor, panelLabel } from './admin-menu.ts'

const linesOf = (role: Parameters<typeof menuFor>[0]) => menuFor(role).flatMap(({ items }) => items.map(({ to }) => to))

test('administrators have all existing pages, in the order of the specification', () => {
  expect(linesOf('admin')).toEqual([
    '/admin',
    '/admin/my-churches',
    '/admin/notifications',
    '/admin/pdos-modules',
    '/admin/roll-calls',
    '/admin/assistant/cases',
    '/admin/data',
    '/admin/settings',
    '/admin/users',
    '/admin/travel-advisories',
    '/admin/locales',
    '/admin/chapters',
    '/admin/assistant',
    '/admin/travel-faq',
    '/admin/roles',
    '/admin/outbox',
  ])
  expect(menuFor('admin').map(({ label }) => label)).toEqual([undefined, 'menu_core', 'menu_system'])
})

test('coordinators have their own overview and no page that would reject them', () => {
  expect(linesOf('mfa_coordinator')).toEqual([
    '/admin/coordinator',
    '/admin/users',
    '/admin/my-churches',
    '/admin/chapters',
    '/admin/notifications',
    '/admin/pdos-modules',
    '/admin/roll-calls',
    '/admin/assistant/cases',
  ])
  expect(linesOf('local_servant')).toEqual([
    '/admin/coordinator',
    '/admin/users',
    '/admin/my-churches',
    '/admin/notifications',
    '/admin/roll-calls',
    '/admin/assistant/cases',
  ])
  expect(linesOf('pdos_coordinator')).toEqual([
    '/admin/coordinator',
    '/admin/users',
    '/admin/notifications',
    '/admin/pdos-modules',
  ])
})

test('all other roles have no menu', () => {
  for (const role of ['traveler', 'member', 'coordinator'] as const) expect(menuFor(role)).toEqual([])
})

test('the overview is current on its own URL only, other items also on pages below theirs', () => {
  const [overview, , , , , , data] = menuFor('admin').flatMap(({ items }) => items)
  expect(isCurrentItem(overview!, '/admin')).toBe(true)
  expect(isCurrentItem(overview!, '/admin/data')).toBe(false)
  expect(isCurrentItem(data!, '/admin/data/1')).toBe(true)
  expect(isCurrentItem(data!, '/admin/database')).toBe(false)
})

test('the most specific item is current: calls for help are not the administration of the assistant', () => {
  const current = (pathname: string) =>
    menuFor('admin')
      .flatMap(({ items }) => items)
      .filter((item) => isCurrentItem(item, pathname))
      .map(({ to }) => to)
  expect(current('/admin/assistant')).toEqual(['/admin/assistant'])
  expect(current('/admin/assistant/facts/new')).toEqual(['/admin/assistant'])
  expect(current('/admin/assistant/cases/1')).toEqual(['/admin/assistant/cases'])
})

test('each role has its panel name', () => {
  expect((['admin', 'mfa_coordinator', 'pdos_coordinator', 'local_servant'] as const).map(panelLabel)).toEqual([
    'panel_admin',
    'panel_mfa_coordinator',
    'panel_pdos_coordinator',
    'panel_local_servant',
  ])
})
