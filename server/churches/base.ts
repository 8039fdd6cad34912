import { createTree, type Placed, type Tree } from './nearest.ts'
import type { CachedLocale } from './rows.ts'
import { buildSpelling, type Spelling } from './spelling.ts'
import { createTextIndex, type TextIndex } from './text-index.ts'

/** Locales in the order of a list, and the ways to find them. Never changed: what changes lies over it. */
export interface Base {
  rows: readonly CachedLocale[]
  /** The place of an id in `rows`. */
  ordinals: ReadonlyMap<string, number>
  text: TextIndex
  /** Texts are found from the beginning, and quickly from then on. */
  isIndexed: Promise<void>
  byCountry: ReadonlyMap<string, Uint32Array>
  points: Tree
  /** Those of one country, made when first asked for. */
  pointsOf: (code: string) => Tree
  /** Made when first asked for: few searches find nothing. */
  spelling: () => Promise<Spelling>
}

/** Builds the indexes of rows that are in order; that of their texts giving way to everybody else meanwhile. */
export function createBase(rows: readonly CachedLocale[]): Base {
  const inCountry = Map.groupBy(rows.keys(), (ordinal) => rows[ordinal]!.country_code ?? '')
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

function placedAmong(rows: readonly CachedLocale[], ordinals: Iterable<number>): Placed[] {
  const placed: Placed[] = []
  for (const ordinal of ordinals) {
    const { latitude, longitude } = rows[ordinal]!
    if (latitude !== null && longitude !== null) placed.push({ ordinal, latitude, longitude })
  }
  return placed
}
