import { fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'

/** A workbook with one sheet of texts without formulas. Created in a child process with low priority. */
export function writeXlsx(sheet: string, batches: Iterable<string[][]>): Promise<Uint8Array<ArrayBuffer>> {
  const child = fork(new URL('./xlsx-process.ts', import.meta.url), [sheet], {
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  try {
    if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Where the system does not allow it, the process runs at normal priority.
  }
  return new Promise((resolve, reject) => {
    child.on('message', (workbook) => resolve(new Uint8Array(workbook as Uint8Array)))
    child.on('error', reject)
    child.on('exit', () => reject(new Error('The workbook was not written.')))
    for (const lines of batches) child.send(lines)
    child.send(null as never)
  })
}
