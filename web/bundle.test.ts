import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

// The built pages. npm test builds them before.
const ASSETS = path.resolve(import.meta.dirname, '../build/client/assets')

test.skipIf(!existsSync(ASSETS))('what every public page downloads contains neither schemas nor pages of users', () => {
  const shells = readdirSync(ASSETS).filter((file) => /^shell-.*\.js$/.test(file))
  expect(shells).toHaveLength(1)
  const shell = readFileSync(path.join(ASSETS, shells[0]!), 'utf8')
  const contained = ['/church-locator', 'ZodError', '/admin/settings'].filter((text) => shell.includes(text))
  expect(contained).toEqual(['/church-locator'])
})
