import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, vi } from 'vitest'
import { runCommand } from '#server/cli.ts'

/** Commands on an embedded database of their own, as on the command line, and a folder for their files. */
export async function commandLine() {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-cli-'))
  afterAll(() => rm(folder, { recursive: true }))
  return {
    folder,
    async portal(...argv: string[]) {
      const printed: string[] = []
      const complaints: string[] = []
      const complain = vi.spyOn(console, 'error').mockImplementation((text: string) => void complaints.push(text))
      const code = await runCommand(argv, { DATA_DIR: folder, DATABASE_SYNC: 'off' }, (text) => void printed.push(text))
      complain.mockRestore()
      return { code, out: printed.join('\n'), err: complaints.join('\n') }
    },
  }
}
