import { createHash, randomUUID } from 'node:crypto'
import { constants, copyFileSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Locks the data directory for this process; returns the function that releases it. PGlite has no lock of its own, and
 * two processes on one directory lose each other's rows. Throws with the holder's process id when it is taken.
 */
export function lockDataDirectory(directory: string): () => void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const file = path.join(directory, 'portal.lock')
  const own = `${file}.${process.pid}`
  const text = JSON.stringify({ pid: process.pid, started: processStart(process.pid), id: randomUUID() })
  // Written before it is renamed into place: a concurrent start never reads a partial lock.
  writeFileSync(own, text, { mode: 0o600 })
  try {
    for (let attempt = 0; !takeName(own, file); attempt++) {
      const ownerPid = liveOwnerPid(file)
      if (ownerPid || attempt > 10)
        throw new Error(
          `The data directory ${directory} is in use by process ${ownerPid ?? 'unknown'}. Stop that process, or set another DATA_DIR.`,
        )
      removeStale(file, own)
    }
  } finally {
    rmSync(own, { force: true })
  }
  return () => rmSync(file, { force: true })
}

/** Links a file to its final name, unless that exists. */
function takeName(own: string, file: string): boolean {
  try {
    linkSync(own, file)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    // Some file systems have no hard links.
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP' && code !== 'ENOSYS') throw error
  }
  try {
    copyFileSync(own, file, constants.COPYFILE_EXCL)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/**
 * Removes the lock of a dead process. Between reading a stale lock and removing it, another process may have removed it
 * and taken the directory: so only the holder of a second lock, named by what the stale one says, may remove it, and only
 * while it still says that. No two locks say the same.
 */
function removeStale(file: string, own: string): void {
  const text = readLock(file)
  if (text === undefined) return
  const remover = `${file}.${createHash('sha256').update(text).digest('hex').slice(0, 12)}`
  if (takeName(own, remover)) {
    if (readLock(file) === text) rmSync(file)
    rmSync(remover)
  } else if (!liveOwnerPid(remover)) removeStale(remover, own)
}

function readLock(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** The process that holds the lock, or undefined when it died without releasing it. */
function liveOwnerPid(file: string): number | undefined {
  try {
    const { pid, started } = JSON.parse(readFileSync(file, 'utf8')) as { pid: number; started: string | null }
    // Without start times, our own process id means an earlier run.
    if (pid === process.pid && started === null) return undefined
    process.kill(pid, 0)
    // Process ids are reused after a restart of the machine or container: the start time distinguishes them.
    return started === processStart(pid) ? pid : undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? -1 : undefined
  }
}

/** When a process started, in kernel ticks, where available (Linux); null elsewhere. */
function processStart(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    return null
  }
}
