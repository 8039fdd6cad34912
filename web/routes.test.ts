import { existsSync } from 'node:fs'
import path from 'node:path'
import type { RouteConfigEntry } from '@react-router/dev/routes'
import { expect, test } from 'vitest'
import { PAGE_PATHS } from '#shared/pages/pages.ts'
import routes from './routes.ts'

const all = (entries: RouteConfigEntry[]): RouteConfigEntry[] =>
  entries.flatMap((entry) => [entry, ...all(entry.children ?? [])])
const entries = all(routes)

test('every page has one component, and nothing else is a page', () => {
  const paths = entries.filter(({ file }) => file.endsWith('Page.tsx') && !/NotFound/.test(file))
  expect(paths.map((entry) => `/${entry.path ?? ''}`).toSorted()).toEqual(PAGE_PATHS.toSorted())
})

test('the file of every route exists', () => {
  expect(entries.map(({ file }) => file).filter((file) => !existsSync(path.join(import.meta.dirname, file)))).toEqual(
    [],
  )
})
