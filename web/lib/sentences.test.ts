import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '../..')
const FOLDERS = ['server/accounts', 'shared/accounts']

/** For API clients, the log or part of a URL; no page shows them. */
const NOT_SHOWN =
  /^(Bearer |The grant |This refresh token|Sign-in through an organisation|No account was found|This account is suspended\.$|The device did not ask|Google could not be asked|Samsung Internet|Too many attempts\. Please try again in \{\{n\}\}\.$|New account$|A new account waits|The id of a user)/

const forms = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(path.join(ROOT, `public/locales/${language}/forms.json`), 'utf8'))

/** Every quoted text that begins like a sentence, with numbers and interpolations as placeholders. */
function sentencesOf(file: string): string[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  const code = lines.filter((line) => !/^\s*(\*|\/\/|\/\*)|describe\(|\.log\.|new Error\(/.test(line)).join('\n')
  const quoted = [
    ...code.replace(/summary:\s*('[^']*'|`[^`]*`)/g, '').matchAll(/'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\\n]|\\.)*)`/g),
  ]
  return quoted
    .map(([, plain, filled]) => (plain ?? filled ?? '').replace(/\$\{[^}]*\}/, '{{n}}').replace(/\d+/, '{{n}}'))
    .filter((text) => /^[A-Z][a-z]* /.test(text) && !NOT_SHOWN.test(text))
}

const known = new Set(Object.keys(forms('en')).map((key) => key.replace(/\d+/, '{{n}}')))

test('every user-facing sentence of the accounts is in both languages', () => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder))
      .filter((name) => name.endsWith('.ts') && !name.includes('.test.'))
      .map((name) => path.join(ROOT, folder, name)),
  )
  const sentences = files.flatMap(sentencesOf)
  expect(sentences.length).toBeGreaterThan(40)
  expect(sentences.filter((sentence) => !known.has(sentence))).toEqual([])
})

test('no English text is shown to Arabic users', () => {
  for (const [sentence, text] of Object.entries(forms('ar'))) expect(text, sentence).toMatch(/[\u0621-\u064a]/)
})
