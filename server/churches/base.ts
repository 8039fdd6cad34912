import { createTree, type Placed, type Tree } from './nearest.ts'
import type { HeldLocale } from './rows.ts'
import { buildSpelling, type Spelling } from './spelling.ts'
import { createTextIndex, type TextIndex } from './textIndex.ts'

/** Locales in the order of a list, and the ways to find them. Never changed: what changes lies over it. */
export interface Base {
  rows: readonly HeldLocale[]
  /** The place of an id in `rows`. */
  ordinals: ReadonlyMap<string, number>
  text: TextIndex
  /** Texts are found from the beginning, and quickly from then on. */
  isIndexed: Promise<void>
  byCountry: ReadonlyMap<string, Uint32Array>
  /** Of all points, and of those of one country. */
  points: Tree
  pointsOf: ReadonlyMap<string, Tree>
  /** Made when first asked for: few searches find nothing. */
  spelling: () => Promise<Spelling>
}

/** Builds the indexes of rows that are in order; that of their texts giving way to everybody else meanwhile. */
export function createBase(rows: readonly HeldLocale[]): Base {
  const placed: Placed[] = []
  const byCountry = new Map<string, number[]>()
  rows.forEach(({ latitude, longitude, country_code }, ordinal) => {
    if (latitude !== null && longitude !== null) placed.push({ ordinal, latitude, longitude })
    const code = country_code ?? ''
    if (!byCountry.has(code)) byCountry.set(code, [])
    byCountry.get(code)!.push(ordinal)
  })
  const text = createTextIndex(rows.map(({ text }) => text))
  let spelling: Promise<Spelling> | undefined
  const placedIn = Map.groupBy(placed, ({ ordinal }) => rows[ordinal]!.country_code ?? '')
  return {
    rows,
    ordinals: new Map(rows.map(({ id }, ordinal) => [id, ordinal])),
    text,
    isIndexed: text.isMade,
    byCountry: new Map([...byCountry].map(([code, list]) => [code, Uint32Array.from(list)])),
    points: createTree(placed),
    pointsOf: new Map([...placedIn].map(([code, list]) => [code, createTree(list)])),
    spelling: () => (spelling ??= buildSpelling(rows.map(({ text }) => text))),
  }
}
