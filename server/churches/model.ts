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
export class ChurchModel {
  readonly #deps: { database: Database; countries: () => Countries; rebuildAt?: number }
  #base: Base = EMPTY
  #changes: Changes = new Map()
  #holding: Snapshot = { base: this.#base, dead: new Set(), fresh: [] }
  // Changes during the build of a new base, which does not include them.
  #since: Map<string, CachedLocale | null> | null = null
  #rebuilding: Promise<void> = Promise.resolve()
  readonly cachedTable: CachedTable

  constructor(deps: { database: Database; countries: () => Countries; rebuildAt?: number }) {
    this.#deps = deps
    this.cachedTable = {
      table: 'public_locales',
      load: async (db, ids) => {
        const rows = await loadLocales(db, ids, deps.countries())
        if (ids) {
          await readDetails(db, rows)
          return this.#change(ids, rows)
        }
        this.#since = null
        this.#swapIn(createBase(rows), new Map())
      },
    }
  }

  /** Loads the details of all locales, chunk by chunk, and retries while the database is unavailable. */
  async loadAllDetails(log: Log): Promise<void> {
    const { rows, ordinals, isIndexed } = this.#base
    const localeOf = (id: string) => rows[ordinals.get(id) ?? -1]
    try {
      await isIndexed
      const chunkCount = await this.#asModel(countChunks)
      for (let chunk = 0; chunk < chunkCount; chunk++) {
        await this.#asModel((db) => readDetailsOfChunk(db, localeOf, chunk))
        // The embedded database responds without a turn of the event loop.
        await turn()
      }
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'details of churches could not be loaded, which is tried again')
      setTimeout(() => this.loadAllDetails(log), AGAIN_MS).unref()
    }
  }

  async find(id: string): Promise<FoundLocale | undefined> {
    const key = id.toLowerCase()
    const ordinal = this.#base.ordinals.get(key)
    const row = this.#changes.has(key)
      ? this.#changes.get(key)
      : ordinal === undefined
        ? null
        : this.#base.rows[ordinal]
    const [locale] = row ? await this.#loadDetails([row]) : []
    return locale && wholeLocale(locale)
  }

  search(question: Question, page: Page): Found {
    return search(this.#holding, question, page)
  }

  /** Search results with their details. */
  async withDetails(rows: readonly FoundRow[]): Promise<DetailedRow[]> {
    await this.#loadDetails(rows.map(({ locale }) => locale))
    return rows.filter((row): row is DetailedRow => hasDetails(row.locale))
  }

  /** The same words, with those that occur nowhere replaced by likely corrections. */
  async correct(words: string[]): Promise<string[]> {
    const { base, fresh } = this.#holding
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
  }

  /** Every public locale, by name and then id. */
  all(): CachedLocale[] {
    return rowsOf(this.#holding)
  }

  /** The same in batches, with details. */
  async *allWhole(): AsyncGenerator<FoundLocale[]> {
    const rows = rowsOf(this.#holding)
    for (let at = 0; at < rows.length; at += DETAILS_AT_ONCE)
      yield (await this.#loadDetails(rows.slice(at, at + DETAILS_AT_ONCE))).map((locale) => wholeLocale(locale))
  }

  /** Resolves when no index is being built. */
  indexed() {
    return Promise.all([this.#rebuilding, this.#base.isIndexed])
  }

  #swapIn(nextBase: Base, nextChanges: Changes) {
    this.#base = nextBase
    this.#changes = nextChanges
    const ordinals = [...this.#changes.keys()]
      .map((id) => this.#base.ordinals.get(id))
      .filter((ordinal) => ordinal !== undefined)
    this.#holding = {
      base: this.#base,
      dead: new Set(ordinals),
      fresh: [...this.#changes.values()].filter((row) => row !== null).sort(byName),
    }
  }

  #change(ids: readonly string[], loaded: readonly CachedLocale[]) {
    const rows = new Map(loaded.map((locale) => [locale.id, locale]))
    const next = new Map(this.#changes)
    for (const id of ids) {
      next.set(id, rows.get(id) ?? null)
      this.#since?.set(id, rows.get(id) ?? null)
    }
    this.#swapIn(this.#base, next)
    if (this.#changes.size > (this.#deps.rebuildAt ?? REBUILD_AT) && !this.#since) this.#rebuilding = this.#rebuild()
  }

  async #rebuild() {
    const meanwhile = new Map<string, CachedLocale | null>()
    this.#since = meanwhile
    const next = createBase(rowsOf(this.#holding))
    await next.isIndexed
    // Everything was reloaded in the meantime.
    if (this.#since !== meanwhile) return
    this.#since = null
    this.#swapIn(next, meanwhile)
  }

  #asModel<T>(fn: (db: Db) => Promise<T>) {
    return withClaims(this.#deps.database, { as: 'service', name: 'readmodel' }, fn)
  }

  /** These locales with their details. One that has been hidden since it was found is left out. */
  async #loadDetails(locales: readonly CachedLocale[]): Promise<DetailedLocale[]> {
    const untold = locales.filter((locale) => !hasDetails(locale))
    if (untold.length > 0) await this.#asModel((db) => readDetails(db, untold))
    return locales.filter(hasDetails)
  }
}

function rowsOf({ base, dead, fresh }: Snapshot): CachedLocale[] {
  const alive = dead.size > 0 ? base.rows.filter((_, ordinal) => !dead.has(ordinal)) : [...base.rows]
  return fresh.length > 0 ? [...alive, ...fresh].sort(byName) : alive
}

const EMPTY = createBase([])
