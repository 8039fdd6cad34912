import type { Answer, DangerPanel } from '#shared/assistant/answer.ts'
import { type AssistantLanguage, directionOfAssistant } from '#shared/assistant/languages.ts'
import type { Point } from '#shared/churches/distance.ts'
import { isPublic } from './cache.ts'
import { arrange, choosableOf, headOf } from './composing/arrangement.ts'
import { compose } from './composing/composition.ts'
import { speechOf } from './composing/speech.ts'
import type { Conversation } from './conversation-input.ts'
import { within } from './deadline.ts'
import type { Draft } from './drafts.ts'
import { type FollowUp, resolveFollowUp } from './follow-up.ts'
import { gather } from './gathering/answer-draft.ts'
import type { GatheringDeps, QuestionContext } from './gathering/context.ts'
import { type DestinationInfo, destinationInfo } from './gathering/destination.ts'
import { withHelpLine } from './gathering/help-line.ts'
import type { Choice, Choose } from './model/choice.ts'
import { shortCut } from './short-cuts.ts'
import type { Understand } from './understanding/interpretation.ts'

export interface AnsweringDeps extends GatheringDeps {
  /** Resolves once the vocabulary is loaded, shortly after start-up. */
  understanding: () => Promise<Understand>
  /** Absent if no model is configured. */
  choosing?: Choose
}

/** An incoming question with its caller. */
export interface Question extends Conversation {
  now: Date
  /** Forces the answer language. */
  chosen: AssistantLanguage | null
  interfaceLanguage: string | null
  location: Point | null
  /** The signed-in user. The country is in the profile, which is read only if an answer needs it. */
  user: { id: string; name: string; country: () => Promise<string | null> } | null
  wantsDestination: boolean
  /** Address or account that rate and model limits are counted against. */
  visitor: string
  options: Parameters<Choose>[0]['options']
  signal: AbortSignal
}

/** Callbacks while an answer is being produced. */
export interface Listener {
  onStart?: (start: Start) => void
  onText?: (text: string) => void
}

/** The beginning of an answer. */
export interface Start {
  language: AssistantLanguage
  direction: 'ltr' | 'rtl'
  danger: DangerPanel | null
}

export interface AnswerResult {
  answer: Answer
  /** Only if requested. */
  destination: DestinationInfo | null
  /** Contains nothing personal and may be cached for other callers. */
  isPublic: boolean
  /** This or an earlier question shows signs of danger. */
  isInDanger: boolean
}

/** Minimum number of statements for which an order is worth choosing. */
const LEAST_TO_CHOOSE = 2

/**
 * Interprets the question, gathers records, lets a model choose the order if there is one to choose, and composes the
 * answer. Every statement comes from a record.
 */
export async function answer(deps: AnsweringDeps, question: Question, listener: Listener = {}): Promise<AnswerResult> {
  const began = performance.now()
  const following = resolveFollowUp(await deps.understanding(), question)
  const ctx = await contextOf(deps, question, following)
  const short = shortCut(deps, ctx, following)
  const choosing = deps.settings.get('assistant.model_enabled') && !short ? deps.choosing : undefined
  const direction = directionOfAssistant(ctx.language)
  listener.onStart?.({ language: ctx.language, direction, danger: short?.danger ?? null })

  const draft = withHelpLine(deps, ctx, short ?? (await gather(deps, ctx)), following)
  const mayChoose = choosing !== undefined && draft.helpLine === null && choosableOf(draft).length >= LEAST_TO_CHOOSE
  const head = mayChoose ? compose(headOf(draft)).content : ''
  if (head !== '') listener.onText?.(head)
  const left = deps.waits.answer - (performance.now() - began)
  const choice = mayChoose ? await choose({ ...deps, choosing }, question, draft, left) : null
  const composed = compose(choice ? arrange(draft, choice.picks) : draft)
  listener.onText?.(composed.content.slice(head.length))
  const isFallback = mayChoose && !choice
  return {
    answer: {
      content: composed.content,
      format: 'markdown',
      metadata: {
        status: isFallback && draft.status === 'answered' ? 'fallback' : draft.status,
        language: draft.language,
        direction,
        citations: composed.citations,
        records: composed.records,
        intent_analysis: draft.analysis,
        quickActions: [...draft.quickActions],
        mapLocales: [...draft.mapLocales],
        danger: draft.danger,
        help_line: draft.helpLine,
        notify: notifying(ctx, draft),
        notice: isFallback ? speechOf(ctx.language).plain('notice_fallback') : null,
        warning: draft.warning,
        question_id: null,
        conversation_id: null,
        tokens_used: choice?.tokens ?? 0,
        model_used: choice?.model ?? null,
        processing_time_ms: Math.round(performance.now() - began),
        error: false,
        errorMessage: null,
      },
    },
    destination: question.wantsDestination ? await destinationInfo(deps, ctx) : null,
    isPublic: !isFallback && !following.isInDanger && isPublic(ctx, draft),
    isInDanger: following.isInDanger,
  }
}

/** Offers signed-in users who ask for help to notify a coordinator. The danger panel has its own button for that. */
function notifying({ user, language }: QuestionContext, { danger, analysis }: Draft): Answer['metadata']['notify'] {
  if (!user || danger || analysis.intent !== 'emergency_support') return null
  const { plain } = speechOf(language)
  return { title: plain('notify_coordinator'), help: plain('notify_coordinator_help'), send: plain('send') }
}

async function contextOf(deps: AnsweringDeps, question: Question, following: FollowUp): Promise<QuestionContext> {
  const { user, location, now, signal } = question
  const { understood, dangers } = following
  const isAway = dangers.length > 0 || understood.analysis.intent === 'emergency_support'
  const country = user && isAway && !following.country ? await countryOf(deps, user, signal) : null
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

async function countryOf(deps: AnsweringDeps, user: NonNullable<Question['user']>, caller: AbortSignal) {
  try {
    return await within(deps.waits.own, caller, user.country)
  } catch (error) {
    deps.log.warn({ reason: (error as Error).message }, 'the country of a profile could not be read')
    return null
  }
}

/** The model's choice, or null if the model may not be called, times out or fails. */
async function choose(
  { choosing, log }: AnsweringDeps & { choosing: Choose },
  { question, history, visitor, options, signal: caller }: Question,
  draft: Draft,
  milliseconds: number,
): Promise<Choice | null> {
  const request = { language: draft.language, choosable: choosableOf(draft), question, history, visitor, options }
  try {
    return await within(milliseconds, caller, (signal) => choosing({ ...request, signal }))
  } catch (error) {
    log.warn({ reason: (error as Error).message }, 'no model chose an order; the answer is in that of the portal')
    return null
  }
}
