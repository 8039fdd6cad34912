import { readdirSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

const PRIORITY = constants.priority.PRIORITY_BELOW_NORMAL

/**
 * Lowers the priority of a background-only process, so that page requests do not wait for a hundred thousand messages.
 * Call before anything else starts: threads inherit the priority from the first.
 */
export function stepBack(): void {
  // Linux sets priority per thread, and V8's garbage collection threads exist before our code runs.
  for (const thread of threads()) attempt(() => setPriority(thread, PRIORITY))
}

function threads(): number[] {
  return attempt(() => readdirSync('/proc/self/task').map(Number)) ?? [0]
}

/** Keeps the normal priority where the process may not lower it or the system does not support it. */
function attempt<T>(fn: () => T): T | undefined {
  try {
    return fn()
  } catch {
    return undefined
  }
}
