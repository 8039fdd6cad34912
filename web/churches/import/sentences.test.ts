import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { localeImports } from '#shared/churches/imports.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const FOLDERS = ['server/imports', 'server/imports/files', 'server/churches/import']
const textsOf = (name: string, language = 'en'): Record<string, string> =>
  JSON.parse(readFileSync(path.join(ROOT, `public/locales/${language}/${name}.json`), 'utf8'))

test('every user-facing sentence of an import is in the locale files', () => {
  const known = new Set(['imports', 'importChurches', 'forms'].flatMap((name) => Object.keys(textsOf(name))))
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder))
      .filter((name) => name.endsWith('.ts') && !/\.test\.|testing/.test(name))
      .map((name) => path.join(ROOT, folder, name)),
  )
  const sentences = files.flatMap((name) => {
    const lines = readFileSync(name, 'utf8').split('\n')
    const code = lines.filter((line) => !/^\s*(\*|\/\/|\/\*)|log\.|new Error\(/.test(line)).join('\n')
    return [...code.matchAll(/'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\\n]|\\.)*)`/g)]
      .map(([, plain, filled]) => (plain ?? filled ?? '').replace(/\$\{[^}]*\}/, '{{n}}'))
      .filter((text) => /^[A-Z]\w*,? .*\.$/.test(text))
  })
  expect(sentences.length).toBeGreaterThan(35)
  expect(sentences.filter((sentence) => !known.has(sentence))).toEqual([])
})

test.each(['en', 'ar'])('every field, problem and reason has a text in %s', (language) => {
  const { Problem, Duplicate, Import } = localeImports.schemas
  const reasons = ['changed', 'removed', 'made', 'no_chapter', 'has_more', 'loosens']
  const keys = [
    ...localeImports.fields.map((field) => `field_${field}`),
    ...Problem.shape.code.options.map((code) => `problem_${code}`),
    ...Duplicate.shape.why.options.map((why) => `why_${why}`),
    ...Import.shape.refusal.unwrap().shape.code.options.map((code) => `refusal_${code}`),
    ...reasons.map((reason) => `because_${reason}`),
    ...['imports_title', 'back_to_records', 'upload_about', 'open_record', 'done_published'],
  ]
  const known = new Set(['imports', 'importChurches'].flatMap((name) => Object.keys(textsOf(name, language))))
  expect(keys.filter((key) => !known.has(key))).toEqual([])
})
