import { setImmediate as turn } from 'node:timers/promises'
import type { FoundLocale } from '#shared/churches/endpoints.ts'
import type { Countries } from '../countries/reference.ts'
import { withClaims } from '../db/claims.ts'
import type { Database, Db } from '../db/connection.ts'
import type { Log } from '../log.ts'
import type { Held } from '../readmodel/model.ts'
import { type Base, createBase } from './base.ts'
import type { Question } from './question.ts'
import { byName, type HeldLocale, loadLocales } from './rows.ts'
import { type Found, type FoundRow, type Holding, type Page, search } from './searching.ts'
import { buildSpelling } from './spelling.ts'
import { countParts, isTold, readTold, readToldOfPart, type ToldLocale, wholeLocale } from './told.ts'

export type ChurchModel = ReturnType<typeof createChurchModel>

/** A row of an answer, of which it is known what is told. */
export type ToldRow = FoundRow & { held: ToldLocale }

/** Changed rows are looked through one by one, so that they cost little up to here. */
const REBUILD_AT = 500
/** So many are made whole at a time. */
const TOLD_AT_ONCE = 250
const AGAIN_MS = 1_000

/** Row of an id as it is now; null: there is none any more. */
type Changes = ReadonlyMap<string, HeldLocale | null>

/**
 * The public locales in memory. What they are found by is there from the beginning; what is told of them is seven times
 * as much, and is read after the portal is ready, or when somebody asks for it before that. The indexes are of one
 * moment; what changed since lies over them, and after some hundred changes they are built anew beside the old ones and
 * put in their place at once.
 */
export function createChurchModel(parts: { database: Database; countries: () => Countries; rebuildAt?: number }) {
  let base: Base = EMPTY
  let changes: Changes = new Map()
  let holding: Holding = { base, dead: new Set(), fresh: [] }
  // What came while a new base is being built: it knows nothing of that.
  let since: Map<string, HeldLocale | null> | null = null
  let rebuilding: Promise<void> = Promise.resolve()

  function put(nextBase: Base, nextChanges: Changes) {
    base = nextBase
    changes = nextChanges
    const ordinals = [...changes.keys()].map((id) => base.ordinals.get(id)).filter((ordinal) => ordinal !== undefined)
    holding = { base, dead: new Set(ordinals), fresh: [...changes.values()].filter((row) => row !== null).sort(byName) }
  }

  function change(ids: readonly string[], loaded: readonly HeldLocale[]) {
    const rows = new Map(loaded.map((held) => [held.id, held]))
    const next = new Map(changes)
    for (const id of ids) {
      next.set(id, rows.get(id) ?? null)
      since?.set(id, rows.get(id) ?? null)
    }
    put(base, next)
    if (changes.size > (parts.rebuildAt ?? REBUILD_AT) && !since) rebuilding = rebuild()
  }

  async function rebuild() {
    const meanwhile = new Map<string, HeldLocale | null>()
    since = meanwhile
    const next = createBase(rowsOf(holding))
    await next.isIndexed
    // Everything was read anew in the meantime.
    if (since !== meanwhile) return
    since = null
    put(next, meanwhile)
  }

  const held: Held = {
    table: 'public_locales',
    async load(db, ids) {
      const rows = await loadLocales(db, ids, parts.countries())
      if (ids) {
        await readTold(db, rows)
        return change(ids, rows)
      }
      since = null
      put(createBase(rows), new Map())
    },
  }

  const asModel = <T>(fn: (db: Db) => Promise<T>) =>
    withClaims(parts.database, { as: 'service', name: 'readmodel' }, fn)

  /** These locales with what is told of them. One that is hidden since it was found is not among them. */
  async function tell(locales: readonly HeldLocale[]): Promise<ToldLocale[]> {
    const untold = locales.filter((locale) => !isTold(locale))
    if (untold.length > 0) await asModel((db) => readTold(db, untold))
    return locales.filter(isTold)
  }

  return {
    held,

    /** Reads what is told of all, part after part, and tries again for as long as the database does not answer. */
    async tellAll(log: Log): Promise<void> {
      const { rows, ordinals, isIndexed } = base
      const heldOf = (id: string) => rows[ordinals.get(id) ?? -1]
      try {
        await isIndexed
        const parts = await asModel(countParts)
        for (let part = 0; part < parts; part++) {
          await asModel((db) => readToldOfPart(db, heldOf, part))
          // The embedded database answers without a turn of the event loop.
          await turn()
        }
      } catch (error) {
        log.warn({ reason: (error as Error).message }, 'what is told of locales is read again later')
        setTimeout(() => this.tellAll(log), AGAIN_MS).unref()
      }
    },

    async find(id: string): Promise<FoundLocale | undefined> {
      const key = id.toLowerCase()
      const ordinal = base.ordinals.get(key)
      const held = changes.has(key) ? changes.get(key) : ordinal === undefined ? null : base.rows[ordinal]
      const [told] = held ? await tell([held]) : []
      return told && wholeLocale(told)
    },

    search: (question: Question, page: Page): Found => search(holding, question, page),

    /** What was found with what is told of it. */
    async told(rows: readonly FoundRow[]): Promise<ToldRow[]> {
      await tell(rows.map(({ held }) => held))
      return rows.filter((row): row is ToldRow => isTold(row.held))
    },

    /** The same words, with those that occur nowhere as they may have been meant. */
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
          .filter((one) => one !== undefined)
          .sort((a, b) => a.slips - b.slips)[0]?.word
      return words.map((word) => (unknown.includes(word) && meant(word)) || word)
    },

    /** Every public locale, by name and then id. */
    all: (): HeldLocale[] => rowsOf(holding),
    /** The same, some made whole at a time. */
    async *allWhole(): AsyncGenerator<FoundLocale[]> {
      const rows = rowsOf(holding)
      for (let at = 0; at < rows.length; at += TOLD_AT_ONCE)
        yield (await tell(rows.slice(at, at + TOLD_AT_ONCE))).map((locale) => wholeLocale(locale))
    },

    /** Waits until no index is being built. */
    settled: () => Promise.all([rebuilding, base.isIndexed]),
  }
}

function rowsOf({ base, dead, fresh }: Holding): HeldLocale[] {
  const alive = dead.size > 0 ? base.rows.filter((_, ordinal) => !dead.has(ordinal)) : [...base.rows]
  return fresh.length > 0 ? [...alive, ...fresh].sort(byName) : alive
}

const EMPTY = createBase([])
