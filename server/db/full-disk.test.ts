import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { takesNoChanges } from '#server/http/failure.ts'
import { makeDisk } from '#server/testing/power-cuts.ts'
import { freeBytes, RESERVE_BYTES } from './disk-space.ts'
import { openPglite } from './embedded.ts'
import { startUpkeep } from './maintenance.ts'

const disk = makeDisk()
if (typeof disk === 'string') console.warn(`No disk is filled here: ${disk}`)
afterAll(() => {
  if (typeof disk !== 'string') disk.remove()
})

test.skipIf(typeof disk === 'string')(
  'on a full disk data can be read, and changes are refused',
  async () => {
    if (typeof disk === 'string') return
    const filling = path.join(disk.folder, 'filling')
    const fill = (left: number) => {
      const bytes = freeBytes(disk.folder) - left
      const { status, stderr } = spawnSync('fallocate', ['-l', String(bytes), filling], { encoding: 'utf8' })
      if (status !== 0) throw new Error(stderr)
    }
    const database = await openPglite(path.join(disk.folder, 'data'))
    const { pool } = database.background
    const { space } = database.embedded!
    const lines: { msg: string }[] = []
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
    const upkeep = startUpkeep(database.background, database.embedded!, log)
    const refused = (fn: () => Promise<unknown>) => fn().then(() => false, takesNoChanges)
    const insert = () => pool.query(`insert into kept values ('more')`)
    const expectLow = (isLow: boolean) => expect.poll(() => space!.isLow).toBe(isLow)
    try {
      await pool.query('create table kept (text text)')
      space!.arm()
      await insert()
      fill(RESERVE_BYTES / 2)
      await expectLow(true)
      expect(await refused(insert)).toBe(true)
      expect((await pool.query('select * from kept')).rows).toHaveLength(1)
      await upkeep.turn()
      expect(lines).toMatchObject([{ msg: expect.stringContaining('the disk is full') }])

      rmSync(filling)
      await expectLow(false)
      await insert()
      await upkeep.turn()
      expect(lines.at(-1)).toMatchObject({ msg: expect.stringContaining('room on the disk again') })

      // A transaction that was already open is refused as well.
      const client = await pool.connect()
      await client.query('begin')
      await client.query(`insert into kept values ('half')`)
      fill(RESERVE_BYTES / 2)
      await expectLow(true)
      expect(await refused(() => client.query(`insert into kept values ('other half')`))).toBe(true)
      await client.query('rollback')
      client.release()
      rmSync(filling)
      await expectLow(false)
      expect((await pool.query('select * from kept')).rows).toHaveLength(2)
    } finally {
      upkeep.stop()
      await database.close()
    }

    // No room at all, not even for start-up.
    spawnSync('dd', ['if=/dev/zero', `of=${filling}`, 'bs=64k'])
    await expect(openPglite(path.join(disk.folder, 'data'))).rejects.toThrow(
      /is full. Nothing is lost. Free at least 128 MB/,
    )
    rmSync(filling)
    const again = await openPglite(path.join(disk.folder, 'data'))
    expect((await again.background.pool.query('select * from kept')).rows).toHaveLength(2)
    await again.close()
  },
  240_000,
)
