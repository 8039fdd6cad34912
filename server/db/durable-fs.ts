import { closeSync, fsyncSync, lstatSync, openSync, readdirSync, writeSync } from 'node:fs'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

/** What the engine is started with so that a commit is on the disk before it is answered. */
export const DURABLE_PARAMETERS = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  // The engine's other methods end in a function that does nothing.
  'wal_sync_method=fsync',
]

type Opened = Awaited<ReturnType<NodeFS['init']>>
interface Stream {
  nfd: number
}
interface EngineModule {
  NODEFS: { stream_ops: { fsync?: (stream: Stream) => number }; tryFSOperation: (fn: () => void) => void }
}

/**
 * The directory of the embedded database, with the one call that the engine's own file system lacks: fsync. `syncs`
 * counts them, for a proof at the start that an upgrade has not renamed what this hangs on.
 */
export class DurableNodeFS extends NodeFS {
  syncs = 0

  override async init(...given: Parameters<NodeFS['init']>): Promise<Opened> {
    const opened = await super.init(...given)
    opened.emscriptenOpts.preRun?.push((module) => {
      const { NODEFS } = module as unknown as EngineModule
      NODEFS.stream_ops.fsync = ({ nfd }) => {
        this.syncs++
        try {
          fsyncSync(nfd)
        } catch (error) {
          if (isOfFolder(error as NodeJS.ErrnoException)) return 0
          endAtOnce(`the disk did not take what was written (${(error as Error).message})`)
        }
        return 0
      }
    })
    return opened
  }
}

/**
 * Ends the process where it stands. After a failed fsync nobody knows what is on the disk, and the engine's next
 * statement would never return; a start reads the log and knows.
 */
export function endAtOnce(reason: string): never {
  writeSync(
    2,
    `The embedded database stopped: ${reason}.\nThe process ends here and now; nothing that was confirmed is lost. Start it again.\n`,
  )
  process.exit(1)
}

/** Windows opens no folders; there the file system's own journal keeps names. */
const isOfFolder = ({ code }: NodeJS.ErrnoException) =>
  process.platform === 'win32' && (code === 'EPERM' || code === 'EISDIR')

/** Puts a folder with all that is in it onto the disk. */
export function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name)
    if (entry.isDirectory()) syncTree(full)
    else if (entry.isFile()) syncOne(full)
  }
  syncOne(folder)
}

/** Puts one file, or the names in one folder, onto the disk. */
export function syncOne(place: string): void {
  let handle: number | undefined
  try {
    handle = openSync(place, process.platform === 'win32' && !lstatSync(place).isDirectory() ? 'r+' : 'r')
    fsyncSync(handle)
  } catch (error) {
    if (!isOfFolder(error as NodeJS.ErrnoException)) throw error
  } finally {
    if (handle !== undefined) closeSync(handle)
  }
}
