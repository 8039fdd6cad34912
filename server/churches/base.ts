import { createTree, type PlacedLocale, type Tree } from './nearest.ts'
import type { CachedLocale } from './rows.ts'
import { buildSpelling, type Spelling } from './spelling.ts'
import { createTextIndex, type TextIndex } from './text-index.ts'

/** Locales in list order, with their indexes. Immutable: changes are overlaid. */
export interface Base {
  rows: readonly CachedLocale[]
  /** The position of an id in `rows`. */
  ordinals: ReadonlyMap<string, number>
  text: TextIndex
  /** Text search works at once, and fast once its index is built. */
  isIndexed: Promise<void>
  byCountry: ReadonlyMap<string, Uint32Array>
  points: Tree
  /** Ordinals of one country, computed lazily. */
  pointsOf: (code: string) => Tree
  /** Computed lazily: few searches find nothing. */
  spelling: () => Promise<Spelling>
}

/** Builds the indexes of sorted rows; building the text index yields to other work. */
export function createBase(rows: readonly CachedLocale[]): Base {
  const inCountry = Map.groupBy(rows.keys(), (ordinal) => rows[ordinal]?.country_code ?? '')
  const byCountry = new Map([...inCountry].map(([code, list]) => [code, Uint32Array.from(list)]))
  const text = createTextIndex(rows.map(({ text }) => text))
  let spelling: Promise<Spelling> | undefined
  const trees = new Map<string, Tree>()
  const pointsOf = (code: string) => {
    const tree = trees.get(code) ?? createTree(placedAmong(rows, byCountry.get(code) ?? []))
    trees.set(code, tree)
    return tree
  }
  return {
    rows,
    ordinals: new Map(rows.map(({ id }, ordinal) => [id, ordinal])),
    text,
    isIndexed: text.isMade,
    byCountry,
    points: createTree(placedAmong(rows, rows.keys())),
    pointsOf,
    spelling: () => (spelling ??= buildSpelling(rows.map(({ text }) => text))),
  }
}

function placedAmong(rows: readonly CachedLocale[], ordinals: Iterable<number>): PlacedLocale[] {
  const placed: PlacedLocale[] = []
  for (const ordinal of ordinals) {
    const { latitude = null, longitude = null } = rows[ordinal] ?? {}
    if (latitude !== null && longitude !== null) placed.push({ ordinal, latitude, longitude })
  }
  return placed
}
