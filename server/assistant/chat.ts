import { randomUUID } from 'node:crypto'
import { withClaims } from '#server/db/claims.ts'
import { isAppError } from '#server/http/failure.ts'
import { createRateLimit, type RateLimit, tooMany } from '#server/http/rate-limit.ts'
import { claimsOf } from '#server/http/router.ts'
import type { Session } from '#server/http/session.ts'
import type { Answer } from '#shared/assistant/answer.ts'
import type { ChatReply, ChatRequest } from '#shared/assistant/chat.ts'
import { assistantLanguageOf } from '#shared/assistant/languages.ts'
import { GENERAL_NUMBER } from '#shared/emergency/address.ts'
import { AppError } from '#shared/errors.ts'
import { type AnsweringDeps, type AnswerResult, answer, type Listener, type Question } from './answer.ts'
import type { TtlCache } from './cache.ts'
import { type Conversation, readConversation } from './conversation-input.ts'
import { saveExchange } from './conversations/exchange.ts'
import { findConversation } from './conversations/queries.ts'
import { within } from './deadline.ts'
import type { AssistantDeps } from './deps.ts'
import { resolveFollowUp } from './follow-up.ts'
import { firstNumber } from './gathering/help-line.ts'
import { readOwnCountry } from './gathering/own-account.ts'
import { phrase } from './phrases/phrases.ts'
import { createNotes } from './questions.ts'
import { replyOf } from './reply.ts'

/** Questions per minute: of an address, which a whole household may share, and of an account. */
const RATES = { address: 60, account: 30 }
/**
 * Up to this multiple of the limit, questions are still checked for signs of danger. Beyond it, the reply is only a
 * number to call.
 */
const READ_FACTOR = 10

interface AnswerContext {
  session: Session
  now: Date
}

/** Admits the caller, answers from the cache or composes an answer, and saves the exchange where the user wants it. */
export class Chat {
  readonly #deps: AssistantDeps & { answering: AnsweringDeps; answerCache: TtlCache<AnswerResult> }
  readonly #visitors: RateLimit
  readonly #accounts: RateLimit
  readonly #readers: RateLimit
  readonly #note: ReturnType<typeof createNotes>

  constructor(deps: AssistantDeps & { answering: AnsweringDeps; answerCache: TtlCache<AnswerResult> }) {
    this.#deps = deps
    const { address, account } = deps.rates ?? RATES
    this.#visitors = createRateLimit({ count: address, seconds: 60 })
    this.#accounts = createRateLimit({ count: account, seconds: 60 })
    this.#readers = createRateLimit({ count: address * READ_FACTOR, seconds: 60 })
    this.#note = createNotes(deps)
  }

  /** Applies the rate limit and reads the question. Danger is never rejected by the rate limit. */
  async admit(ctx: AnswerContext, body: ChatRequest): Promise<Conversation> {
    const { user, address } = ctx.session
    const wait = user ? this.#accounts.secondsToWait(user.id) : this.#visitors.secondsToWait(address)
    if (!this.#deps.settings.get('assistant.enabled')) {
      const language = body.language ?? assistantLanguageOf(body.interface_language) ?? 'en'
      throw new AppError(503, 'assistant_off', phrase(language, 'switched_off'))
    }
    const conversation = readConversation(body)
    if (wait > 0) await this.#refuseUnlessDanger(ctx, body, conversation, wait)
    return conversation
  }

