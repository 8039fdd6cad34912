import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { addEnvFile } from './env-file.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'portal-env-'))
afterAll(() => rmSync(folder, { recursive: true }))

function read(name: string, text: string | undefined, environment: Record<string, string | undefined> = {}) {
  const place = path.join(folder, name)
  mkdirSync(place)
  if (text !== undefined) writeFileSync(path.join(place, '.env'), text, { mode: 0o600 })
  const lines: string[] = []
  addEnvFile(environment, place, (line) => lines.push(line))
  return { environment, output: lines.join('\n') }
}

test('the file is read and logged, and the environment takes precedence', () => {
  const { environment, output } = read('both', '# ours\nPORT=4000\nMAIL_FROM="A <a@b.example>"\r\nHOST=0.0.0.0\n', {
    HOST: '127.0.0.1',
  })
  expect(environment).toEqual({ PORT: '4000', MAIL_FROM: 'A <a@b.example>', HOST: '127.0.0.1' })
  expect(output).toMatch(/Settings read from .*\.env: 2, and 1 overridden by the environment$/)
})

test('a missing file is not reported', () => {
  expect(read('none', undefined)).toEqual({ environment: {}, output: '' })
})

test.skipIf(process.platform === 'win32')('a world-readable file is reported', () => {
  const place = path.join(folder, 'open')
  mkdirSync(place)
  writeFileSync(path.join(place, '.env'), 'PORT=1')
  chmodSync(path.join(place, '.env'), 0o644)
  const lines: string[] = []
  addEnvFile({}, place, (line) => lines.push(line))
  expect(lines[1]).toContain('chmod 600')
})

test('an unreadable file stops the start', () => {
  const place = path.join(folder, 'directory')
  mkdirSync(path.join(place, '.env'), { recursive: true })
  expect(() => addEnvFile({}, place, () => {})).toThrow('it is a directory')
})
