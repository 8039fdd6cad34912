import { rmSync } from 'node:fs'
import path from 'node:path'
import { type Cut, cutPowerOnce, makeDisk } from '#server/testing/power-cuts.ts'
import { count, type Row } from './report.ts'

/** Number of rows before each power cut; every second database is a new one. */
const ROWS = [10, 40, 90, 150, 210, 330, 400, 520, 650, 800]
const CUTS_WITHOUT = 3

/** Simulates power cuts while the embedded database writes, by default and with DATABASE_SYNC=off. */
export async function measure(): Promise<Row[]> {
  const disk = makeDisk()
  if (typeof disk === 'string') {
    console.error(`  not measured: ${disk}`)
    return []
  }
  const cut = async (rows: number[], isDurable: boolean) => {
    const cuts: Cut[] = []
    for (const [i, after] of rows.entries()) {
      if (i % 2 === 0 || cuts.at(-1)?.damage) rmSync(path.join(disk.folder, 'data'), { recursive: true, force: true })
      const result = await cutPowerOnce(disk, after, isDurable)
      cuts.push(result)
      console.error(`  ${isDurable ? 'as it is' : 'DATABASE_SYNC=off'}: ${JSON.stringify(result)}`)
    }
    return cuts
  }
  try {
    const durable = await cut(ROWS, true)
    const fast = await cut(ROWS.slice(0, CUTS_WITHOUT), false)
    return [
      {
        what: `${durable.length} power cuts: confirmed rows lost (of all), databases damaged`,
        budget: '0, 0',
        measured: lossOf(durable),
        baseline: `${lossOf(fast)} in ${fast.length} cuts with DATABASE_SYNC=off`,
        ratio: '',
        isMet: durable.every(({ lost, damage }) => lost === 0 && damage === null),
      },
    ]
  } finally {
    disk.remove()
  }
}

function lossOf(cuts: Cut[]): string {
  const sum = (of: (cut: Cut) => number) => cuts.reduce((total, cut) => total + of(cut), 0)
  // In an existing database the loss includes rows confirmed in earlier runs, so cap it at those of this run.
  const lost = sum((cut) => Math.min(cut.lost, cut.acknowledged))
  return `${count(lost)} of ${count(sum(({ acknowledged }) => acknowledged))}, ${cuts.filter(({ damage }) => damage).length}`
}
