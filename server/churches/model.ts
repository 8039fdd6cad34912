import type { FoundLocale } from '#shared/churches/endpoints.ts'
import type { Countries } from '../countries/reference.ts'
import type { Held } from '../readmodel/model.ts'
import { type Base, createBase } from './base.ts'
import type { Question } from './question.ts'
import { byName, type HeldLocale, loadLocales, wholeLocale } from './rows.ts'
import { type Found, type Holding, type Page, search } from './searching.ts'
import { buildSpelling } from './spelling.ts'

export type ChurchModel = ReturnType<typeof createChurchModel>

/** Changed rows are looked through one by one, so that they cost little up to here. */
const REBUILD_AT = 500

/** Row of an id as it is now; null: there is none any more. */
type Changes = ReadonlyMap<string, HeldLocale | null>

/**
 * The public locales in memory. The indexes are of one moment; what changed since lies over them, and after some hundred
 * changes they are built anew beside the old ones and put in their place at once.
 */
export function createChurchModel(parts: { countries: () => Countries; rebuildAt?: number }) {
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
      if (ids) return change(ids, rows)
      since = null
      put(createBase(rows), new Map())
    },
  }

  return {
    held,

    find(id: string): FoundLocale | undefined {
      const key = id.toLowerCase()
      const ordinal = base.ordinals.get(key)
      const held = changes.has(key) ? changes.get(key) : ordinal === undefined ? null : base.rows[ordinal]
      return held ? wholeLocale(held) : undefined
    },

    search: (question: Question, page: Page): Found => search(holding, question, page),

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
    /** The same, each made whole when its turn comes. */
    allWhole: (): Iterable<FoundLocale> => wholeOneByOne(rowsOf(holding)),

    /** Waits until no index is being built. */
    settled: () => Promise.all([rebuilding, base.isIndexed]),
  }
}

function* wholeOneByOne(rows: HeldLocale[]): Iterable<FoundLocale> {
  for (const held of rows) yield wholeLocale(held)
}

function rowsOf({ base, dead, fresh }: Holding): HeldLocale[] {
  const alive = dead.size > 0 ? base.rows.filter((_, ordinal) => !dead.has(ordinal)) : [...base.rows]
  return fresh.length > 0 ? [...alive, ...fresh].sort(byName) : alive
}

const EMPTY = createBase([])
