import type { Base } from './base.ts'
import { common, listsOf, unionOf } from './ordinals.ts'
import { hasMore, type Question, type Term } from './question.ts'

export interface Candidates {
  /** Sorted. Null: all rows. */
  ordinals: Uint32Array | null
  /** True: every row matches the query; false: each must still be checked. */
  isExact: boolean
}

const MANY = 1_000

/** One index lookup with all rows that can match, and its approximate size. */
interface Source {
  size: number
  ordinals: () => Uint32Array
  isExact: boolean
}

/** A superset of the matching rows, from the most selective term. */
export function candidatesFor(base: Base, question: Question): Candidates {
  const sources = [...question.terms.map((term) => termSource(base, term)), ...filterSources(base, question)]
  if (sources.length === 0) return { ordinals: null, isExact: !hasMore(question) }
  const best = sources.reduce((least, source) => (source.size < least.size ? source : least))
  const rarest = best.ordinals()
  const areExact = !hasMore(question) && sources.every(({ isExact }) => isExact)
  // Intersecting lists is faster than checking this many rows.
  if (areExact && (sources.length === 1 || rarest.length > MANY))
    return { ordinals: sources.map((source) => source.ordinals()).reduce(common), isExact: true }
  return { ordinals: rarest, isExact: false }
}

function filterSources(base: Base, { codes, city, state }: Question): Source[] {
  // City and state are part of the search text, folded alike.
  const sources = [city, state]
    .filter(Boolean)
    .map((text): Source => ({ ...termSource(base, { words: [text], code: null }), isExact: false }))
  if (codes) {
    const lists = codes.map((code) => countryList(base, code))
    sources.push({ size: sum(lists), ordinals: () => union(base, lists), isExact: true })
  }
  return sources
}

function termSource(base: Base, { words, code }: Term): Source {
  const found = base.text.containing(words.join(' '))
  const list = code === null ? NONE : countryList(base, code)
  return {
    size: found.length + list.length,
    ordinals: () => (list.length > 0 ? union(base, [found, list]) : found),
    isExact: words.length === 1,
  }
}

const NONE = new Uint32Array()
const countryList = ({ byCountry }: Base, code: string) => byCountry.get(code) ?? NONE
const sum = (lists: Uint32Array[]) => lists.reduce((total, { length }) => total + length, 0)
const union = ({ rows }: Base, lists: Uint32Array[]) => unionOf(listsOf(lists), [...lists.keys()], rows.length)
