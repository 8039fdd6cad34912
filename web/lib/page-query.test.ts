import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { PAGE_QUERY } from '#shared/page-query.ts'

const WEB = path.resolve(import.meta.dirname, '..')
/** Read by the server itself, or in the browser from URLs that are not page URLs. */
const ELSEWHERE = ['lng']

test('every query parameter that a page reads reaches it', () => {
  const files = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file),
  )
  const lost = files.flatMap((file) =>
    [...readFileSync(path.join(WEB, file), 'utf8').matchAll(/arams\.(?:get|getAll|has)\('(\w+)'\)/g)]
      .map(([, name]) => name!)
      .filter((name) => !PAGE_QUERY.has(name) && !ELSEWHERE.includes(name))
      .map((name) => `${file}: ${name}`),
  )
  expect(lost).toEqual([])
})
