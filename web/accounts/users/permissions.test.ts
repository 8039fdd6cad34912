import { expect, test } from 'vitest'
import users from '../../../public/locales/en/users.json' with { type: 'json' }
import { RIGHTS } from './permissions.ts'

test('every right in the table of roles has a label', () => {
  const keys = Object.keys(users)
  expect(RIGHTS.length).toBeGreaterThan(5)
  expect(RIGHTS.map(({ name }) => `right_${name}`).filter((key) => !keys.includes(key))).toEqual([])
})
