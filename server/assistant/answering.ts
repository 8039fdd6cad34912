import type { Answer, DangerPanel } from '#shared/assistant/answer.ts'
import type { Intent } from '#shared/assistant/intents.ts'
import { ASSISTANT_LANGUAGES, type AssistantLanguage, directionOfAssistant } from '#shared/assistant/languages.ts'
import type { Point } from '#shared/churches/distance.ts'
import type { Conversation } from './cleaning.ts'
import { compose } from './composing/compose.ts'
import { speechOf } from './composing/speech.ts'
import type { Draft } from './drafts.ts'
import { type Following, follow } from './following.ts'
import { type DestinationInfo, destinationInfo } from './gathering/destination.ts'
import { draftForDanger, draftWithout, gather, greetingFor } from './gathering/gather.ts'
import { gatherOwn } from './gathering/own.ts'
import type { Asked, GatheringParts } from './gathering/parts.ts'
import type { Phrased, Phrasing } from './model/phrasing.ts'
import type { Understand } from './understanding/understood.ts'
import { within } from './within.ts'

export interface AnsweringParts extends GatheringParts {
  understand: Understand
  /** Absent where no model is set up. */
  phrasing?: Phrasing
}

/** A question as it came in, with who asks it. */
export interface Question extends Conversation {
  now: Date
  /** Answer in this one. */
  chosen: AssistantLanguage | null
  interfaceLanguage: string | null
  location: Point | null
  /** Who is signed in. The country stands in the profile, which is read only where an answer needs it. */
  user: { id: string; name: string; country: (signal: AbortSignal) => Promise<string | null> } | null
  wantsDestination: boolean
  /** An address or an account, for what each of them may spend. */
  visitor: string
  options: { model?: string; temperature?: number; max_tokens?: number }
  signal: AbortSignal
}

/** Told while an answer comes about. */
export interface Listener {
  onStart?: (start: Start) => void
  onWords?: (words: string) => void
  onInstead?: (content: string) => void
}

/** What leads an answer. */
export interface Start {
  language: AssistantLanguage
  direction: 'ltr' | 'rtl'
  danger: DangerPanel | null
  notice: string | null
}

export interface Answered {
  answer: Answer
  /** Only where it was asked for. */
  destination: DestinationInfo | null
  /** Nothing in it is of one person. */
  isPublic: boolean
}

/** Understands, gathers, composes and, where a model may be asked, has it phrased: always an answer from records. */
export async function answer(parts: AnsweringParts, question: Question, listener: Listener = {}): Promise<Answered> {
  const began = performance.now()
  const following = follow(parts.understand, question)
  const asked = await whoAsks(parts, question, following)
  const short = shortCut(parts, asked, following)
  const phrasing = parts.settings.get('assistant.model_enabled') ? parts.phrasing : undefined
  const notice = short || phrasing ? null : speechOf(asked.language).plain('notice_fallback')
  listener.onStart?.(startOf(asked.language, short?.danger ?? null, notice))
  const draft = short ?? (await gather(parts, asked))
  const composed = compose(draft)
  // There is nothing to phrase where nothing is asserted.
  const isAsked = phrasing !== undefined && !short && draft.sections.length > 0
  const phrased = isAsked ? await phrase({ ...parts, phrasing }, question, draft, composed.content, listener) : null
  if (!isAsked) listener.onWords?.(composed.content)
  const isFallback = isAsked && !phrased
  return {
    answer: {
      content: phrased?.content ?? composed.content,
      format: 'markdown',
      metadata: {
        status: isFallback && draft.status === 'answered' ? 'fallback' : draft.status,
        language: draft.language,
        direction: directionOfAssistant(draft.language),
        citations: composed.citations,
        records: composed.records,
        intent_analysis: draft.analysis,
        quickActions: [...draft.quickActions],
        mapLocales: [...draft.mapLocales],
        danger: draft.danger,
        notice: isFallback ? speechOf(draft.language).plain('notice_fallback') : notice,
        warning: draft.warning,
        question_id: null,
        conversation_id: null,
        tokens_used: phrased?.tokens ?? 0,
        model_used: phrased?.model ?? null,
        processing_time_ms: Math.round(performance.now() - began),
        error: false,
        errorMessage: null,
      },
    },
    destination: question.wantsDestination ? await destinationInfo(parts, asked) : null,
    isPublic: isPublic(asked, draft),
  }
}

