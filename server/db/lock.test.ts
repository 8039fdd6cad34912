import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { lockDataDirectory } from './lock.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'portal-lock-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = path.join(folder, 'portal.lock')
const LOCK = new URL('lock.ts', import.meta.url).href

// Elsewhere the start time of a process is unknown.
test.runIf(process.platform === 'linux')(
  'a second process is refused with the id of the one that holds the lock',
  () => {
    const unlock = lockDataDirectory(folder)
    expect(() => lockDataDirectory(folder)).toThrow(`in use by process ${process.pid}`)
    unlock()
    expect(readdirSync(folder)).toEqual([])
  },
)

test.each([
  ['of a process that died', JSON.stringify({ pid: spawnSync(process.execPath, ['-e', '']).pid, started: null })],
  ['of a process whose number another has now', JSON.stringify({ pid: process.pid, started: '1' })],
  ['that a power cut left empty', ''],
])('a lock %s is taken over', (_, text) => {
  writeFileSync(file, text)
  const unlock = lockDataDirectory(folder)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ pid: process.pid })
  unlock()
  expect(existsSync(file)).toBe(false)
})

test('of many concurrent starts over a stale lock, one gets the directory', async () => {
  writeFileSync(file, JSON.stringify({ pid: spawnSync(process.execPath, ['-e', '']).pid, started: null }))
  const program = `
    const { lockDataDirectory } = await import(${JSON.stringify(LOCK)})
    process.stdin.once('data', () => {
      try { lockDataDirectory(${JSON.stringify(folder)}); console.log('taken') } catch (error) { console.log(error.message) }
      process.stdin.once('data', () => process.exit())
    })
    console.log('ready')`
  const children = Array.from({ length: 6 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] }),
  )
  const outputs = async () =>
    Promise.all(children.map(async (child) => String((await once(child.stdout, 'data'))[0]).trim()))
  expect(new Set(await outputs())).toEqual(new Set(['ready']))
  const answers = outputs()
  for (const child of children) child.stdin.write('go\n')
  const replies = await answers
  expect(replies.filter((answer) => answer === 'taken')).toHaveLength(1)
  for (const answer of replies.filter((answer) => answer !== 'taken')) expect(answer).toContain('is in use by process')
  for (const child of children) child.stdin.write('end\n')
  await Promise.all(children.map((child) => once(child, 'exit')))
})
