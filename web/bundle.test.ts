import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

// The built pages. npm test builds them before.
const ASSETS = path.resolve(import.meta.dirname, '../build/client/assets')

function chunk(name: string): string {
  const files = readdirSync(ASSETS).filter((file) => file.startsWith(`${name}-`) && file.endsWith('.js'))
  expect(files).toHaveLength(1)
  return readFileSync(path.join(ASSETS, files[0]!), 'utf8')
}

test.skipIf(!existsSync(ASSETS))('what every public page downloads has no schemas, forms or pages of users', () => {
  const shell = chunk('shell')
  const contained = ['/church-locator', 'ZodError', '/admin/settings', 'aria-invalid'].filter((text) =>
    shell.includes(text),
  )
  expect(contained).toEqual(['/church-locator'])
})

test.skipIf(!existsSync(ASSETS))('a page loads the code of API calls only with its first call', () => {
  expect(chunk('entry.client').match(/import\s*\{[^}]*\}\s*from\s*"\.\/transport-/)).toBeNull()
})
