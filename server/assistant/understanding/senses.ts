import type { AssistantLanguage } from '#shared/assistant/languages.ts'
import type { Lexicon } from '../lexicon/lexicon.ts'
import { compiling, type Hit, type Matcher } from './matcher.ts'
import { PARTICLES } from './particles.ts'
import type { Steps } from './steps.ts'
import type { Words } from './tokenizer.ts'

/** A list of a lexicon and one of its parts: `intents` and `travel_inquiry`. */
export interface Sense {
  list: Exclude<keyof Lexicon, 'dangers' | 'harmless' | 'countries' | 'cities'>
  value: string
  language: AssistantLanguage
}

export type SenseHit = Hit<Sense>

// Names, dangers and figures of speech are matched separately, in every language at once.
const LISTS = [
  'intents',
  'serviceType',
  'dayOfWeek',
  'contactType',
  'role',
  'purpose',
  'documentType',
  'emergencyType',
  'service',
  'disparaging',
  'commands',
  'elsewhere',
  'going',
  'near',
  'greetings',
  'thanks',
  'person',
  'dates',
] as const satisfies readonly Sense['list'][]

/** Short words are too easily confused with other correct words. */
const TYPOS = { leastLetters: 5, leastAlone: 5 }

/** Matches the lexicon entries of a question in the likely languages. */
export function* learnSenses(
  lexicons: Partial<Record<AssistantLanguage, Lexicon>>,
  isSpeltWell: (word: string) => boolean,
): Steps<(words: Words, languages: Iterable<AssistantLanguage>) => SenseHit[]> {
  const matchers = new Map<AssistantLanguage, Matcher<Sense>>()
  for (const [code, lexicon] of Object.entries(lexicons)) {
    const language = code as AssistantLanguage
    matchers.set(
      language,
      yield* compiling(entriesOf(language, lexicon), {
        typos: { ...TYPOS, isKnown: isSpeltWell },
        particlesOf: () => PARTICLES[language],
      }),
    )
  }
  return (words, languages) => [...languages].flatMap((language) => matchers.get(language)?.find(words) ?? [])
}

function* entriesOf(language: AssistantLanguage, lexicon: Lexicon): Generator<readonly [Sense, string]> {
  for (const list of LISTS) {
    const lists = lexicon[list]
    for (const [value, entries] of Object.entries(Array.isArray(lists) ? { '': lists } : lists)) {
      for (const entry of entries) yield [{ list, value, language }, entry]
    }
  }
}

/** Matches of one list, without those inside a longer match of the same part, which add nothing. */
export function hitsOf(hits: readonly SenseHit[], list: Sense['list'], value?: string): SenseHit[] {
  const chosen = hits
    .filter(({ label }) => label.list === list && (value === undefined || label.value === value))
    .sort((a, b) => b.weight - a.weight || b.end - b.start - (a.end - a.start) || a.start - b.start)
  const selected: SenseHit[] = []
  for (const hit of chosen) {
    const isCovered = selected.some(
      (other) => other.label.value === hit.label.value && hit.start < other.end && other.start < hit.end,
    )
    if (!isCovered) selected.push(hit)
    if (selected.length === MAX_HITS) break
  }
  return selected
}

/** More matches of one kind are not a real question, and comparing them all would be slow. */
const MAX_HITS = 40
