import { expect, test } from 'vitest'
import { nearestPage, PAGE_PATHS, PAGES, pageAt, pageLanguage } from './pages.ts'

test('the page above another in breadcrumbs exists, and has a name in them', () => {
  const parents = PAGE_PATHS.flatMap((path) => PAGES[path].parent ?? [])
  expect(parents).not.toEqual([])
  for (const parent of parents) expect(PAGES[parent as keyof typeof PAGES]?.crumb, parent).toBeDefined()
})

test('no two pages share a place in a group of the admin menu', () => {
  for (const group of ['core', 'system', 'operations'] as const) {
    const places = PAGE_PATHS.flatMap((path) => PAGES[path].menu?.[group] ?? [])
    expect(places.toSorted((a, b) => a - b)).toEqual(places.map((_, index) => index + 1))
  }
})

test('a page is found by its path, rather by its own than by that of a record', () => {
  expect(pageAt('/')?.path).toBe('/')
  expect(pageAt('/_root.data')?.path).toBe('/')
  expect(pageAt('/admin/users/7')?.path).toBe('/admin/users/:id')
  expect(pageAt('/admin/users/sign-ins')?.path).toBe('/admin/users/sign-ins')
  expect(pageAt('/answer/Secret.data')?.isPrivate).toBe(true)
  expect(pageAt('/answer/a/b')).toBeUndefined()
  expect(pageAt('/constructor')).toBeUndefined()
})

test('what a page does not state is that of the nearest page above it, which the landing page never is', () => {
  expect(nearestPage('/login/code', 'isUrgent')?.path).toBe('/login')
  expect(nearestPage('/admin/assistant/cases/1', 'menu')?.path).toBe('/admin/assistant/cases')
  expect(nearestPage('/support', 'nav')).toBeUndefined()
})

test('readers of Tagalog see the administration in English, whatever the form of the address', () => {
  for (const path of ['/admin', '/admin/users', '/Admin/', '/%61dmin/users', '/admin.data', '/admin/users.data'])
    expect([path, pageLanguage(path, 'tl'), pageLanguage(path, 'ar')]).toEqual([path, 'en', 'ar'])
  for (const path of ['/', '/dashboard', '/administration', '/countries/admin'])
    expect([path, pageLanguage(path, 'tl')]).toEqual([path, 'tl'])
})
