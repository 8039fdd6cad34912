import { present } from '#shared/assert.ts'
import type { Danger, Entities, Intent } from '#shared/assistant/intents.ts'
import { type AssistantLanguage, assistantLanguageOf } from '#shared/assistant/languages.ts'
import type { Country } from '#shared/countries/country.ts'
import type { Lexicon } from '../lexicon/lexicon.ts'
import { languageOf } from './answer-language.ts'
import { assessDanger, type DangerEvidence, isExplicit } from './danger/assessment.ts'
import { createDangerClassifier, type DangerClassifier } from './danger/classifier.ts'
import { learnDangers } from './dangers.ts'
import { relativeDate } from './dates.ts'
import { type LanguageGuess, LOCALIZED_ABOVE } from './detection.ts'
import { type EntityResult, findEntities, namesTwoCountries } from './entities.ts'
import { follow } from './follow-up.ts'
import { detectIntent, intentByEntities, NO_INTENT, requestedService, SERVICE_INTENT } from './intents.ts'
import type { Understand } from './interpretation.ts'
import { detectLanguage, lettersOf, vocabularyOf, warmUp } from './language-detector.ts'
import { learnPlaces } from './names.ts'
import type { City } from './place-names.ts'
import { hitsOf, learnSenses, type SenseHit } from './senses.ts'
import type { SignResult } from './signs.ts'
import { isCommand, isDisparaging, isGreeting, isThanks, wantsPerson } from './speech-acts.ts'
import { complete, type Steps } from './steps.ts'
import { read, type Words } from './tokenizer.ts'
import { unknownPlaceIn } from './unknown-places.ts'
import { createSpelling, isCommonWord } from './vocabulary.ts'

/**
 * Creates the interpreter of questions: language, intent, entities and danger, from keywords alone (000 §5). `cities`
 * adds further ones, such as those with churches.
 */
export const createUnderstanding = (deps: Deps): Understand => complete(learning(deps))

interface Deps {
  lexicons: Partial<Record<AssistantLanguage, Lexicon>>
  countries: readonly Country[]
  cities?: readonly City[]
  /** Replaces the fitted model while a new one is being fitted. */
  classify?: DangerClassifier
}

/** The same in steps, since loading the vocabulary of twelve languages takes a second. */
export function* learning(deps: Deps): Steps<Understand> {
  const letters = new Map<AssistantLanguage, string[]>()
  for (const [language, lexicon] of Object.entries(deps.lexicons) as [AssistantLanguage, Lexicon][]) {
    letters.set(language, yield* lettersIn(lexicon))
  }
  const vocabulary = vocabularyOf(letters)
  const isWord = (word: string) => vocabulary.has(word) || isCommonWord(word)
  yield
  const isSpeltWell = createSpelling([...letters.values()].flat())
  yield
  const findPlaces = yield* learnPlaces({ ...deps, isWord, isSpeltWell })
  const findSenses = yield* learnSenses(deps.lexicons, isSpeltWell)
  const findDangers = yield* learnDangers(deps.lexicons, isSpeltWell)
  const { classify = createDangerClassifier() } = deps
  yield
  warmUp()

  const finders = { vocabulary, isWord, findPlaces, findSenses, findDangers, classify }
  return (question, circumstances) => understand(finders, question, circumstances)
}

interface Finders {
  vocabulary: ReturnType<typeof vocabularyOf>
  isWord: (word: string) => boolean
  findPlaces: Learned<typeof learnPlaces>
  findSenses: Learned<typeof learnSenses>
  findDangers: Learned<typeof learnDangers>
  classify: DangerClassifier
}
type Learned<T extends (...input: never[]) => Steps<unknown>> = ReturnType<T> extends Steps<infer R> ? R : never