/** How long an answer may take in all: whoever asks in public waits 20 s (C-27). */
export const ANSWER_MS = 18_000
/** How long the own profile is waited for: an answer without it comes soon enough to help. */
const OWN_MS = 1_500

async function whoAsks(parts: AnsweringParts, question: Question, { understood, dangers }: Following): Promise<Asked> {
  const { user, location, now, signal } = question
  const { intent, entities } = understood.analysis
  const isNeeded = user && (dangers.length > 0 || intent === 'emergency_support') && !entities.country
  const country = isNeeded ? await countryOf(parts, user, signal) : null
  return {
    question: question.question,
    understood,
    now,
    language: understood.answerIn,
    user: user && { id: user.id, name: user.name, country },
    location,
    signal,
  }
}

async function countryOf(parts: AnsweringParts, user: NonNullable<Question['user']>, caller: AbortSignal) {
  try {
    return await within(OWN_MS, caller, user.country)
  } catch (error) {
    parts.log.warn({ reason: (error as Error).message }, 'the country of a profile could not be read')
    return null
  }
}

/** What is answered without looking further, and never by a model. */
function shortCut(parts: AnsweringParts, asked: Asked, { understood, dangers }: Following): Draft | null {
  const { plain } = speechOf(asked.language)
  const { intent, entities } = understood.analysis
  if (dangers.length > 0)
    return draftForDanger(
      parts,
      asked,
      dangers,
      entities.country ?? entities.destination ?? asked.user?.country ?? null,
    )
  if (understood.isDisparaging) return draftWithout(asked, 'refused', plain('refused_defamation'), { mayGoOn: false })
  if (understood.isCommand) return draftWithout(asked, 'refused', plain('refused_instructions'))
  if (intent === 'status_check' && entities.applicationId && !asked.user)
    return {
      ...draftWithout(asked, 'refused', plain('refused_personal')),
      quickActions: gatherOwn(asked).quickActions ?? [],
    }
  if (understood.wantsPerson) return draftWithout(asked, 'answered', plain('hand_over_offer'), { mayGoOn: false })
  if (understood.isGreeting) return draftWithout(asked, 'answered', greetingFor(asked))
  if (understood.isThanks)
    return draftWithout(asked, 'answered', plain('thanks', { blessing: ASSISTANT_LANGUAGES[asked.language].blessing }))
  return null
}

/** Words of a model, or null where it may not be asked, does not answer, or says what it may not. */
async function phrase(
  parts: AnsweringParts & { phrasing: Phrasing },
  question: Question,
  draft: Draft,
  composed: string,
  { onWords, onInstead }: Listener,
): Promise<Phrased | null> {
  let hasSpoken = false
  try {
    const { history, visitor, options, signal } = question
    const phrased = await within(ANSWER_MS - (Date.now() - question.now.valueOf()), signal, (patience) =>
      parts.phrasing({
        draft,
        composed,
        question: question.question,
        history,
        visitor,
        options,
        signal: patience,
        onWords: (piece) => {
          hasSpoken = true
          onWords?.(piece)
        },
      }),
    )
    if (phrased && !hasSpoken) onWords?.(phrased.content)
    if (phrased) return phrased
  } catch (error) {
    parts.log.warn({ reason: (error as Error).message }, 'no model could be asked; the answer is composed')
  }
  if (hasSpoken) onInstead?.(composed)
  else onWords?.(composed)
  return null
}

/** Kept for others only where it is of nobody in particular, and not of what somebody may rely on to the day (C-26). */
function isPublic({ user, location, understood }: Asked, { danger, sources }: Draft): boolean {
  const { intent, entities } = understood.analysis
  return (
    !user &&
    !location &&
    !danger &&
    !NEVER_KEPT.includes(intent) &&
    entities.documentType !== 'certificate' &&
    sources.every(({ kind }) => kind !== 'own')
  )
}

const NEVER_KEPT: readonly Intent[] = ['pdos_registration', 'document_inquiry', 'status_check', 'emergency_support']

const startOf = (language: AssistantLanguage, danger: DangerPanel | null, notice: string | null): Start => ({
  language,
  direction: directionOfAssistant(language),
  danger,
  notice,
})
