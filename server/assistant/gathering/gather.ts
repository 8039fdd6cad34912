import type { AnswerStatus } from '#shared/assistant/answer.ts'
import type { Danger } from '#shared/assistant/intents.ts'
import { ASSISTANT_LANGUAGES } from '#shared/assistant/languages.ts'
import { speechOf } from '../composing/speech.ts'
import type { Draft } from '../drafts.ts'
import { actionsIn } from './actions.ts'
import { gatherAdvisories } from './advisories.ts'
import { gatherChurches } from './churches.ts'
import { gatherContacts } from './contacts.ts'
import { gatherDanger } from './danger.ts'
import { tellFaq } from './faq.ts'
import { gatherHotlines } from './hotlines.ts'
import { gatherOwn } from './own.ts'
import { withPages } from './pages.ts'
import { type Asked, type Gathered, type GatheringParts, NOTHING } from './parts.ts'
import { gatherPdos } from './pdos.ts'
import { gatherRequirements } from './requirements.ts'
import { gatherSchedules } from './schedules.ts'
import { gatherService } from './service.ts'
import { gatherUnknownPlace, meantActions, withOtherCities } from './unknownPlace.ts'

const MOST_ACTIONS = 4
/** Of the travel FAQ. */
const LOST_PAPERS = ['passport-lost-or-stolen']
/** A question of so few letters names something and asks nothing of it. */
const BARE_NAME = 24
/** No word of it says what it is about. */
const UNTOLD = 0.2

/** A character of Chinese, Japanese or Korean says as much as three letters. */
const lengthOf = ({ understood: { words } }: Asked) =>
  words.length + 2 * (words.match(/\p{sc=Han}|\p{sc=Hiragana}|\p{sc=Katakana}|\p{sc=Hangul}/gu) ?? []).length

/** Gathers from the portal's own records what a question is about. */
export async function gather(parts: GatheringParts, asked: Asked): Promise<Draft> {
  const unknownPlace = gatherUnknownPlace(parts, asked)
  if (unknownPlace) return draftOf(asked, unknownPlace)
  const gathered = withOtherCities(asked, await withPages(parts, asked, await byIntent(parts, asked)))
  const isSilent = gathered.found === 'nothing' && (gathered.opening ?? []).length === 0
  return draftOf(asked, isSilent ? { ...unknown(asked), warning: gathered.warning ?? null } : gathered)
}

async function byIntent(parts: GatheringParts, asked: Asked): Promise<Gathered> {
  const { intent, entities } = asked.understood.analysis
  const country = entities.country ?? entities.destination
  const destination = entities.destination ?? entities.country
  switch (intent) {
    case 'locale_inquiry':
      return gatherChurches(parts, asked)
    case 'schedule_inquiry':
      return gatherSchedules(parts, asked)
    case 'contact_inquiry':
      return gatherContacts(parts, asked)
    case 'travel_inquiry':
      return gatherAdvisories(parts, asked, destination)
    case 'pdos_registration':
      return gatherPdos(parts, asked)
    case 'document_inquiry':
      return gatherRequirements(parts, asked, destination)
    case 'status_check':
      return gatherOwn(asked)
    case 'emergency_support':
      return inEmergency(parts, asked, country ?? asked.user?.country ?? null)
    case 'general_inquiry':
      // Whoever says nothing but a country wants to know how it is there.
      return destination && asked.understood.analysis.confidence <= UNTOLD && lengthOf(asked) <= BARE_NAME
        ? gatherAdvisories(parts, asked, destination)
        : NOTHING
  }
}

/** The numbers, and what the portal says of lost papers: by its name, so that it is the same in every language. */
function inEmergency(parts: GatheringParts, asked: Asked, country: string | null): Gathered {
  const { service } = asked.understood
  if (service) return gatherService(parts, asked, service, country)
  const hotlines = gatherHotlines(parts, asked, country)
  if (asked.understood.analysis.entities.emergencyType !== 'document') return hotlines
  const { sections, sources } = tellFaq(parts, asked, LOST_PAPERS)
  return { ...hotlines, sections: [...hotlines.sections, ...sections], sources: [...hotlines.sources, ...sources] }
}

/** No guess: what a record does not say is not known. */
function unknown({ language, understood }: Asked): Gathered {
  const speech = speechOf(language)
  const actions = actionsIn(speech)
  const { country, destination } = understood.analysis.entities
  const about = country ?? destination
  return {
    ...NOTHING,
    opening: [speech.plain('unknown')],
    closing: [speech.plain('unknown_more')],
    quickActions: [
      actions.unsafe,
      actions.person,
      ...(about ? [actions.country(about)] : []),
      actions.advisories,
      actions.faq,
    ],
  }
}

/** One who may be in danger is told what helps, and nothing else. */
export function draftForDanger(
  parts: Pick<GatheringParts, 'facts'>,
  asked: Asked,
  dangers: readonly Danger[],
  country: string | null,
): Draft {
  const { gathered, panel } = gatherDanger(parts, asked, dangers, country)
  const quickActions = [...meantActions(asked), ...(gathered.quickActions ?? [])]
  return { ...draftOf(asked, { ...gathered, quickActions }), danger: panel }
}

/** An answer that asserts nothing: a greeting, thanks, a refusal, an offer. */
export function draftWithout(asked: Asked, status: AnswerStatus, opening: string, { mayGoOn = true } = {}): Draft {
  const actions = actionsIn(speechOf(asked.language))
  const quickActions = mayGoOn ? [actions.nearMe, actions.advisories, actions.pdos, actions.person] : [actions.person]
  return { ...draftOf(asked, { ...NOTHING, opening: [opening], quickActions }), status }
}

/** Words of welcome in the manner of the language, by the name of whoever is signed in. */
export function greetingFor({ language, user }: Asked): string {
  const { greeting } = ASSISTANT_LANGUAGES[language]
  const speech = speechOf(language)
  return speech.say('greeting', { greeting: user ? `${greeting}, ${user.name}` : greeting })
}

function draftOf(asked: Asked, gathered: Gathered): Draft {
  const statuses = { all: 'answered', some: 'partly', asks: 'partly', nothing: 'unknown' } as const
  return {
    language: asked.language,
    status: statuses[gathered.found],
    analysis: asked.understood.analysis,
    opening: gathered.opening ?? [],
    sections: gathered.sections,
    closing: gathered.closing ?? [],
    sources: gathered.sources,
    quickActions: unique(gathered.quickActions ?? []).slice(0, MOST_ACTIONS),
    mapLocales: gathered.mapLocales ?? [],
    danger: null,
    helpLine: null,
    warning: gathered.warning ?? null,
  }
}

const unique = (actions: Draft['quickActions']) => [
  ...new Map(actions.map((action) => [`${action.action} ${action.value}`, action])).values(),
]
