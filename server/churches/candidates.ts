import type { Base } from './base.ts'
import type { Question, Term } from './question.ts'

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

/** Whether nothing is asked but the country. */
export const asksCountryOnly = (question: Question) =>
  question.terms.length === 0 && !question.city && !question.state && !hasMore(question)

const hasMore = ({ language, isBuilding, isOnline }: Question) =>
  Boolean(language) || isBuilding !== undefined || isOnline !== undefined

function filterSources(base: Base, { codes, city, state }: Question): Source[] {
  // City and state stand in the text, folded alike.
  const sources = [city, state]
    .filter(Boolean)
    .map((part): Source => ({ ...termSource(base, { words: [part], code: null }), isExact: false }))
  if (codes) {
    const lists = codes.map((code) => countryList(base, code))
    sources.push({ size: sum(lists), ordinals: () => union(lists), isExact: true })
  }
  return sources
}

function termSource({ text, byCountry }: Base, { words, code }: Term): Source {
  const rarest = words.reduce((least, word) => (text.atMost(word) < text.atMost(least) ? word : least))
  const list = (code !== null && byCountry.get(code)) || NONE
  return {
    size: text.atMost(rarest) + list.length,
    ordinals: () => (list.length > 0 ? union([text.containing(rarest), list]) : text.containing(rarest)),
    isExact: words.length === 1,
  }
}

const NONE = new Uint32Array()
const countryList = ({ byCountry }: Base, code: string) => byCountry.get(code) ?? NONE
const sum = (lists: Uint32Array[]) => lists.reduce((total, { length }) => total + length, 0)

/** What is in both. */
function common(a: Uint32Array, b: Uint32Array): Uint32Array {
  if (a === b) return a
  const both = new Uint32Array(Math.min(a.length, b.length))
  let count = 0
  for (let i = 0, j = 0; i < a.length && j < b.length; )
    if (a[i] === b[j]) {
      both[count++] = a[i++]!
      j++
    } else if (a[i]! < b[j]!) i++
    else j++
  return both.slice(0, count)
}

function union(lists: Uint32Array[]): Uint32Array {
  if (lists.length === 1) return lists[0]!
  const all = new Uint32Array(sum(lists))
  let at = 0
  for (const list of lists) {
    all.set(list, at)
    at += list.length
  }
  all.sort()
  return all.filter((ordinal, i) => i === 0 || ordinal !== all[i - 1])
}
