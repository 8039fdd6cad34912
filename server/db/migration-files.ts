import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

/** One file of SQL, applied once to each database and fixed from then on. */
export interface Migration {
  name: string
  text: string
  /** SHA-256 of the text. */
  checksum: string
}

const FOLDER = new URL('./migrations/', import.meta.url)
const NAME = /^(\d{4})_[a-z0-9_]+\.sql$/

/** The migrations of this version, in order. Throws unless they are numbered 0001, 0002, … without a gap. */
export async function listMigrations(folder: URL = FOLDER): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  checkNumbers(names)
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8')
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

function checkNumbers(names: readonly string[]): void {
  names.forEach((name, at) => {
    const number = NAME.exec(name)?.[1]
    const expected = String(at + 1).padStart(4, '0')
    if (number === undefined)
      throw new Error(
        `server/db/migrations/${name} is not the name of a migration. Use a number and words: 0025_visas.sql.`,
      )
    if (number < expected)
      throw new Error(
        `The migrations ${names[at - 1]} and ${name} have the same number. Give the unmerged one the next free number.`,
      )
    if (number > expected)
      throw new Error(`Migration ${expected} is missing before ${name}. Restore its file, or renumber ${name}.`)
  })
}
