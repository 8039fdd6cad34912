import type { LoadResult, LoadTask } from './loader.ts'
import { answerOf, helper } from './processes.ts'

/** Asks over a fixed number of kept connections from a process of its own, as fast as answers come or at a pace. */
export function load(task: LoadTask): Promise<LoadResult> {
  return answerOf<LoadResult>(helper('loader.ts', task))
}
