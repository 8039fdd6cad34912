import type { QuickAction } from '#shared/assistant/answer.ts'
import type { Intent } from '#shared/assistant/intents.ts'
import { type Speech, speechOf } from '../composing/speech.ts'
import { actionsIn } from './actions.ts'
import { type Gathered, type GatheringDeps, NOTHING, type QuestionContext } from './context.ts'
import { gatherHotlines } from './hotlines.ts'

/** Intents answered by country: without one, nothing about another country is said. */
const BY_COUNTRY: readonly Intent[] = ['travel_inquiry', 'document_inquiry', 'emergency_support']
/** Intents answered by place. A small town may be unlisted, so only a likely misspelling is asked about. */
const BY_PLACE: readonly Intent[] = ['locale_inquiry', 'schedule_inquiry', 'contact_inquiry', 'general_inquiry']

/** States that the place is unknown and asks which one was meant, without assuming one. */
export function gatherUnknownPlace(deps: GatheringDeps, ctx: QuestionContext): Gathered | null {
  const { unknownPlace, analysis } = ctx.understood
  if (!unknownPlace) return null
  const needsClarification = BY_PLACE.includes(analysis.intent) && unknownPlace.meant.length > 0
  if (!BY_COUNTRY.includes(analysis.intent) && !needsClarification) return null
  const speech = speechOf(ctx.language)
  const meant = meantActions(ctx)
  const opening = [
    speech.say('unknown_place', { name: unknownPlace.name }),
    ...(meant.length > 0 ? meant.map(({ label }) => speech.name(label)) : [speech.plain('ask_country')]),
  ]
  // International numbers help in any country.
  if (analysis.intent === 'emergency_support') {
    const { sections, sources, quickActions = [] } = gatherHotlines(deps, ctx, null)
    return { opening, sections, sources, quickActions: [...meant, ...quickActions], found: 'asks' }
  }
  const actions = actionsIn(speech)
  return { ...NOTHING, opening, quickActions: [...meant, actions.unsafe, actions.person], found: 'asks' }
}

/** "Did you mean Kuwait?": the same question with the suggested name. */
export function meantActions({ question, language, understood: { unknownPlace } }: QuestionContext): QuickAction[] {
  if (!unknownPlace) return []
  const speech = speechOf(language)
  return unknownPlace.meant.map(({ city, country }) => {
    const place = placeName(speech, city, country)
    return {
      label: speech.plain('did_you_mean', { place }),
      action: 'send',
      value: instead(question, unknownPlace.name, place),
    }
  })
}

/** A city name that exists in several countries: which one was assumed, and the alternatives. */
export function withOtherCities(ctx: QuestionContext, gathered: Gathered): Gathered {
  const { otherCountries, analysis } = ctx.understood
  const { city, country, destination } = analysis.entities
  const taken = country ?? destination
  if (!city || !taken || otherCountries.length === 0 || gathered.sections.length === 0) return gathered
  const speech = speechOf(ctx.language)
  const name = speech.city(city)
  const quickActions = otherCountries.slice(0, MAX_OTHERS).map((code): QuickAction => {
    const place = placeName(speech, city, code)
    return { label: place, action: 'send', value: withCountry(ctx.question, [name, city], place) }
  })
  const note = speech.say('city_taken', { city: name, country: speech.country(taken) })
  const isUrgent = analysis.intent === 'emergency_support'
  const [opening, closing] = [gathered.opening ?? [], gathered.closing ?? []]
  return {
    ...gathered,
    // In an emergency, the numbers come before the note.
    opening: isUrgent ? opening : [...opening, note],
    closing: isUrgent ? [note, ...closing] : closing,
    quickActions: [...quickActions, ...(gathered.quickActions ?? [])],
  }
}

const MAX_OTHERS = 2

const placeName = (speech: Speech, city: string | null, country: string) =>
  city ? `${speech.city(city)}, ${speech.country(country)}` : speech.country(country)

/** Replaces the name in the question by the place, or appends the place if the question does not contain the name. */
const withCountry = (question: string, names: readonly string[], place: string) =>
  instead(question, names.find((name) => question.toLowerCase().includes(name.toLowerCase())) ?? '', place)

function instead(question: string, name: string, place: string): string {
  const at = name === '' ? -1 : question.toLowerCase().indexOf(name.toLowerCase())
  return at < 0 ? `${question} (${place})` : question.slice(0, at) + place + question.slice(at + name.length)
}
