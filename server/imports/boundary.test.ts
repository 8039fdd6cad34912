import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '../..')
const COMMENTS = /\/\*\*.*?\*\/|\/\/ .*?$/gms
/** What records of any kind may need. */
const ALLOWED = {
  'server/imports': [
    'accounts',
    'audit',
    'contract',
    'countries',
    'db',
    'errors',
    'http',
    'imports',
    'jobs',
    'log',
    'table',
  ],
  'shared/imports': ['common-schemas', 'contract', 'files', 'imports', 'roles', 'table'],
  'web/imports': ['errors', 'imports', 'language', 'lib', 'table', 'ui'],
}

test.each(Object.entries(ALLOWED))('%s knows no capability whose records are imported', (folder, allowed) => {
  const files = readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
  const sources = files.filter((name) => /\.tsx?$/.test(name) && !/\.test\.|testing/.test(name))
  expect(sources.length).toBeGreaterThan(3)
  const strangers = sources.flatMap((name) => {
    const text = readFileSync(path.join(ROOT, folder, name), 'utf8').replace(COMMENTS, '')
    const imported = [...text.matchAll(/from '#(?:server|shared|web)\/([\w-]+)/g)].map(([, capability]) => capability)
    const outside = [...text.matchAll(/from '((?:\.\.\/)+[^']+)'/g)].map(([, address = '']) =>
      path.relative(path.join(ROOT, folder), path.resolve(ROOT, folder, path.dirname(name), address)),
    )
    return [
      ...imported.filter((capability = '') => !allowed.includes(capability)),
      ...outside.filter((address) => address.startsWith('..') && !address.endsWith('/locales/en/imports.json')),
      ...(/church|(?<!Canonical)locale/i.exec(text.replaceAll('/locales/en/', '')) ?? []),
    ].map((stranger) => `${name}: ${stranger}`)
  })
  expect(strangers).toEqual([])
})