/** What the text of a question says by itself, without the conversation before it. */
function recognise(finders: Finders, question: string, circumstances: Parameters<Understand>[1]) {
  const { vocabulary, isWord, findPlaces, findSenses, findDangers } = finders
  const words = read(question)
  const interfaceLanguage = assistantLanguageOf(circumstances.interfaceLanguage)
  const detected = detectLanguage(question.slice(0, words.text.length * 2 + 100), words, {
    vocabulary,
    interfaceLanguage,
  })
  const languages = languagesFor(detected, interfaceLanguage)
  const hits = findSenses(words, languages)
  const { places, guesses } = findPlaces.find(question, words, languages)
  const named = findEntities(words, hits, places, circumstances.now)
  const foundDangers = findDangers(words, detected, speaking(languages, detected), places)
  const isNear = hitsOf(hits, 'near').length > 0
  const detectedIntent = detectIntent(hits, { hasReference: named.entities.applicationId !== null })
  const own = { ...detectedIntent, entities: datedFor(detectedIntent.intent, named, circumstances.now) }
  const unknownPlace = unknownPlaceIn({
    raw: question,
    words,
    hits,
    places,
    guesses,
    isWord,
    isGerman: detected.language === 'de',
  })
  return { words, interfaceLanguage, detected, hits, places, guesses, named, foundDangers, isNear, own, unknownPlace }
}

function understand(
  finders: Finders,
  question: string,
  circumstances: Parameters<Understand>[1],
): ReturnType<Understand> {
  const recognised = recognise(finders, question, circumstances)
  const { words, interfaceLanguage, detected, hits, places, guesses, named, foundDangers, isNear, own, unknownPlace } =
    recognised
  const isElsewhere = isNear || unknownPlace !== null
  const { isFollowUp, ...followed } = follow(own, words, { ...circumstances, isElsewhere })
  const isUntold = followed.confidence === NO_INTENT.confidence
  const service = requestedService(followed, hits)
  const known = isUntold ? intentByEntities(followed.entities) : followed
  const { intent, confidence } = service ? SERVICE_INTENT : known
  const { entities } = followed
  const placeless = withoutPlaces(words, places)
  const isManners = isGreeting(hits, words) || isThanks(hits, words)
  const evidence: DangerEvidence = {
    listed: dangersOf(foundDangers, own, hits, words),
    score: isManners ? null : finders.classify(placeless),
    isFigurative: foundDangers.isFigurative,
    isServiceRequest: service !== null,
    intent,
    confidence,
    entities,
  }
  const { dangers, possible } = assessDanger(evidence)
  const isInDanger = dangers.length > 0
  const mayBeInDanger = isInDanger || possible !== null
  return {
    ...languageOf({
      detected,
      words,
      hits,
      places: [...places, ...guesses],
      chosen: circumstances.chosen ?? null,
      previous: circumstances.previousLanguage ?? null,
      interfaceLanguage,
    }),
    unknownPlace,
    otherCountries: named.otherCountries,
    analysis: {
      intent: isInDanger ? 'emergency_support' : intent,
      confidence: isInDanger ? Math.max(confidence, 0.9) : confidence,
      entities:
        mayBeInDanger && !entities.destination && namesTwoCountries(places)
          ? { ...entities, country: null, destination: null }
          : entities,
      dangers,
      possible_danger: possible,
    },
    service,
    isDangerPlain: isExplicit(evidence),
    isFollowUp,
    // A user in danger gets help, whatever else they write.
    isDisparaging: !mayBeInDanger && isDisparaging(hits, words),
    isCommand: !mayBeInDanger && isCommand(hits),
    wantsPerson: wantsPerson(hits),
    isGreeting: !mayBeInDanger && isGreeting(hits, words),
    isThanks: !mayBeInDanger && isThanks(hits, words),
    isNear,
    folded: words.text,
    placeless,
    isEmpty: !/[\p{L}\p{N}]/u.test(words.text),
  }
}

