import { readdirSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

const PRIORITY = constants.priority.PRIORITY_BELOW_NORMAL

/**
 * Lets other processes of the machine go first, for one that only works in the background: whoever waits for a page does
 * not wait for a hundred thousand messages. Called before anything else starts, since threads take it over from the
 * first.
 */
export function stepBack(): void {
  // Linux counts by threads, and some that tidy up memory are there before any line of ours.
  for (const thread of threads()) attempt(() => setPriority(thread, PRIORITY))
}

function threads(): number[] {
  return attempt(() => readdirSync('/proc/self/task').map(Number)) ?? [0]
}

/** Where a process may not even lower its own, or the system knows no such thing, it works as it is. */
function attempt<T>(fn: () => T): T | undefined {
  try {
    return fn()
  } catch {
    return undefined
  }
}
