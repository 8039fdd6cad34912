import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readingLevelOf } from './reading-level.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const LOCALES = path.join(ROOT, 'public/locales/en')
/** Texts of visitors and travellers: the namespaces that exist in Tagalog, and the legal pages. */
const NAMESPACES = readdirSync(path.join(ROOT, 'public/locales/tl'))
const LEGAL = ['privacy', 'terms', 'support']
const MAX_GRADE = 8

const texts: [string, string[]][] = [
  ...NAMESPACES.map((file): [string, string[]] => [file.replace('.json', ''), Object.values(readJson(file))]),
  ...LEGAL.map((name): [string, string[]] => [
    `legal/${name}`,
    [readFileSync(path.join(ROOT, `web/content/legal/${name}.en.html`), 'utf8')],
  ]),
]

test(`public texts are written for grade ${MAX_GRADE} at most`, () => {
  const levels = texts.map(([name, list]) => ({ name, ...readingLevelOf(list) })).filter(({ words }) => words > 0)
  console.table(levels)
  expect(levels.length).toBeGreaterThan(15)
  expect(levels.filter(({ grade }) => grade > MAX_GRADE)).toEqual([])
})

test('a long sentence of long words has a high level, a short one a low', () => {
  const hard = 'Notwithstanding governmental recommendations, precautionary considerations necessitate postponement.'
  expect(readingLevelOf([hard]).grade).toBeGreaterThan(16)
  expect(readingLevelOf(['Go to a safe place. Call the police now.']).grade).toBeLessThan(3)
})

function readJson(file: string): Record<string, string> {
  return JSON.parse(readFileSync(path.join(LOCALES, file), 'utf8'))
}
