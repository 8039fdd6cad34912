import type { Place } from './ambiguous-places.ts'
import type { UnknownPlace } from './interpretation.ts'
import type { Guess } from './names.ts'
import { asWritten, isMeantAsName, type NameRequest, unknownName } from './unknown-names.ts'

/** A shorter word is easily a common word, so it must be in the position of a name. */
const LONG_NAME = 6
/** No question has more misspelt names than this. */
const MAX_GUESSES_CHECKED = 10

/** A misspelt or unknown place name. Beside a known place, it must clearly be meant as a name. */
export function unknownPlaceIn({
  places,
  guesses,
  ...request
}: NameRequest & { places: readonly Place[]; guesses: readonly Guess[] }): UnknownPlace | null {
  const { raw, words } = request
  const guess = guesses
    .slice(0, MAX_GUESSES_CHECKED)
    .find(
      (candidate) =>
        (places.length === 0 && candidate.end - candidate.start >= LONG_NAME) || isMeantAsName(raw, words, candidate),
    )
  if (guess) {
    const meant = guesses.filter(({ start }) => start === guess.start).map(({ city, country }) => ({ city, country }))
    return { name: asWritten(raw, words.text.slice(guess.start, guess.end)), meant }
  }
  if (places.length > 0) return null
  const name = unknownName(request)
  return name === null ? null : { name, meant: [] }
}
