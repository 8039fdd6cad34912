import type { AdvisoryModel } from '../advisories/model.ts'
import { findPublicChapters } from '../churches/chapterSearch.ts'
import type { ChurchModel } from '../churches/model.ts'
import type { FaqModel } from '../content/model.ts'
import type { Countries } from '../countries/reference.ts'
import { withClaims } from '../db/claims.ts'
import type { Database } from '../db/connection.ts'
import type { Door } from '../http/door.ts'
import type { Log } from '../log.ts'
import type { ReadModel } from '../readmodel/model.ts'
import type { Heard } from '../roll-calls/texts/inbound.ts'
import type { SettingsModel } from '../settings/settings.ts'
import type { Answered, AnsweringParts } from './answering.ts'
import { cases } from './cases/endpoints.ts'
import { conversations } from './conversations/endpoints.ts'
import { answers } from './endpoints.ts'
import { factsAdmin } from './facts/endpoints.ts'
import type { FactModel } from './facts/model.ts'
import { MOST_CHURCHES } from './gathering/churches.ts'
import { keepingChunks } from './gathering/knowledge.ts'
import type { FindChunks } from './gathering/parts.ts'
import { createPlaceFinder } from './gathering/places.ts'
import { ANONYMOUS, createKept, keepingChoices } from './kept.ts'
import { knowledgeAdmin } from './knowledge/admin.ts'
import { chunkFinder, knowledge } from './knowledge/endpoints.ts'
import type { KnownNames } from './knowledge/names.ts'
import { LEXICONS } from './lexicon/lexicon.ts'
import type { Choosing } from './model/choosing.ts'
import { createChoosing } from './model/choosingByModel.ts'
import { canTranslate, translations } from './model/endpoints.ts'
import { createModel, type ModelSettings } from './model/provider.ts'
import { createSpending } from './model/spending.ts'
import { createTranslating } from './model/translating.ts'
import { notedQuestions } from './noted/endpoints.ts'
import { ratings } from './rating.ts'
import { inSlices } from './understanding/steps.ts'
import { learning } from './understanding/understand.ts'
import type { Understand } from './understanding/understood.ts'
import { WAITS, type Waits } from './waits.ts'
import { createWriter } from './writing.ts'

/** What may be set up for the assistant, and what it does without. */
export interface AssistantOptions {
  /** In place of a model, for tests. */
  choosing?: Choosing
  /** An endpoint that chooses the order of statements; absent: that of the portal. */
  model?: ModelSettings | undefined
  findChunks?: FindChunks
  /** In place of one of its own, which takes a second to learn its words. */
  understand?: Understand
  /** Questions a minute. */
  rates?: { address: number; account: number }
  /** Shorter ones, for a test of what hangs. */
  waits?: Partial<Waits>
}

export interface Assistant {
  /** Learns the words it understands by, so that nobody waits for that with a question. */
  warm: () => void
  /** Listens for danger in a text that somebody sent, outside of any conversation. */
  hear: (text: string, now: Date) => Promise<Heard>
  stop: () => void
}

/** What the endpoints of the assistant are given. */
export interface AssistantParts extends AssistantOptions {
  database: Database
  advisories: AdvisoryModel
  churches: ChurchModel
  facts: FactModel
  faq: FaqModel
  names: KnownNames
  countries: () => Countries
  settings: SettingsModel
  readModel: ReadModel
  publicUrl: string
  /** Lets pages be read at this machine: for a test. */
  allowsPrivate?: boolean
  log: Log
}

/** The assistant: each of its capabilities registers its endpoints here. */
export function assistantArea(door: Door, parts: AssistantParts): Assistant {
  const { database, countries, findChunks = chunkFinder(database), model } = parts
  const { settings, log } = parts
  const asked = model && createModel(model)
  const spending = createSpending({ database, settings, log, now: () => new Date() })
  const choosing = parts.choosing ?? (asked && createChoosing({ model: asked, spending, log }))
  conversations(door)
  const translate = asked && createTranslating(asked, spending.spent)
  cases(door, { countries, canTranslate: () => canTranslate({ translate, settings }) })
  ratings(door)
  knowledge(door)
  translations(door, { translate, spending, settings, log })
  const write = createWriter(parts.readModel)
  factsAdmin(door, { countries, write })
  notedQuestions(door)
  knowledgeAdmin(door, { ...parts, write, allowsPrivate: parts.allowsPrivate ?? false })
  const kept = createKept<Answered>(ANONYMOUS)
  const choices = choosing && keepingChoices(choosing)
  const chunks = keepingChunks(findChunks)
  // An answer rests on rows: when they change, it is made anew.
  parts.readModel.onChange((changes) => {
    kept.clear()
    if (changes.some(({ table }) => table === 'knowledge_sources')) chunks.clear()
  })
  const waits = { ...WAITS, ...parts.waits }
  const { understand } = parts
  const understanding = understand
    ? async () => understand
    : once(() =>
        inSlices(learning({ lexicons: LEXICONS, countries: countries().all(), cities: citiesOf(parts.churches) })),
      )
  const answering: AnsweringParts = {
    ...parts,
    waits,
    understanding,
    findPlace: createPlaceFinder(database, waits),
    findChapters: (country) =>
      withClaims(database, { as: 'anonymous' }, (db) =>
        findPublicChapters(db, countries(), { country, radius: 0, limit: MOST_CHURCHES }),
      ),
    findChunks: chunks.findChunks,
    ...(choices ? { choosing: choices.choosing } : {}),
  }
  answers(door, { ...parts, answering, kept })
  return {
    warm: () => void understanding().then((learnt) => learnt('Where is a church?', { now: new Date() })),
    async hear(text, now) {
      const { analysis, language, isDangerPlain } = (await understanding())(text, { now })
      return { dangers: analysis.dangers, isPlain: isDangerPlain, language, country: analysis.entities.country }
    },
    stop() {
      kept.stop()
      choices?.stop()
      chunks.stop()
    },
  }
}

/** Learning the words of twelve languages takes a second: it is done once, beside whatever else is asked. */
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
