import type { Countries } from '#server/countries/reference.ts'
import { countryAmong } from './country-in-text.ts'
import { tokenize } from './question.ts'
import { US_STATES } from './us-states.ts'

/** A place as people write it: 'Paris, Texas', 'San Jose CA 95113', 'San José, Costa Rica'. */
export interface PlaceName {
  name: string
  /** The country named after it; null: none. */
  country: string | null
  /** A state of the USA named after it. */
  state: string | null
}

const STATE_CODES = new Set(Object.values(US_STATES))
const ZIP = /^\d{5}(-\d{4})?$/
const MAX_STATE_WORDS = 3

/**
 * What a text can mean as a place, the likeliest first. Names without commas have the same meaning: nobody types them
 * on a phone.
 */
export function readPlaceNames(text: string, countries: Countries): PlaceName[] {
  const words = tokenize(text.replaceAll('|', ' '))
  if (words.length === 0) return []
  const whole: PlaceName = { name: words.join(' '), country: null, state: null }
  const named = countryAmong(words, countries)
  const rest = named ? named.rest : words
  const inState = stateAtEnd(rest)
  const meanings: (PlaceName | null | false)[] = [
    whole,
    inState !== null && (!named || named.code === 'US') && { name: inState.name, country: 'US', state: inState.state },
    named !== undefined && { name: named.rest.join(' '), country: named.code, state: null },
    // 'Georgia' is a country and a state.
    named !== undefined && stateMeaning(words),
  ]
  return meanings.filter(
    (meaning): meaning is PlaceName => meaning !== null && meaning !== false && meaning.name !== '',
  )
}

function stateMeaning(words: string[]): PlaceName | null {
  const found = stateAtEnd(words)
  return found && { ...found, country: 'US' }
}

function stateAtEnd(words: string[]): { name: string; state: string } | null {
  const last = words.at(-1)
  const list = last && ZIP.test(last) ? words.slice(0, -1) : words
  for (let length = Math.min(MAX_STATE_WORDS, list.length - 1); length > 0; length--) {
    const state = stateOf(list.slice(-length).join(' '))
    if (state) return { name: list.slice(0, -length).join(' '), state }
  }
  return null
}

function stateOf(text: string): string | undefined {
  const code = text.toUpperCase()
  return US_STATES[text] ?? (STATE_CODES.has(code) ? code : undefined)
}
