import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { awaitsSample } from '#server/db/data-directory.ts'
import { commandLine } from '#server/testing/command-line.ts'
import { fillDataDirectory } from '#server/testing/database.ts'

const { folder, portal } = await commandLine({ hasDatabase: false })
const outside = mkdtempSync(path.join(tmpdir(), 'portal-backups-'))
afterAll(() => rmSync(outside, { recursive: true, force: true }))
const to = path.join(outside, 'backups')

test('a backup of nothing, to nowhere, or of a running portal is refused with a readable error', async () => {
  expect(await portal('backup', '--to', to)).toMatchObject({
    code: 1,
    err: expect.stringContaining('No portal found in'),
  })
  expect(existsSync(path.join(folder, 'pglite'))).toBe(false)
  expect(await portal('backup')).toMatchObject({ code: 2, err: expect.stringContaining('--to needs the folder') })
  expect(await portal('backup', '--to', to, '--keep', '0')).toMatchObject({ code: 2 })
  expect(await portal('backup', '--to', to, '--passphrase-file', '/nowhere')).toMatchObject({ code: 1 })
  expect(await portal('restore')).toMatchObject({ code: 2, err: expect.stringContaining('--check') })
  expect(await portal('restore', '--from', to)).toMatchObject({
    code: 1,
    err: expect.stringContaining('no whole backup'),
  })
})

test('a backup is made, tested and restored by command', { timeout: 240_000 }, async () => {
  await fillDataDirectory(folder)
  await portal('admin:create', '--email', 'ruth@example.org', '--name', 'Ruth Cruz')
  const portalProcess = await runningPortal()
  expect(await portal('backup', '--to', to)).toMatchObject({ code: 1, err: expect.stringContaining('Back up now') })
  expect(await portal('restore', '--check', to)).toMatchObject({ code: 1 })
  portalProcess.kill('SIGKILL')
  await once(portalProcess, 'exit')

  const file = path.join(outside, 'passphrase')
  writeFileSync(file, 'correct horse battery staple\n')
  const made = await portal('backup', '--to', to, '--passphrase-file', file)
  expect(made.code).toBe(0)
  expect(made.out.split('\n')[0]).toBe(path.join(to, readdirSync(to)[0]!))
  expect(await portal('restore', '--from', to)).toMatchObject({ code: 1, err: expect.stringContaining('encrypted') })
  const name = path.basename(folder)
  const withoutReplace = await portal('restore', '--from', to, '--passphrase-file', file)
  expect(withoutReplace).toMatchObject({ code: 1, err: expect.stringContaining(`add --replace ${name}`) })
  expect(await portal('restore', '--from', to, '--passphrase-file', file, '--replace', 'other')).toMatchObject({
    code: 2,
  })

  rmSync(folder, { recursive: true })
  const restored = await portal('restore', '--from', to, '--passphrase-file', file)
  // The user has a password link, and those end with a restore.
  expect(restored).toMatchObject({ code: 3, err: expect.stringContaining('No administrator can sign in') })
  expect(restored.out).toContain('match the backup')
  expect((await portal('users:list')).out).toContain('ruth@example.org')
  // Demo logins with a known password never come into restored data.
  expect(awaitsSample(folder)).toBe(false)
})

/** Another process that locks the data directory. */
async function runningPortal() {
  const lock = new URL('../db/lock.ts', import.meta.url).href
  const script = `const { lockDataDirectory } = await import(${JSON.stringify(lock)})
    lockDataDirectory(${JSON.stringify(folder)})
    process.send('locked')
    process.stdin.resume()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
  })
  await once(child, 'message')
  return child
}
