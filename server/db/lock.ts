import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'

/**
 * Takes the data directory for this process; returns the function that gives it back. PGlite has no lock of its own,
 * and two processes on one directory lose each other's rows. Throws with the holder's process id when it is taken.
 */
export function lockDataDirectory(directory: string): () => void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const file = path.join(directory, 'portal.lock')
  for (let attempt = 0; ; attempt++) {
    try {
      const handle = openSync(file, 'wx')
      writeSync(handle, JSON.stringify({ pid: process.pid, started: processStart(process.pid) }))
      closeSync(handle)
      return () => rmSync(file, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt > 1) throw error
      const holder = livingHolder(file)
      if (holder)
        throw new Error(
          `The data directory ${directory} is in use by process ${holder}. Stop that process, or give this one another DATA_DIR.`,
        )
      rmSync(file, { force: true })
    }
  }
}

/** The process that holds the lock, or undefined when it died without giving it back. */
function livingHolder(file: string): number | undefined {
  try {
    const { pid, started } = JSON.parse(readFileSync(file, 'utf8')) as { pid: number; started: string | null }
    if (pid === process.pid) return undefined
    process.kill(pid, 0)
    // A process id is used again after a restart of the machine or container: the start time tells the two apart.
    return started === processStart(pid) ? pid : undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? -1 : undefined
  }
}

/** When a process began, in kernel ticks, where the system tells (Linux); null elsewhere. */
function processStart(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    return null
  }
}
