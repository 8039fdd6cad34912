import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, vi } from 'vitest'
import { runCommand } from '#server/cli.ts'
import { openPglite } from '#server/db/embedded.ts'
import { fillDataDirectory } from './database.ts'

interface Options {
  environment?: Record<string, string>
  /** False: there is no database in the folder yet. */
  hasDatabase?: boolean
}

/** Commands on an embedded database of their own, as on the command line, and a folder for their files. */
export async function commandLine({ environment = {}, hasDatabase = true }: Options = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-cli-'))
  afterAll(() => rm(folder, { recursive: true }))
  if (hasDatabase) await fillDataDirectory(folder)

  /** Runs a command with this text on standard input. */
  async function portalWith(input: string, argv: readonly string[]) {
    const printed: string[] = []
    const complaints: string[] = []
    const complain = vi.spyOn(console, 'error').mockImplementation((text: string) => void complaints.push(text))
    const print = (text: string) => void printed.push(text)
    const settings = { DATA_DIR: folder, DATABASE_SYNC: 'off', ...environment }
    const code = await runCommand([...argv], settings, print, async () => input)
    complain.mockRestore()
    return { code, out: printed.join('\n'), err: complaints.join('\n') }
  }

  return {
    folder,
    portalWith,
    portal: (...argv: string[]) => portalWith('', argv),
    /** Queries the database between two commands. */
    async rows(text: string) {
      const database = await openPglite(folder, { isDurable: false })
      try {
        return (await database.background.pool.query(text)).rows
      } finally {
        await database.close()
      }
    },
  }
}
