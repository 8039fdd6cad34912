import { expect, test } from 'vitest'
import { ACCESS, type Access, mayPass, ROLES } from '#shared/roles.ts'
import { CAPABILITIES, rightsOf } from './capabilities.ts'

test('every access-table row that names roles belongs to a capability', () => {
  const rows = (Object.keys(ACCESS) as Access[]).filter((row) => Array.isArray(ACCESS[row]))
  const listed = new Set<Access>(CAPABILITIES.flatMap(({ see, change }) => [...see, ...change]))
  expect(rows.filter((row) => !listed.has(row))).toEqual([])
})

test.each(ROLES)('%s can see and change exactly what the access table allows', (role) => {
  for (const { key, see, change } of rightsOf(role)) {
    const capability = CAPABILITIES.find((candidate) => candidate.key === key)!
    expect([key, see, change]).toEqual([
      key,
      capability.see.some((row) => mayPass(row, role)),
      capability.change.some((row) => mayPass(row, role)),
    ])
  }
})

test('a PDOS coordinator cannot open cases or start roll calls; only an administrator changes the system', () => {
  const rights = (role: (typeof ROLES)[number]) => Object.fromEntries(rightsOf(role).map((row) => [row.key, row]))
  expect(rights('pdos_coordinator')).toMatchObject({ cases: { see: false }, roll_calls: { see: false } })
  expect(rights('mfa_coordinator')).toMatchObject({ chapters: { see: true, change: false }, system: { see: false } })
  expect(ROLES.filter((role) => rights(role).system!.change)).toEqual(['admin'])
})
