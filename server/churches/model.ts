import { setImmediate as turn } from 'node:timers/promises'
import type { Countries } from '#server/countries/reference.ts'
import { withClaims } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import type { Log } from '#server/log.ts'
import type { CachedTable } from '#server/readmodel/model.ts'
import type { FoundLocale } from '#shared/churches/endpoints.ts'
import { type Base, createBase } from './base.ts'
import {
  countChunks,
  type DetailedLocale,
  hasDetails,
  readDetails,
  readDetailsOfChunk,
  wholeLocale,
} from './locale-details.ts'
import type { Question } from './question.ts'
import { byName, type CachedLocale, loadLocales } from './rows.ts'
import { type Found, type FoundRow, type Page, type Snapshot, search } from './search.ts'
import { buildSpelling } from './spelling.ts'

export type ChurchModel = ReturnType<typeof createChurchModel>

/** A result row whose public details are loaded. */
export type DetailedRow = FoundRow & { locale: DetailedLocale }

/** Changed rows are scanned linearly, which is cheap up to this many. */
const REBUILD_AT = 500
/** Batch size for loading details. */
const DETAILS_AT_ONCE = 250
const AGAIN_MS = 1_000

/** Current row of an id; null: deleted. */
type Changes = ReadonlyMap<string, CachedLocale | null>

/**
 * In-memory model of the public locales. The fields they are found by are loaded at start; their details, seven times
 * as large, are loaded after the portal is ready, or earlier on request. Indexes are a snapshot; later changes are
 * overlaid, and after some hundred changes new indexes are built in the background and swapped in.
 */
export function createChurchModel(deps: { database: Database; countries: () => Countries; rebuildAt?: number }) {
  let base: Base = EMPTY
  let changes: Changes = new Map()
  let holding: Snapshot = { base, dead: new Set(), fresh: [] }
  // Changes during the build of a new base, which does not include them.
  let since: Map<string, CachedLocale | null> | null = null
  let rebuilding: Promise<void> = Promise.resolve()

  function swapIn(nextBase: Base, nextChanges: Changes) {
    base = nextBase
    changes = nextChanges
    const ordinals = [...changes.keys()].map((id) => base.ordinals.get(id)).filter((ordinal) => ordinal !== undefined)
    holding = { base, dead: new Set(ordinals), fresh: [...changes.values()].filter((row) => row !== null).sort(byName) }
  }

  function change(ids: readonly string[], loaded: readonly CachedLocale[]) {
    const rows = new Map(loaded.map((locale) => [locale.id, locale]))
    const next = new Map(changes)
    for (const id of ids) {
      next.set(id, rows.get(id) ?? null)
      since?.set(id, rows.get(id) ?? null)
    }
    swapIn(base, next)
    if (changes.size > (deps.rebuildAt ?? REBUILD_AT) && !since) rebuilding = rebuild()
  }

  async function rebuild() {
    const meanwhile = new Map<string, CachedLocale | null>()
    since = meanwhile
    const next = createBase(rowsOf(holding))
    await next.isIndexed
    // Everything was reloaded in the meantime.
    if (since !== meanwhile) return
    since = null
    swapIn(next, meanwhile)
  }

  const cachedTable: CachedTable = {
    table: 'public_locales',
    async load(db, ids) {
      const rows = await loadLocales(db, ids, deps.countries())
      if (ids) {
        await readDetails(db, rows)
        return change(ids, rows)
      }
      since = null
      swapIn(createBase(rows), new Map())
    },
  }

  const asModel = <T>(fn: (db: Db) => Promise<T>) => withClaims(deps.database, { as: 'service', name: 'readmodel' }, fn)

  /** These locales with their details. One that has been hidden since it was found is left out. */
  async function loadDetails(locales: readonly CachedLocale[]): Promise<DetailedLocale[]> {
    const untold = locales.filter((locale) => !hasDetails(locale))
    if (untold.length > 0) await asModel((db) => readDetails(db, untold))
    return locales.filter(hasDetails)
  }

  return {
    cachedTable,

    /** Loads the details of all locales, chunk by chunk, and retries while the database is unavailable. */
    async loadAllDetails(log: Log): Promise<void> {
      const { rows, ordinals, isIndexed } = base
      const localeOf = (id: string) => rows[ordinals.get(id) ?? -1]
      try {
        await isIndexed
        const chunkCount = await asModel(countChunks)
        for (let chunk = 0; chunk < chunkCount; chunk++) {
          await asModel((db) => readDetailsOfChunk(db, localeOf, chunk))
          // The embedded database responds without a turn of the event loop.
          await turn()
        }
      } catch (error) {
        log.warn({ reason: (error as Error).message }, 'what is told of locales is read again later')
        setTimeout(() => this.loadAllDetails(log), AGAIN_MS).unref()
      }
    },

    async find(id: string): Promise<FoundLocale | undefined> {
      const key = id.toLowerCase()
      const ordinal = base.ordinals.get(key)
      const row = changes.has(key) ? changes.get(key) : ordinal === undefined ? null : base.rows[ordinal]
      const [locale] = row ? await loadDetails([row]) : []
      return locale && wholeLocale(locale)
    },

    search: (question: Question, page: Page): Found => search(holding, question, page),

    /** Search results with their details. */
    async withDetails(rows: readonly FoundRow[]): Promise<DetailedRow[]> {
      await loadDetails(rows.map(({ locale }) => locale))
      return rows.filter((row): row is DetailedRow => hasDetails(row.locale))
    },

    /** The same words, with those that occur nowhere replaced by likely corrections. */
    async correct(words: string[]): Promise<string[]> {
      const { base, fresh } = holding
      const unknown = words.filter(
        (word) => base.text.containing(word).length === 0 && !fresh.some(({ text }) => text.includes(word)),
      )
      if (unknown.length === 0) return words
      const spellings = [await base.spelling(), await buildSpelling(fresh.map(({ text }) => text))]
      const meant = (word: string) =>
        spellings
          .map((spelling) => spelling.correct(word))
          .filter((correction) => correction !== undefined)
          .sort((a, b) => a.slips - b.slips)[0]?.word
      return words.map((word) => (unknown.includes(word) && meant(word)) || word)
    },

    /** Every public locale, by name and then id. */
    all: (): CachedLocale[] => rowsOf(holding),
    /** The same in batches, with details. */
    async *allWhole(): AsyncGenerator<FoundLocale[]> {
      const rows = rowsOf(holding)
      for (let at = 0; at < rows.length; at += DETAILS_AT_ONCE)
        yield (await loadDetails(rows.slice(at, at + DETAILS_AT_ONCE))).map((locale) => wholeLocale(locale))
    },

    /** Resolves when no index is being built. */
    settled: () => Promise.all([rebuilding, base.isIndexed]),
  }
}

function rowsOf({ base, dead, fresh }: Snapshot): CachedLocale[] {
  const alive = dead.size > 0 ? base.rows.filter((_, ordinal) => !dead.has(ordinal)) : [...base.rows]
  return fresh.length > 0 ? [...alive, ...fresh].sort(byName) : alive
}

const EMPTY = createBase([])
