import { findPublicChapters } from '#server/churches/chapter-search.ts'
import type { ChurchModel } from '#server/churches/model.ts'
import { withClaims } from '#server/db/claims.ts'
import type { Router } from '#server/http/router.ts'
import type { TextInterpretation } from '#server/roll-calls/texts/text-inbox.ts'
import type { AnsweringDeps, AnswerResult } from './answer.ts'
import { ANONYMOUS, createTtlCache, withChoiceCache } from './cache.ts'
import { registerCases } from './cases/endpoints.ts'
import { registerConversations } from './conversations/endpoints.ts'
import type { AssistantDeps } from './deps.ts'
import { registerAnswers } from './endpoints.ts'
import { registerFactsAdmin } from './facts/endpoints.ts'
import { MAX_CHURCHES } from './gathering/churches.ts'
import { withChunkCache } from './gathering/knowledge.ts'
import { createPlaceFinder } from './gathering/places.ts'
import { registerKnowledgeAdmin } from './knowledge/admin.ts'
import { chunkFinder, registerKnowledge } from './knowledge/endpoints.ts'
import { LEXICONS } from './lexicon/lexicon.ts'
import { canTranslate, registerTranslation } from './model/endpoints.ts'
import { createModelBudget } from './model/model-budget.ts'
import { createChoosing } from './model/model-choice.ts'
import { createModel } from './model/provider.ts'
import { createTranslating } from './model/translation.ts'
import { registerQuestionReview } from './question-review/endpoints.ts'
import { registerRatings } from './rating.ts'
import { WAITS } from './timeouts.ts'
import type { Understand } from './understanding/interpretation.ts'
import { learning } from './understanding/interpreter.ts'
import { inSlices } from './understanding/steps.ts'
import { createWriter } from './writer.ts'

export interface Assistant {
  /** Loads the vocabulary, so that no question waits for it. */
  warm: () => void
  /** Checks a text message for danger, outside any conversation. */
  interpret: (text: string, now: Date) => Promise<TextInterpretation>
  stop: () => void
}

/** Registers the endpoints of the assistant's capabilities. */
export function registerAssistant(router: Router, deps: AssistantDeps): Assistant {
  const { database, countries, findChunks = chunkFinder(database), model } = deps
  const { settings, log } = deps
  const client = model && createModel(model)
  const spending = createModelBudget({ database, settings, log, now: () => new Date() })
  const choosing = deps.choosing ?? (client && createChoosing({ model: client, spending, log }))
  registerConversations(router)
  const translate = client && createTranslating(client, spending.spent)
  registerCases(router, { countries, canTranslate: () => canTranslate({ translate, settings }) })
  registerRatings(router)
  registerKnowledge(router)
  registerTranslation(router, { translate, spending, settings, log })
  const write = createWriter(deps.readModel)
  registerFactsAdmin(router, { countries, write })
  registerQuestionReview(router)
  registerKnowledgeAdmin(router, { ...deps, write, allowsPrivate: deps.allowsPrivate ?? false })
  const answerCache = createTtlCache<AnswerResult>(ANONYMOUS)
  const choices = choosing && withChoiceCache(choosing)
  const chunks = withChunkCache(findChunks)
  // Answers depend on rows: cached ones are dropped when these change.
  deps.readModel.onChange((changes) => {
    answerCache.clear()
    if (changes.some(({ table }) => table === 'knowledge_sources')) chunks.clear()
  })
  const waits = { ...WAITS, ...deps.waits }
  const { understand } = deps
  const understanding = understand
    ? async () => understand
    : once(() =>
        inSlices(learning({ lexicons: LEXICONS, countries: countries().all(), cities: citiesOf(deps.churches) })),
      )
  const answering: AnsweringDeps = {
    ...deps,
    waits,
    understanding,
    findPlace: createPlaceFinder(database, waits),
    findChapters: (country) =>
      withClaims(database, { as: 'anonymous' }, (db) =>
        findPublicChapters(db, countries(), { country, radius: 0, limit: MAX_CHURCHES }),
      ),
    findChunks: chunks.findChunks,
    ...(choices ? { choosing: choices.choosing } : {}),
  }
  registerAnswers(router, { ...deps, answering, answerCache })
  return {
    warm: () => void understanding().then((learnt) => learnt('Where is a church?', { now: new Date() })),
    async interpret(text, now) {
      const { analysis, language, isDangerPlain } = (await understanding())(text, { now })
      return { dangers: analysis.dangers, isPlain: isDangerPlain, language, country: analysis.entities.country }
    },
    stop() {
      answerCache.stop()
      choices?.stop()
      chunks.stop()
    },
  }
}

/** Loading the vocabulary of twelve languages takes a second, so it is done once and without blocking. */
function once(learn: () => Promise<Understand>): () => Promise<Understand> {
  let learnt: Promise<Understand> | undefined
  return () => {
    learnt ??= learn()
    return learnt
  }
}

const citiesOf = (churches: ChurchModel) =>
  churches
    .all()
    .flatMap(({ city, country_code }) => (city && country_code ? [{ name: city, country: country_code }] : []))
