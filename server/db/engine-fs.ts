import { closeSync, fsyncSync, openSync, readdirSync, statSync, writeSync } from 'node:fs'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

/** Start parameters that put a commit on disk before it is acknowledged. */
export const DURABLE_PARAMETERS = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  // For the other methods the engine calls a stub that does nothing.
  'wal_sync_method=fsync',
]

type InitResult = Awaited<ReturnType<NodeFS['init']>>
interface EngineModule {
  NODEFS: { stream_ops: { fsync?: (stream: { nfd: number }) => number } }
}

/**
 * File system of the embedded database. Adds what the engine's own lacks: fsync, and exiting the process when the
 * engine breaks.
 */
export class EngineFS extends NodeFS {
  /** Number of fsync calls: checked at start-up, in case an engine upgrade renames the hook. */
  syncs = 0
  #isDurable: boolean
  #isOpen = false
  #output: string[] = []

  constructor(folder: string, { isDurable }: { isDurable: boolean }) {
    super(folder)
    this.#isDurable = isDurable
  }

  override async init(...args: Parameters<NodeFS['init']>): Promise<InitResult> {
    const result = await super.init(...args)
    result.emscriptenOpts.onAbort = () => {
      // While opening, the error is thrown to the caller instead.
      if (this.#isOpen) endAtOnce(this.failure())
    }
    if (this.#isDurable)
      result.emscriptenOpts.preRun?.push((module) => {
        ;(module as typeof module & EngineModule).NODEFS.stream_ops.fsync = ({ nfd }: { nfd: number }) => {
          this.syncs++
          waitForDisk(nfd)
          return 0
        }
      })
    return result
  }

  /** From here on a broken engine exits the process. */
  markReady(): void {
    this.#isOpen = true
    this.#output = []
  }

  /** Records a line of the engine's log. */
  readonly readStderr = (line: string): true => {
    if (/FATAL:|PANIC:|could not/.test(line)) this.#output.push(line.replace(/^.*?(FATAL|PANIC|ERROR): +/, ''))
    if (this.#output.length > 10) this.#output.shift()
    return true
  }

  /** The engine's last error. */
  failure(): string {
    return this.#output.at(-1) ?? 'the engine gave up without a reason'
  }
}

function waitForDisk(handle: number): void {
  try {
    fsyncSync(handle)
  } catch (error) {
    // Not thrown: the engine would abort halfway, and its next statement would never return.
    if (!isOfFolder(error as NodeJS.ErrnoException))
      endAtOnce(`the disk did not take what was written (${(error as Error).message})`)
  }
}

/**
 * Exits the process immediately: the state on disk is unknown, and the next start recovers it from the engine's log.
 */
export function endAtOnce(reason: string): never {
  writeSync(
    2,
    `The embedded database stopped: ${reason}.\nThe process exits with code 1. No confirmed data is lost. Check the disk, then start again.\n`,
  )
  process.exit(1)
}

/** Windows cannot open folders; there the file system journal preserves names. */
const isOfFolder = ({ code }: NodeJS.ErrnoException) =>
  process.platform === 'win32' && (code === 'EPERM' || code === 'EISDIR')

/** Syncs a folder and all its contents to disk. */
export function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name)
    if (entry.isDirectory()) syncTree(full)
    else if (entry.isFile()) syncEntry(full)
  }
  syncEntry(folder)
}

/** Syncs one file, or the entries of one folder, to disk. */
export function syncEntry(place: string): void {
  let handle: number | undefined
  try {
    // Windows only syncs writable handles.
    handle = openSync(place, process.platform === 'win32' && statSync(place).isFile() ? 'r+' : 'r')
    fsyncSync(handle)
  } catch (error) {
    if (!isOfFolder(error as NodeJS.ErrnoException)) throw error
  } finally {
    if (handle !== undefined) closeSync(handle)
  }
}
