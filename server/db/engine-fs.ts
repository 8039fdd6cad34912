import { closeSync, fsyncSync, openSync, readdirSync, statSync, writeSync } from 'node:fs'
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

type InitResult = Awaited<ReturnType<NodeFS['init']>>
interface EngineModule {
  NODEFS: { stream_ops: { fsync?: (stream: { nfd: number }) => number } }
}

/**
 * The folder of the embedded database, with what the engine's own file system lacks: fsync, and an end of the process
 * when the engine breaks.
 */
export class EngineFS extends NodeFS {
  /** How often the disk was waited for: proves at the start that an upgrade has not renamed what this hangs on. */
  syncs = 0
  #isDurable: boolean
  #isOpen = false
  #said: string[] = []

  constructor(folder: string, { isDurable }: { isDurable: boolean }) {
    super(folder)
    this.#isDurable = isDurable
  }

  override async init(...args: Parameters<NodeFS['init']>): Promise<InitResult> {
    const result = await super.init(...args)
    result.emscriptenOpts.onAbort = () => {
      // While it is being opened, the failure is thrown to whoever opens it.
      if (this.#isOpen) endAtOnce(this.failure())
    }
    if (this.#isDurable)
      result.emscriptenOpts.preRun?.push((module) => {
        ;(module as unknown as EngineModule).NODEFS.stream_ops.fsync = ({ nfd }) => {
          this.syncs++
          waitForDisk(nfd)
          return 0
        }
      })
    return result
  }

  /** From here on a broken engine ends the process. */
  markReady(): void {
    this.#isOpen = true
    this.#said = []
  }

  /** Takes a line of the engine's log. */
  readonly hear = (line: string): true => {
    if (/FATAL:|PANIC:|could not/.test(line)) this.#said.push(line.replace(/^.*?(FATAL|PANIC|ERROR): +/, ''))
    if (this.#said.length > 10) this.#said.shift()
    return true
  }

  /** What the engine said of its end. */
  failure(): string {
    return this.#said.at(-1) ?? 'the engine gave up without a reason'
  }
}

function waitForDisk(handle: number): void {
  try {
    fsyncSync(handle)
  } catch (error) {
    // Not thrown: the engine would give up in the middle, and its next statement would never return.
    if (!isOfFolder(error as NodeJS.ErrnoException))
      endAtOnce(`the disk did not take what was written (${(error as Error).message})`)
  }
}

/** Ends the process where it stands: nobody knows what is on the disk now; a start reads the engine's log and knows. */
export function endAtOnce(reason: string): never {
  writeSync(
    2,
    `The embedded database stopped: ${reason}.\nThe process ends here, with code 1. Nothing that was confirmed is lost; look at the disk, then start again.\n`,
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
    else if (entry.isFile()) syncEntry(full)
  }
  syncEntry(folder)
}

/** Puts one file, or the names in one folder, onto the disk. */
export function syncEntry(place: string): void {
  let handle: number | undefined
  try {
    // Windows syncs only what may be written.
    handle = openSync(place, process.platform === 'win32' && statSync(place).isFile() ? 'r+' : 'r')
    fsyncSync(handle)
  } catch (error) {
    if (!isOfFolder(error as NodeJS.ErrnoException)) throw error
  } finally {
    if (handle !== undefined) closeSync(handle)
  }
}
