import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { refusedLicences } from '../licences.mjs'

const lockfile = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../package-lock.json'), 'utf8'))

test('every package has a permitted licence', () => {
  expect(Object.keys(lockfile.packages).length).toBeGreaterThan(100)
  expect(refusedLicences(lockfile)).toEqual([])
})

test('a package without a licence, or with a restrictive one, is reported', () => {
  const packages = {
    '': {},
    'node_modules/a': { license: 'AGPL-3.0' },
    'node_modules/b/node_modules/@x/c': {},
    'node_modules/d': { license: '(MIT OR GPL-3.0)' },
    'node_modules/e': { license: '(MIT AND GPL-3.0)' },
  }
  expect(refusedLicences({ packages })).toEqual(['a: AGPL-3.0', '@x/c: none named', 'e: (MIT AND GPL-3.0)'])
})