/** Place names are no evidence of danger: "in Saudi Arabia" alone means nothing. */
function withoutPlaces({ text }: Words, places: readonly { start: number; end: number }[]): string {
  const ends = [0, ...places.map(({ end }) => end)]
  return ends.map((from, at) => text.slice(from, places[at]?.start)).join(' ')
}

/** Latin words of all lists of a lexicon. */
function* lettersIn({ countries, cities, ...lists }: Lexicon): Steps<string[]> {
  const letters: string[] = []
  for (const list of Object.values(lists).flatMap((each) => (Array.isArray(each) ? [each] : Object.values(each)))) {
    for (const entry of list) letters.push(...lettersOf(entry))
    yield
  }
  return letters
}

/** Maximum confidence of an intent with a single matched word. */
const WEAK_CONFIDENCE = 0.67
/** This many signs of trouble outweigh such an intent. */
const MANY_SIGNS = 2

/** Trouble counts as danger unless the question asks for something else that the portal covers. */
function dangersOf(
  { dangers, trouble }: SignResult,
  { intent, confidence }: { intent: Intent; confidence: number },
  hits: readonly SenseHit[],
  words: Words,
): Danger[] {
  if (dangers.length > 0 || !trouble) return dangers
  const hasClearIntent = intent !== 'general_inquiry' && (confidence > WEAK_CONFIDENCE || trouble.signs < MANY_SIGNS)
  const isElsewhere = hitsOf(hits, 'elsewhere').length > 0
  const isOther = isElsewhere || isDisparaging(hits, words) || isCommand(hits) || wantsPerson(hits)
  return hasClearIntent || isOther ? [] : trouble.dangers
}

/** Languages below this share of the evidence are ignored. */
const LEAST_SHARE = 0.12

/** Languages to match words in: the detected one, other likely ones, and English, which all of them mix in. */
function languagesFor({ language, confidence, shares }: LanguageGuess, interfaceLanguage?: AssistantLanguage) {
  const likely = shares.filter(({ share }) => share >= LEAST_SHARE).map(({ language }) => language)
  const mixed: AssistantLanguage[] = language === 'en' || confidence < LOCALIZED_ABOVE ? ['tl'] : []
  const shown = interfaceLanguage && confidence < LOCALIZED_ABOVE ? [interfaceLanguage] : []
  return new Set<AssistantLanguage>([language, ...likely, ...shown, 'en', ...mixed])
}

/**
 * Languages whose words may be combined. English is mixed into other languages, but shares words with related ones.
 * Text in no certain language may be romanised Hindi.
 */
function speaking(
  languages: ReadonlySet<AssistantLanguage>,
  { language, confidence }: LanguageGuess,
): AssistantLanguage[] {
  if (confidence < LOCALIZED_ABOVE) return [...new Set<AssistantLanguage>([...languages, 'hi'])]
  return [...languages].filter((each) => each !== 'en' || !KIN_OF_ENGLISH.has(language))
}

const KIN_OF_ENGLISH: ReadonlySet<AssistantLanguage> = new Set(['es', 'fr', 'it', 'pt', 'de'])

/** Intents for which a relative date is the day of a service rather than of a journey. */
const DAY_INTENTS: readonly Intent[] = ['schedule_inquiry', 'locale_inquiry', 'general_inquiry']

function datedFor(intent: Intent, { entities, relative }: EntityResult, now: Date): Entities {
  if (!relative) return entities
  const isJourney = entities.destination !== null || !DAY_INTENTS.includes(intent)
  if (isJourney && intent !== 'emergency_support') return entities
  const isDay = relative === 'today' || relative === 'tomorrow'
  const dayOfWeek = entities.dayOfWeek ?? (isDay ? weekdayOf(relativeDate(relative, now)) : null)
  return { ...entities, travelDate: null, dayOfWeek }
}

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const
const weekdayOf = (date: string) => present(WEEKDAYS[new Date(date).getUTCDay()], 'a weekday')
