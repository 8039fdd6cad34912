import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { GROUPS, nameKey, TEMPLATE_GROUPS } from './template-groups.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const read = (file: string) => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'))

test('every message has a name and a group, and there are no others', () => {
  const templates = Object.keys(read('server/delivery/templates/texts/en.json').templates)
  const grouped: string[] = GROUPS.flatMap((group) => [...TEMPLATE_GROUPS[group]])
  expect(grouped.toSorted()).toEqual(templates.toSorted())
  for (const language of ['en', 'ar']) {
    const texts = read(`public/locales/${language}/announcements.json`)
    for (const template of templates) expect(texts[nameKey(template)], template).toBeTruthy()
    for (const group of GROUPS) expect(texts[`group_${group}`], group).toBeTruthy()
  }
})
