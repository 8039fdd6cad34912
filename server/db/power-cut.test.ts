import { expect, test } from 'vitest'
import { cutPowerOnce, makeDisk } from '#server/testing/power-cuts.ts'

const disk = makeDisk()
if (typeof disk === 'string') console.warn(`No power cut is tried here: ${disk}`)

test.skipIf(typeof disk === 'string')(
  'a power cut loses nothing that was confirmed, in a new database or later',
  async () => {
    if (typeof disk === 'string') return
    try {
      for (const rows of [20, 150]) {
        const cut = await cutPowerOnce(disk, rows, true)
        expect(cut).toMatchObject({ lost: 0, damage: null, ended: 'exit 1' })
        expect(cut.acknowledged).toBeGreaterThanOrEqual(rows)
      }
    } finally {
      disk.remove()
    }
  },
  240_000,
)
