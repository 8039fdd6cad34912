import { DANGERS } from '#shared/assistant/intents.ts'
import type { AssistantLanguage } from '#shared/assistant/languages.ts'
import type { Lexicon } from '../lexicon/lexicon.ts'
import type { LanguageGuess } from './detection.ts'
import { compiling, type Hit } from './matcher.ts'
import { PARTICLES } from './particles.ts'
import { learnSigns, type SignResult } from './signs.ts'
import type { Steps } from './steps.ts'
import { cut, type Words } from './tokenizer.ts'

/** Typos are common in distress, but a single word must be long to be corrected ("raped" is close to "rated"). */
const TYPOS = { leastLetters: 5, leastAlone: 7 }

/** At this confidence, a mere stem of another language is a coincidence: "molestar" is not "molest". */
const SURE = 0.8

/**
 * Finds signs of danger in all languages at once, since distress is often expressed in another language than the rest.
 * Text that only sounds like danger is removed first, matched exactly.
 */
export function* learnDangers(
  lexicons: Partial<Record<AssistantLanguage, Lexicon>>,
  isSpeltWell: (word: string) => boolean,
): Steps<FindDangers> {
  const all = Object.entries(lexicons) as [AssistantLanguage, Lexicon][]
  const findSigned = yield* learnSigns(
    all.map(([language]) => language),
    isSpeltWell,
  )
  const dangers = yield* compiling(
    all.flatMap(([language, lexicon]) =>
      DANGERS.flatMap((danger) =>
        (lexicon.dangers[danger] ?? []).map((entry) => [{ danger, language }, entry] as const),
      ),
    ),
    { typos: { ...TYPOS, isKnown: isSpeltWell }, particlesOf: ({ language }) => PARTICLES[language] },
  )
  const harmless = yield* compiling(all.flatMap(([, lexicon]) => lexicon.harmless.map((entry) => ['', entry] as const)))

  return (words, { language, confidence }, languages, places = []) => {
    const taken = harmless.find(words).filter((hit) => !namesWithholder(words.text, hit))
    const rest = taken.length === 0 ? words : cut(without(words.text, taken))
    const isChance = ({ label, entry, isGuess }: Hit<{ language: AssistantLanguage }>) =>
      confidence >= SURE && label.language !== language && (isGuess || isMereStem(entry)) && isLatin(entry)
    const listed = dangers.find(rest)
    // Not a typo: "No me pagan" must not be read as "me pegan".
    const isMisread = (hit: Hit<unknown>) =>
      hit.isGuess && listed.some((other) => !other.isGuess && other.start <= hit.start && other.end >= hit.end)
    const isMoving = (hit: Hit<unknown>) => places.some((place) => isOfPlace(rest.text, hit, place))
    const isAboutPlace = (hit: (typeof listed)[number]) => hit.label.danger === 'self_harm' && isMoving(hit)
    const hits = listed.filter((hit) => !isChance(hit) && !isMisread(hit) && !isAboutPlace(hit))
    const { dangers: signed, trouble } = findSigned(rest, languages, isMoving)
    const found = new Set([...hits.map(({ label }) => label.danger), ...signed])
    return {
      dangers: DANGERS.filter((danger) => found.has(danger)),
      trouble,
      isFigurative: taken.length > 0 || listed.some(isAboutPlace),
    }
  }
}

type FindDangers = (
  words: Words,
  detected: Pick<LanguageGuess, 'language' | 'confidence'>,
  languages: Iterable<AssistantLanguage>,
  places?: readonly Span[],
) => SignResult & {
  /** Some of its words only sound like danger: "dying to see", "I don't want to live in Dubai any more". */
  isFigurative: boolean
}

interface Span {
  start: number
  end: number
}

/** People who withhold documents: "embassy number please, my boss keeps my passport". */
const HOLDERS =
  /(?<!\p{L})(?:employer|boss|madam|sir|amo|agency|agent|sponsor|kaf[ei]+l|husband|company|recruiter|patron\w*|jef[ea]|empleador\w*|agencia|esposo|marido|patra?o|patroa|chefe|empresa|padron\w*|datore|capo|agenzia|marito|arbeitgeber\w*|chef\w*|agentur|vermittler\w*|ehemann|employeu\w*|agence|mari)(?!\p{L})|كفيل|صاحب|مدير|مكتب|زوجي|شركه|老板|雇主|中介|公司|丈夫|雇い主|会社|社長|業者|사장|고용주|회사|업체|남편|मालिक|साहब|मैडम|एजेंसी|कंपनी|पति/u

/** A phrase that would be harmless if the gap of its entry did not contain such a person. */
const namesWithholder = (text: string, { start, end, entry }: Hit<unknown>) =>
  entry.includes('..') && HOLDERS.test(text.slice(start, end)) && !HOLDERS.test(entry)

const BEFORE_PLACE = /^[\s']*(?:in|at|en|a|au|aux|em|no|na|im|في|ب)?[\s']+(?:the |el |la |l'|le |les |o |a )?$/u

const LIVING = /\bliv(?:e|ing)\b|\bviv(?:ir|re|ere|er)\b|\bleben\b|عيش/u

/** "I don't want to live in Dubai any more" is about Dubai. */
const isOfPlace = (text: string, { start, end, entry }: Hit<unknown>, place: Span) =>
  LIVING.test(entry) &&
  ((place.start > start && place.end < end) || (place.start >= end && BEFORE_PLACE.test(text.slice(end, place.start))))

const isMereStem = (entry: string) => /^[^\s.]+\*$/.test(entry)
const isLatin = (entry: string) => /\p{sc=Latin}/u.test(entry)

/** Replaces removed text, so that the words around it do not become adjacent. */
function without(text: string, spans: readonly { start: number; end: number }[]): string {
  const characters = text.split('')
  for (const { start, end } of spans) characters.fill('.', start, end)
  return characters.join('')
}
