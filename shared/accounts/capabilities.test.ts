import { expect, test } from 'vitest'
import { ACCESS, type Access, mayPass, ROLES } from '#shared/roles.ts'
import { CAPABILITIES, rightsOf } from './capabilities.ts'

test('every row of the access table that names roles belongs to an area', () => {
  const rows = (Object.keys(ACCESS) as Access[]).filter((row) => Array.isArray(ACCESS[row]))
  const listed = new Set<Access>(CAPABILITIES.flatMap(({ see, change }) => [...see, ...change]))
  expect(rows.filter((row) => !listed.has(row))).toEqual([])
})

test.each(ROLES)('%s sees and changes what the access table lets it pass', (role) => {
  for (const { key, see, change } of rightsOf(role)) {
    const capability = CAPABILITIES.find((candidate) => candidate.key === key)!
    expect([key, see, change]).toEqual([
      key,
      capability.see.some((row) => mayPass(row, role)),
      capability.change.some((row) => mayPass(row, role)),
    ])
  }
})

test('a coordinator of PDOS looks into no case and calls no roll; only an administrator changes the system', () => {
  const rights = (role: (typeof ROLES)[number]) => Object.fromEntries(rightsOf(role).map((row) => [row.key, row]))
  expect(rights('pdos_coordinator')).toMatchObject({ cases: { see: false }, roll_calls: { see: false } })
  expect(rights('mfa_coordinator')).toMatchObject({ chapters: { see: true, change: false }, system: { see: false } })
  expect(ROLES.filter((role) => rights(role).system!.change)).toEqual(['admin'])
})
