import { expect, test } from 'vitest'
import { isCurrentItem, menuFor, panelLabel } from './admin-menu.ts'

const linesOf = (role: Parameters<typeof menuFor>[0]) => menuFor(role).flatMap(({ items }) => items.map(({ to }) => to))

test('administrators have the pages there are, in the order of the specification', () => {
  expect(linesOf('admin')).toEqual([
    '/admin',
    '/admin/my-churches',
    '/admin/notifications',
    '/admin/roll-calls',
    '/admin/assistant/cases',
    '/admin/data',
    '/admin/settings',
    '/admin/users',
    '/admin/travel-advisories',
    '/admin/locales',
    '/admin/chapters',
    '/admin/assistant',
    '/admin/roles',
    '/admin/outbox',
  ])
  expect(menuFor('admin').map(({ label }) => label)).toEqual([undefined, 'menu_core', 'menu_system'])
})

test('coordinators have their own overview and nothing that would refuse them', () => {
  expect(linesOf('mfa_coordinator')).toEqual([
    '/admin/coordinator',
    '/admin/users',
    '/admin/my-churches',
    '/admin/chapters',
    '/admin/notifications',
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
  expect(linesOf('pdos_coordinator')).toEqual(['/admin/coordinator', '/admin/users', '/admin/notifications'])
})

test('everybody else has no line at all', () => {
  for (const role of ['traveler', 'member', 'coordinator'] as const) expect(menuFor(role)).toEqual([])
})

test('the overview is current on its own address only, the others on theirs and below', () => {
  const [overview, , , , , data] = menuFor('admin').flatMap(({ items }) => items)
  expect(isCurrentItem(overview!, '/admin')).toBe(true)
  expect(isCurrentItem(overview!, '/admin/data')).toBe(false)
  expect(isCurrentItem(data!, '/admin/data/1')).toBe(true)
  expect(isCurrentItem(data!, '/admin/database')).toBe(false)
})

test('of two lines the one that leads nearer is current: calls for help are not the upkeep of the assistant', () => {
  const current = (pathname: string) =>
    menuFor('admin')
      .flatMap(({ items }) => items)
      .filter((item) => isCurrentItem(item, pathname))
      .map(({ to }) => to)
  expect(current('/admin/assistant')).toEqual(['/admin/assistant'])
  expect(current('/admin/assistant/facts/new')).toEqual(['/admin/assistant'])
  expect(current('/admin/assistant/cases/1')).toEqual(['/admin/assistant/cases'])
})

test('each role has the name of its panel', () => {
  expect((['admin', 'mfa_coordinator', 'pdos_coordinator', 'local_servant'] as const).map(panelLabel)).toEqual([
    'panel_admin',
    'panel_mfa_coordinator',
    'panel_pdos_coordinator',
    'panel_local_servant',
  ])
})
