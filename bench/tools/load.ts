import type { LoadResult, LoadTask } from './loader.ts'
import { answerOf, helper } from './processes.ts'

/**
 * Sends requests over a fixed number of keep-alive connections from a separate process, at full speed or at a fixed
 * rate.
 */
export function load(task: LoadTask): Promise<LoadResult> {
  return answerOf<LoadResult>(helper('loader.ts', task))
}
