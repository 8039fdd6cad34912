import fc from 'fast-check'
import { expect, test } from 'vitest'
import { accessOfPage, safeReturnTo } from './page-access.ts'

const ORIGIN = 'https://portal.example'

/** Where a browser goes from a page of the portal. */
const goesTo = (address: string) => new URL(address, `${ORIGIN}/login`)

test.each([
  '//evil.example',
  '///evil.example',
  '/..//evil.example',
  '/.//evil.example',
  '/a/../..//evil.example',
  '/\\evil.example',
  '\\/evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  'https://evil.example',
  'https:evil.example',
  'javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,x',
  '/a\\..\\..\\/evil.example',
  'evil.example',
  '@evil.example',
  '',
  ' ',
  '/x'.repeat(300),
])('%j is not a valid return address', (input) => {
  expect(safeReturnTo(input)).toBeNull()
})

test.each(['/', '/dashboard', '/travel-advisories?page=2&country=JP#top', '/a//b', '/%2F%2Fevil.example', '/日本'])(
  '%s stays on the portal',
  (input) => {
    const target = safeReturnTo(input)!
    expect(goesTo(target).origin).toBe(ORIGIN)
    expect(target).toBe(goesTo(input).href.slice(ORIGIN.length))
  },
)

const FRAGMENTS = [
  '/',
  '//',
  '\\',
  '.',
  '..',
  '@',
  ':',
  '#',
  '?',
  '%2f',
  '%5c',
  '\t',
  '\n',
  '\r',
  '\0',
  ' ',
  'https:',
  'javascript:',
  'evil.example',
  'a',
  '\u2028',
  '\u3002',
  '／',
  '＼',
]

test('whatever the input, a browser that follows the result stays on the portal', () => {
  const attack = fc.oneof(
    fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 8 }).map((fragments) => fragments.join('')),
    fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 8 }).map((fragments) => `/${fragments.join('')}`),
    fc.webUrl(),
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'binary' }).map((text) => `/${text}`),
  )
  fc.assert(
    fc.property(attack, (input) => {
      const target = safeReturnTo(input)
      if (target === null) return
      expect(goesTo(target).origin).toBe(ORIGIN)
      // Idempotent: an accepted address is accepted again unchanged.
      expect(safeReturnTo(target)).toBe(target)
    }),
    { numRuns: 5_000 },
  )
})

test('the guard with the longest matching prefix applies, also to data requests', () => {
  expect(accessOfPage('/admin/users/7')).toBe('verifyAccounts')
  expect(accessOfPage('/admin/users.data')).toBe('verifyAccounts')
  expect(accessOfPage('/admin/roles')).toBe('manageUsers')
  expect(accessOfPage('/admin/_root.data')).toBe('overview')
  expect(accessOfPage('/administration')).toBe('anyone')
  expect(accessOfPage('/toString')).toBe('anyone')
})

test('another spelling of a path that the router accepts is the same page', () => {
  for (const path of ['/ADMIN/Users', '/%61dmin/users', '/admin/%55sers.data', '/admin/users//'])
    expect(accessOfPage(path), path).toBe('verifyAccounts')
  // Does not separate segments, and is no valid encoding.
  expect(accessOfPage('/admin%2Fusers')).toBe('anyone')
  expect(accessOfPage('/admin/%zz')).toBe('overview')
})
