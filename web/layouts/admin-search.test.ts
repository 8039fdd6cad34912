import { describe, expect, test } from 'vitest'
import { ROLES } from '#shared/roles.ts'
import { findPage, mapped, namedPages, pagesLike } from './admin-search.ts'

const PAGES = [
  { to: '/admin', label: 'Overview' },
  { to: '/admin/users', label: 'Users' },
  { to: '/admin/data', label: 'Data Management' },
]

describe('keyword table of the specification', () => {
  test.each([
    ['dashboard', '/admin'],
    ['home', '/admin'],
    ['admin', '/admin'],
    ['users', '/admin/users'],
    ['pdos', '/admin/pdos-applications'],
    ['applications', '/admin/pdos-applications'],
    ['ai', '/ai-chat'],
    ['chat', '/ai-chat'],
    ['assistant', '/ai-chat'],
    ['advisories', '/travel-advisories'],
    ['church', '/church-locator'],
    ['locator', '/church-locator'],
    ['inquiries', '/inquiries'],
    ['user maria', '/admin/users?search=maria'],
  ])('%s leads to %s', (term, to) => {
    expect(mapped(term)).toBe(to)
  })

  test('keywords of one row combine, in any case and with surrounding spaces', () => {
    expect(mapped('  PDOS   Applications ')).toBe('/admin/pdos-applications')
    expect(mapped('church/locator')).toBe('/church-locator')
    expect(mapped('AI chat')).toBe('/ai-chat')
  })

  test('keywords of two rows, partial and unknown words match no row', () => {
    for (const term of ['users advisories', 'user', 'adm', 'maria', '', ' ', 'constructor'])
      expect(mapped(term)).toBeNull()
  })

  test('a name after "user" is passed on whole, whatever it contains', () => {
    expect(mapped('user Maria de la Cruz')).toBe('/admin/users?search=maria%20de%20la%20cruz')
    expect(mapped('user a&role=admin')).toBe('/admin/users?search=a%26role%3Dadmin')
    expect(mapped('user أحمد')).toBe(`/admin/users?search=${encodeURIComponent('أحمد')}`)
  })
})

test('subpages are found by their own name, by users who may open them', () => {
  const named = (role: Parameters<typeof namedPages>[0]) => namedPages(role, (key) => key).map(({ to }) => to)
  expect(named('admin')).toEqual(expect.arrayContaining(['/admin/notifications', '/admin/notifications/templates']))
  expect(named('mfa_coordinator').filter((to) => to.startsWith('/admin/notifications'))).toEqual([
    '/admin/notifications',
    '/admin/notifications/new',
  ])
})

describe('what Enter finds', () => {
  test('administrators are sent to existing pages', () => {
    expect(findPage('home', 'admin', PAGES)).toBe('/admin')
    expect(findPage('users', 'admin', PAGES)).toBe('/admin/users')
    expect(findPage('user maria', 'admin', PAGES)).toBe('/admin/users?search=maria')
    expect(findPage('advisories', 'admin', PAGES)).toBe('/travel-advisories')
    expect(findPage('chat', 'admin', PAGES)).toBe('/ai-chat')
  })

  test('assistant facts are found by administrators only', () => {
    expect(findPage('hotlines', 'admin', PAGES)).toBe('/admin/assistant/facts')
    expect(findPage('knowledge', 'admin', PAGES)).toBe('/admin/assistant/knowledge')
    expect(findPage('unanswered questions', 'admin', PAGES)).toBe('/admin/assistant')
    for (const term of ['facts', 'knowledge', 'unanswered']) expect(findPage(term, 'mfa_coordinator', [])).toBeNull()
  })

  test('a page is found by its name in the menu', () => {
    expect(findPage('data management', 'admin', PAGES)).toBe('/admin/data')
    expect(findPage('overview', 'local_servant', [{ to: '/admin/coordinator', label: 'Overview' }])).toBe(
      '/admin/coordinator',
    )
  })

  test('a page the role may not open is no match', () => {
    for (const role of ROLES.filter((name) => name !== 'admin'))
      expect(findPage('home', role, []), `${role}: home`).toBeNull()
    for (const role of ['traveler', 'member', 'coordinator'] as const)
      for (const term of ['users', 'user maria']) expect(findPage(term, role, []), `${role}: ${term}`).toBeNull()
    expect(findPage('user maria', 'mfa_coordinator', [])).toBe('/admin/users?search=maria')
  })

  test('a page that does not exist yet is no match', () => {
    for (const term of ['pdos', 'inquiries']) expect(findPage(term, 'admin', PAGES)).toBeNull()
  })

  test('pages are suggested by part of their name', () => {
    expect(pagesLike('man', PAGES)).toEqual([{ to: '/admin/data', label: 'Data Management' }])
    expect(pagesLike('', PAGES)).toEqual([])
  })
})
