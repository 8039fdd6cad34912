import type { AnswerStatus } from '#shared/assistant/answer.ts'
import type { Danger } from '#shared/assistant/intents.ts'
import { ASSISTANT_LANGUAGES } from '#shared/assistant/languages.ts'
import { LOST_PAPERS } from '#shared/content/faq.ts'
import { speechOf } from '../composing/speech.ts'
import type { Draft } from '../drafts.ts'
import { actionsIn } from './actions.ts'
import { gatherAdvisories } from './advisories.ts'
import { gatherChurches } from './churches.ts'
import { gatherContacts } from './contacts.ts'
import { type Gathered, type GatheringDeps, NOTHING, type QuestionContext } from './context.ts'
import { gatherDanger } from './danger.ts'
import { gatherFaqEntries } from './faq.ts'
import { gatherHotlines } from './hotlines.ts'
import { gatherOwn } from './own-account.ts'
import { withPages } from './pages.ts'
import { gatherPdos } from './pdos.ts'
import { gatherRequirements } from './requirements.ts'
import { gatherSchedules } from './schedules.ts'
import { gatherService } from './service.ts'
import { gatherUnknownPlace, meantActions, withOtherCities } from './unknown-place.ts'

const MAX_ACTIONS = 4
/** Up to this many letters, a question only names something. */
const BARE_NAME = 24
/** Confidence below which no word indicates an intent. */
const UNTOLD = 0.2

/** A Chinese, Japanese or Korean character counts as three letters. */
const lengthOf = ({ understood: { folded } }: QuestionContext) =>
  folded.length + 2 * (folded.match(/\p{sc=Han}|\p{sc=Hiragana}|\p{sc=Katakana}|\p{sc=Hangul}/gu) ?? []).length

/** Gathers the portal's records that answer a question. */
export async function gather(deps: GatheringDeps, ctx: QuestionContext): Promise<Draft> {
  const unknownPlace = gatherUnknownPlace(deps, ctx)
  if (unknownPlace) return draftOf(ctx, unknownPlace)
  const gathered = withOtherCities(ctx, await withPages(deps, ctx, await byIntent(deps, ctx)))
  const isSilent = gathered.found === 'nothing' && (gathered.opening ?? []).length === 0
  return draftOf(ctx, isSilent ? { ...unknown(ctx), warning: gathered.warning ?? null } : gathered)
}

async function byIntent(deps: GatheringDeps, ctx: QuestionContext): Promise<Gathered> {
  const { intent, entities } = ctx.understood.analysis
  const country = entities.country ?? entities.destination
  const destination = entities.destination ?? entities.country
  switch (intent) {
    case 'locale_inquiry':
      return gatherChurches(deps, ctx)
    case 'schedule_inquiry':
      return gatherSchedules(deps, ctx)
    case 'contact_inquiry':
      return gatherContacts(deps, ctx)
    case 'travel_inquiry':
      return gatherAdvisories(deps, ctx, destination)
    case 'pdos_registration':
      return gatherPdos(deps, ctx)
    case 'document_inquiry':
      return gatherRequirements(deps, ctx, destination)
    case 'status_check':
      return gatherOwn(ctx)
    case 'emergency_support':
      return inEmergency(deps, ctx, country ?? ctx.user?.country ?? null)
    case 'general_inquiry':
      // A bare country name asks about the situation in that country.
      return destination && ctx.understood.analysis.confidence <= UNTOLD && lengthOf(ctx) <= BARE_NAME
        ? gatherAdvisories(deps, ctx, destination)
        : NOTHING
  }
}

/**
 * Emergency numbers and the FAQ entry about lost documents, selected by its slug so that it is the same in every
 * language.
 */
function inEmergency(deps: GatheringDeps, ctx: QuestionContext, country: string | null): Gathered {
  const { service } = ctx.understood
  if (service) return gatherService(deps, ctx, service, country)
  const hotlines = gatherHotlines(deps, ctx, country)
  if (ctx.understood.analysis.entities.emergencyType !== 'document') return hotlines
  const { sections, sources } = gatherFaqEntries(deps, ctx, [LOST_PAPERS])
  return { ...hotlines, sections: [...hotlines.sections, ...sections], sources: [...hotlines.sources, ...sources] }
}

/** Never guesses: without a record, the answer is "unknown". */
function unknown({ language, understood }: QuestionContext): Gathered {
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

/** In a possible danger, the answer contains only what helps. */
export function draftForDanger(
  deps: Pick<GatheringDeps, 'facts'>,
  ctx: QuestionContext,
  dangers: readonly Danger[],
  country: string | null,
): Draft {
  const { gathered, panel } = gatherDanger(deps, ctx, dangers, country)
  const quickActions = [...meantActions(ctx), ...(gathered.quickActions ?? [])]
  return { ...draftOf(ctx, { ...gathered, quickActions }), danger: panel }
}

/** An answer that asserts nothing: a greeting, thanks, a refusal, an offer. */
export function draftWithout(
  ctx: QuestionContext,
  status: AnswerStatus,
  opening: string,
  { mayGoOn = true } = {},
): Draft {
  const actions = actionsIn(speechOf(ctx.language))
  const quickActions = mayGoOn ? [actions.nearMe, actions.advisories, actions.pdos, actions.person] : [actions.person]
  return { ...draftOf(ctx, { ...NOTHING, opening: [opening], quickActions }), status }
}

/** Greeting in the style of the language, with the name of the signed-in user. */
export function greetingFor({ language, user }: QuestionContext): string {
  const { greeting } = ASSISTANT_LANGUAGES[language]
  const speech = speechOf(language)
  return speech.say('greeting', { greeting: user ? `${greeting}, ${user.name}` : greeting })
}

function draftOf(ctx: QuestionContext, gathered: Gathered): Draft {
  const statuses = { all: 'answered', some: 'partly', asks: 'partly', nothing: 'unknown' } as const
  return {
    language: ctx.language,
    status: statuses[gathered.found],
    analysis: ctx.understood.analysis,
    opening: gathered.opening ?? [],
    sections: gathered.sections,
    closing: gathered.closing ?? [],
    sources: gathered.sources,
    quickActions: unique(gathered.quickActions ?? []).slice(0, MAX_ACTIONS),
    mapLocales: gathered.mapLocales ?? [],
    danger: null,
    helpLine: null,
    warning: gathered.warning ?? null,
  }
}

const unique = (actions: Draft['quickActions']) => [
  ...new Map(actions.map((action) => [`${action.action} ${action.value}`, action])).values(),
]