  async #refuseUnlessDanger(
    { session, now }: AnswerContext,
    body: ChatRequest,
    conversation: Conversation,
    wait: number,
  ) {
    const chosen = body.language ?? body.options?.language ?? null
    const interfaceLanguage = body.interface_language ?? null
    let language = chosen ?? assistantLanguageOf(interfaceLanguage) ?? 'en'
    let country: string | null = null
    if (this.#readers.secondsToWait(session.address) === 0) {
      const following = resolveFollowUp(await this.#deps.answering.understanding(), {
        ...conversation,
        now,
        chosen,
        interfaceLanguage,
      })
      if (following.dangers.length > 0 || following.possible) return
      language = following.understood.answerIn
      country = following.country
    }
    const { phone } = firstNumber(this.#deps.facts, country, language, now) ?? { phone: GENERAL_NUMBER }
    throw tooMany(phrase(language, 'too_many', { count: wait, phone }), wait)
  }

  async reply(
    ctx: AnswerContext,
    body: ChatRequest,
    conversation: Conversation,
    listener: Listener,
    signal: AbortSignal,
  ): Promise<ChatReply> {
    const began = performance.now()
    await this.#knowConversation(ctx, body, signal)
    const {
      answer: made,
      destination,
      isInDanger,
    } = await within(this.#deps.answering.waits.answer + 500, signal, () =>
      this.#answerWithCache(ctx, body, conversation, listener, signal),
    ).catch(answerTimeout)
    const id = randomUUID()
    const finalAnswer: Answer = {
      ...made,
      metadata: {
        ...made.metadata,
        question_id: id,
        conversation_id: await this.#saveConversation(ctx, body, conversation, made, signal),
        processing_time_ms: Math.round(performance.now() - began),
      },
    }
    // Not awaited: the answer does not depend on a slow or unavailable database.
    this.#note({ id, question: conversation.question, answer: finalAnswer, isInDanger })
    return replyOf(finalAnswer, body.context ? { destination } : null)
  }

  async #answerWithCache(
    { session, now }: AnswerContext,
    body: ChatRequest,
    conversation: Conversation,
    listener: Listener,
    signal: AbortSignal,
  ): Promise<AnswerResult> {
    const { language, options: { language: other, ...options } = {}, interface_language, location, context } = body
    const { user } = session
    const isCacheable = !user && !location
    const key = [conversation, language, other, options, interface_language, context]
    const known = isCacheable ? this.#deps.answerCache.find(key) : undefined
    if (known) {
      replay(known, listener)
      return known
    }
    const question: Question = {
      ...conversation,
      now,
      chosen: language ?? other ?? null,
      interfaceLanguage: interface_language ?? null,
      location: location ?? null,
      user: user && {
        id: user.id,
        name: user.name,
        country: () => withClaims(this.#deps.database, claimsOf(session), (db) => readOwnCountry(db, user.id)),
      },
      wantsDestination: context === 'destination_info',
      visitor: session.user?.id ?? session.address,
      options,
      signal,
    }
    const answered = await answer(this.#deps.answering, question, listener)
    if (isCacheable && answered.isPublic)
      this.#deps.answerCache.set(key, answered, { now, until: this.#deps.advisories.validUntil(now) })
    return answered
  }

  /** Rejects a conversation id that the user does not own before streaming starts. */
  async #knowConversation({ session }: AnswerContext, { conversation_id, save }: ChatRequest, signal: AbortSignal) {
    const { user } = session
    if (!user || !conversation_id || !save) return
    try {
      await within(this.#deps.answering.waits.keeping, signal, () =>
        withClaims(this.#deps.database, claimsOf(session), (db) => findConversation(db, user.id, conversation_id)),
      )
    } catch (error) {
      if (error instanceof AppError) throw error
      this.#deps.log.warn(
        { reason: (error as Error).message },
        'a conversation could not be looked up; the question is answered',
      )
    }
  }

  /** Saves the exchange for signed-in users who want it. */
  async #saveConversation(
    ctx: AnswerContext,
    body: ChatRequest,
    conversation: Conversation,
    made: Answer,
    signal: AbortSignal,
  ) {
    const { user } = ctx.session
    if (!user || !body.save) return body.conversation_id ?? null
    try {
      return await within(this.#deps.answering.waits.keeping, signal, () =>
        saveExchange(this.#deps.database, {
          ...ctx,
          userId: user.id,
          conversationId: body.conversation_id ?? null,
          question: conversation.question,
          answer: made,
        }),
      )
    } catch (error) {
      if (isAppError(error)) throw error
      this.#deps.log.warn({ reason: (error as Error).message }, 'a conversation could not be kept; its answer goes out')
      return body.conversation_id ?? null
    }
  }
}

/** Fallback for a timeout that nothing else has handled. */
function answerTimeout(error: unknown): never {
  if (!(error instanceof DOMException && error.name === 'TimeoutError')) throw error
  throw new AppError(504, 'no_answer_in_time', 'Failed to get AI response', { cause: error })
}

/** Replays a cached answer as if it were produced now. */
function replay({ answer: { content, metadata } }: AnswerResult, { onStart, onText }: Listener): void {
  const { language, direction, danger } = metadata
  onStart?.({ language, direction, danger })
  onText?.(content)
}
