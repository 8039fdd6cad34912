import type { Place } from './ambiguous-places.ts'
import { hitsOf, type SenseHit } from './senses.ts'
import type { Words } from './tokenizer.ts'

/** Origin and destination of a journey, as far as the question names them. */
export interface Route {
  from: Place | null
  to: Place | null
}

/** Maximum number of characters between "going to" and the name. */
const MAX_BETWEEN = 14

/** Words directly before a name, or in Japanese, Korean and Hindi directly after it. */
const FROM_BEFORE =
  /(?:^|[^\p{L}])(?:from|galing(?: sa)?|mula(?: sa)?|desde|depuis|von|aus|dall?a|dal|da|saindo d[aeo]|partant d[eu]|من)['\s]*(?:the |el |la |l'|le |les )?$|[从從由]$/u
const FROM_BEHIND = /^\s?(?:から|에서|से(?!\p{L}))/u
const TO_BEFORE =
  /(?:^|[^\p{L}])(?:to|into|papunta(?:ng)?(?: sa)?|patungo(?:ng)?(?: sa)?|punta(?:ng)? (?:sa|ng)|hacia|vers|nach|verso|rumo ao?|الي)['\s]*(?:the |el |la |l'|le |les |o |a )?$|[去到往赴]$/u
const TO_BEHIND = /^\s?(?:へ|まで|に行|に旅|に渡|行き|(?:으)?로(?!\p{L})|까지|에 가|에 갈|에 갑)/u
/** Languages in which the verb of going follows the name. */
const VERB_BEHIND = /[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}\p{sc=Hangul}\p{sc=Devanagari}]/u

/** Origin and destination of a question, from the words beside a name and the "going to" entries of the lexicons. */
export function routeOf(words: Words, hits: readonly SenseHit[], places: readonly Place[]): Route {
  const { text } = words
  const going = hitsOf(hits, 'going')
  const from =
    places.find(
      ({ start, end }) => FROM_BEFORE.test(before(text, start)) || FROM_BEHIND.test(text.slice(end, end + 4)),
    ) ?? null
  const others = places.filter((place) => place !== from)
  const isTo = ({ start, end }: Place) =>
    TO_BEFORE.test(before(text, start)) || TO_BEHIND.test(text.slice(end, end + 4))
  const journeys = going.filter((hit) => !isStay(hit, hits))
  const isLedTo = (by: readonly SenseHit[]) => (place: Place) => by.some((hit) => leadsTo(text, hit, place, places))
  const to = others.find(isLedTo(journeys)) ?? others.find(isTo) ?? others.find(isLedTo(going)) ?? null
  return { from, to }
}

/** "I work in Riyadh and go to Hong Kong": users may already be where they work. */
const isStay = (hit: SenseHit, hits: readonly SenseHit[]) =>
  hitsOf(hits, 'purpose').some(({ start, end }) => start < hit.end && hit.start < end)

const before = (text: string, start: number) => text.slice(Math.max(0, start - 24), start)

function leadsTo(text: string, hit: SenseHit, place: Place, places: readonly Place[]): boolean {
  const isBefore = hit.end <= place.start
  // "visit" of "visit Japan"; in "going Saudi", the name may even be inside the entry.
  const gap = isBefore ? text.slice(hit.end, place.start) : text.slice(place.end, hit.start)
  if (gap.length > MAX_BETWEEN || /[.!?;。！？؟]/u.test(gap) || (!isBefore && /[,،、，]/u.test(gap))) return false
  if (!isBefore && (hit.start < place.end || !VERB_BEHIND.test(text.slice(hit.start, hit.end)))) return false
  const [start, end] = isBefore ? [hit.end, place.start] : [place.end, hit.start]
  return !places.some((other) => other !== place && other.start >= start && other.end <= end)
}
