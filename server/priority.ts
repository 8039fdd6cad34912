import { constants, setPriority } from 'node:os'

/**
 * Lets other processes of the machine go first, for one that only works in the background: whoever waits for a page does
 * not wait for a hundred thousand messages. Called before anything starts, since threads take it over from the first.
 */
export function stepBack(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Where a process may not even lower its own, it works as it is.
  }
}
