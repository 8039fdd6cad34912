import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { countriesWith } from '#server/countries/model.ts'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import type { Log } from '#server/log.ts'
import { countryNames } from './deps.ts'
import { locate } from './locating.ts'
import { localesWithRules, MODE } from './modes.ts'
import { type PublicLocaleRow, projectLocales, publicRowsOf } from './projection.ts'
import { pruneVisitors } from './visitors.ts'

interface Deps {
  database: Database
  log: Log
  signal?: AbortSignal
}

/** Locales whose public row is written in one transaction. */
const CHUNK = 500

/**
 * Writes the missing public rows of locales that should have one: after manual changes to the tables a trigger has
 * removed them. Hidden locales are left out. Returns how many.
 */
export async function projectMissing({ database, log, signal }: Deps): Promise<number> {
  await inBackground(database, 'churches', locateChapters)
  let projected = 0
  while (!signal?.aborted) {
    const count = await inBackground(database, 'churches', async (db) => {
      const missing = await localesWithRules(db)
        .select('l.id')
        .where('l.is_public', '=', true)
        .where('l.locale_status', '=', 'active')
        .where(MODE, '<>', 'hidden')
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('public_locales as p').select('p.id').whereRef('p.id', '=', 'l.id'))),
        )
        .limit(CHUNK)
        .execute()
      if (missing.length > 0) {
        const ids = missing.map(({ id }) => id)
        await projectLocales(db, ids, await namesIn(db, log))
      }
      return missing.length
    })
    projected += count
    if (count < CHUNK) break
  }
  if (projected > 0) log.info({ projected }, 'locales that were changed by hand are public again')
  return projected
}

/**
 * Chapters become public once their point is known to be in a country where they may be shown (view public_chapters).
 */
async function locateChapters(db: Db): Promise<void> {
  const rows = await db
    .selectFrom('mfa_local_chapters')
    .select('id')
    .where('latitude', 'is not', null)
    .where('located_in', 'is', null)
    .execute()
  await locate(
    db,
    'mfa_local_chapters',
    rows.map(({ id }) => id),
  )
}

/**
 * Compares every public row with what would be written now, and rewrites those that differ: a country or chapter may
 * have been renamed, or a new version of the portal may fold differently. Returns how many differed.
 */
export async function checkProjection({ database, log, signal }: Deps): Promise<number> {
  await inBackground(database, 'churches', pruneVisitors)
  let different = 0
  let after: string | null = null
  while (!signal?.aborted) {
    const done: { last: string | null; different: number } = await inBackground(database, 'churches', async (db) => {
      let next = db.selectFrom('locales').select('id').orderBy('id').limit(CHUNK)
      if (after) next = next.where('id', '>', after)
      const ids = (await next.execute()).map(({ id }) => id)
      await locate(db, 'locales', ids)
      const wrong = await differing(db, ids, await namesIn(db, log))
      if (wrong.length > 0) await projectLocales(db, wrong, await namesIn(db, log))
      return { last: ids.at(-1) ?? null, different: wrong.length }
    })
    different += done.different
    after = done.last
    if (!after) break
  }
  if (different > 0) log.warn({ different }, 'public locales were not as they should be and were written anew')
  return different
}

async function differing(db: Db, ids: string[], names: (code: string) => string | null): Promise<string[]> {
  if (ids.length === 0) return []
  const storedRows = await db
    .selectFrom('public_locales')
    .selectAll()
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  const should = new Map((await publicRowsOf(db, ids, names)).map((row) => [row.id, row]))
  const is = new Map(storedRows.map((row) => [row.id, row]))
  return ids.filter((id) => !isSame(should.get(id), is.get(id)))
}

const LISTS = ['servants', 'schedules', 'photos'] as const

function isSame(should: PublicLocaleRow | undefined, is: object | undefined): boolean {
  if (!should || !is) return should === is
  const lists = Object.fromEntries(LISTS.map((name) => [name, JSON.parse(String(should[name]))]))
  return isDeepStrictEqual({ ...should, ...lists }, { ...is })
}

/** English names of countries, as stored in the tables. */
export async function namesIn(db: Db, log: Log) {
  const aliases = await db.selectFrom('country_aliases').select(['alias', 'country_code as code']).execute()
  return countryNames(countriesWith(aliases, log))
}
