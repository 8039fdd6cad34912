import type { Base } from './base.ts'
import { common, listsOf, unionOf } from './ordinals.ts'
import { hasMore, type Question, type Term } from './question.ts'

export interface Candidates {
  /** In order. Null: all rows. */
  ordinals: Uint32Array | null
  /** Each of them answers to the question; otherwise each has still to be looked at. */
  isExact: boolean
}

const MANY = 1_000

/** One way to find all that can answer to a question, with how many that is about. */
interface Source {
  size: number
  ordinals: () => Uint32Array
  isExact: boolean
}

/** The rows among which all answers are: by the rarest thing that is asked for. */
export function candidatesFor(base: Base, question: Question): Candidates {
  const sources = [...question.terms.map((term) => termSource(base, term)), ...filterSources(base, question)]
  if (sources.length === 0) return { ordinals: null, isExact: !hasMore(question) }
  const best = sources.reduce((least, source) => (source.size < least.size ? source : least))
  const rarest = best.ordinals()
  const areExact = !hasMore(question) && sources.every(({ isExact }) => isExact)
  // Lists are quicker to compare than so many rows are to look into.
  if (areExact && (sources.length === 1 || rarest.length > MANY))
    return { ordinals: sources.map((source) => source.ordinals()).reduce(common), isExact: true }
  return { ordinals: rarest, isExact: false }
}

function filterSources(base: Base, { codes, city, state }: Question): Source[] {
  // City and state stand in the text, folded alike.
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
