import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { amcheck } from '@electric-sql/pglite/contrib/amcheck'
import { openPglite } from '#server/db/embedded.ts'

const WRITER = fileURLToPath(new URL('power-cut-writer.ts', import.meta.url))
const IMAGE_BYTES = 512 * 2 ** 20
/** EXT4_IOC_SHUTDOWN with NOLOGFLUSH: discards what is in memory and stops writing, as in a power cut. */
const CUT = 'sysopen(my $f, $ARGV[0], 0) or die $!; my $flag = pack("I", 2); ioctl($f, 0x8004587D, $flag) or die $!'
/** Far more than a writer needs; a hanging one is killed. */
const WRITES_WITHIN_MS = 150_000

/** What remained after a power cut. */
export interface Cut {
  acknowledged: number
  lost: number
  /** Damage found when opening and checking the database, if any. */
  damage: string | null
  /** How the writer ended after losing its disk. */
  ended: string
}

/** A file system in an image file, whose power can be cut. */
export interface Disk {
  folder: string
  cutPower(): void
  remount(): void
  remove(): void
}

/** Creates such a file system, or returns why this machine does not permit it. */
export function makeDisk(): Disk | string {
  if (process.platform !== 'linux') return 'power can be cut on Linux only'
  if (process.getuid?.() !== 0) return 'mounting a file system needs root'
  const place = mkdtempSync(path.join(tmpdir(), 'portal-power-'))
  const [image, folder] = [path.join(place, 'image'), path.join(place, 'disk')]
  writeFileSync(image, '')
  truncateSync(image, IMAGE_BYTES)
  mkdirSync(folder)
  const mount = () => run('mount', '-o', 'loop', image, folder)
  const unmount = () => run('umount', folder)
  const failed = run('mkfs.ext4', '-q', '-F', '-m', '0', image) ?? mount()
  if (failed) {
    rmSync(place, { recursive: true })
    return failed
  }
  const must = (failure: string | undefined) => {
    if (failure) throw new Error(failure)
  }
  return {
    folder,
    cutPower: () => must(run('perl', '-e', CUT, folder)),
    remount: () => must(unmount() ?? mount()),
    remove: () => {
      must(unmount())
      rmSync(place, { recursive: true })
    },
  }
}

/** Cuts the power after this many acknowledged rows, lets the file system recover, and counts the remaining rows. */
export async function cutPowerOnce(disk: Disk, after: number, isDurable: boolean): Promise<Cut> {
  const directory = path.join(disk.folder, 'data')
  const writer = spawn(process.execPath, [WRITER, directory, isDurable ? 'durable' : 'default'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const exit = once(writer, 'exit') as Promise<[number | null, string | null]>
  const killer = setTimeout(() => writer.kill('SIGKILL'), WRITES_WITHIN_MS)
  let output = ''
  try {
    await new Promise<void>((enough, failed) => {
      exit.then(() => failed(new Error('The writer ended before the power was cut')))
      writer.stdout.on('data', (chunk: Buffer) => {
        output += chunk
        if (output.split('\n').length > after) enough()
      })
    })
    disk.cutPower()
  } catch (error) {
    writer.kill('SIGKILL')
    await exit
    throw error
  }
  const [code, signal] = await exit
  clearTimeout(killer)
  disk.remount()
  const ids = output.slice(0, output.lastIndexOf('\n')).split('\n')
  const left = await leftIn(directory, Number(ids.at(-1)))
  return { acknowledged: ids.length, ended: signal ?? `exit ${code}`, ...left }
}

/** Opened as at startup; data that cannot be opened counts as lost. Indexes and heaps are checked in a copy. */
async function leftIn(directory: string, last: number): Promise<Pick<Cut, 'lost' | 'damage'>> {
  const copy = mkdtempSync(path.join(tmpdir(), 'portal-copy-'))
  try {
    const database = await openPglite(directory)
    try {
      const { rows } = await database.background.pool.query('select count(*)::int as n from power where id <= $1', [
        last,
      ])
      await database.embedded!.copyTo(path.join(copy, 'pglite'))
      return { lost: last - rows[0].n, damage: await damageIn(path.join(copy, 'pglite')) }
    } finally {
      await database.close()
    }
  } catch (error) {
    return { lost: last, damage: (error as Error).message }
  } finally {
    rmSync(copy, { recursive: true })
  }
}

async function damageIn(folder: string): Promise<string | null> {
  const pglite = await PGlite.create({ dataDir: folder, extensions: { amcheck } })
  try {
    await pglite.exec(`
      create extension amcheck;
      select bt_index_check(c.oid, true) from pg_class c join pg_am a on a.oid = c.relam
        where c.relkind = 'i' and a.amname = 'btree'`)
    const { rows } = await pglite.query<{ msg: string }>(
      `select msg from pg_class c, lateral verify_heapam(c.oid) where c.relkind = 'r'`,
    )
    return rows[0]?.msg ?? null
  } finally {
    await pglite.close()
  }
}

/** Runs a system program; returns its error output if it failed. */
function run(command: string, ...args: string[]): string | undefined {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' })
  if (status === 0) return undefined
  return `${command}: ${error?.message ?? stderr.trim()}`
}
