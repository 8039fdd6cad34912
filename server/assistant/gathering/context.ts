import type { AdvisoryModel } from '#server/advisories/model.ts'
import type { ChurchModel } from '#server/churches/model.ts'
import type { FaqModel } from '#server/content/model.ts'
import type { Countries } from '#server/countries/reference.ts'
import type { Log } from '#server/log.ts'
import type { SettingsModel } from '#server/settings/settings.ts'
import { firstOf } from '#shared/assert.ts'
import type { KnowledgeChunk } from '#shared/assistant/knowledge.ts'
import type { Point } from '#shared/churches/distance.ts'
import type { PublicChapter } from '#shared/churches/public-chapters.ts'
import type { AskContext, Draft } from '../drafts.ts'
import type { FactModel } from '../facts/model.ts'
import type { KnownNames } from '../knowledge/names.ts'
import type { Waits } from '../timeouts.ts'
import type { Understood } from '../understanding/interpretation.ts'

/** Page chunks that may be quoted, most similar first. */
export type FindChunks = (
  query: string,
  options: { language: string; signal: AbortSignal },
) => Promise<readonly KnowledgeChunk[]>

/** Sources of answers: models in memory, and lookups that may fail. */
export interface GatheringDeps {
  advisories: Pick<AdvisoryModel, 'onCountry' | 'inForce' | 'sources'>
  churches: Pick<ChurchModel, 'search' | 'withDetails'>
  facts: Pick<FactModel, 'list'>
  faq: Pick<FaqModel, 'list'>
  countries: () => Countries
  settings: Pick<SettingsModel, 'get'>
  /** Institutions mentioned on knowledge pages. */
  names: Pick<KnownNames, 'namedIn'>
  /** Absent if there is no knowledge base. */
  findChunks?: FindChunks
  /** Coordinates of a city. */
  findPlace: (city: string, country: string | null, signal: AbortSignal) => Promise<Point | null>
  findChapters: (country: string, signal: AbortSignal) => Promise<readonly PublicChapter[]>
  waits: Waits
  log: Log
}

/** A question with its caller. */
export interface QuestionContext extends AskContext {
  question: string
  understood: Understood
}

/** Result of one gatherer. */
export interface Gathered
  extends Pick<Draft, 'sections' | 'sources'>,
    Partial<Pick<Draft, 'opening' | 'closing' | 'quickActions' | 'mapLocales' | 'warning'>> {
  /** How much of the question is answered by records; `asks`: a follow-up question is needed first. */
  found: 'all' | 'some' | 'nothing' | 'asks'
}

export const NOTHING: Gathered = { sections: [], sources: [], found: 'nothing' }

/** Concatenates results. */
export function together(all: readonly Gathered[]): Gathered {
  const found = new Set(all.map((result) => result.found))
  return {
    sections: all.flatMap(({ sections }) => sections),
    sources: [...new Map(all.flatMap(({ sources }) => sources).map((source) => [source.record, source])).values()],
    opening: all.flatMap(({ opening }) => opening ?? []),
    closing: all.flatMap(({ closing }) => closing ?? []),
    quickActions: all.flatMap(({ quickActions }) => quickActions ?? []),
    mapLocales: all.flatMap(({ mapLocales }) => mapLocales ?? []),
    warning: all.find(({ warning }) => warning)?.warning ?? null,
    found: found.size === 1 ? firstOf([...found]) : found.size === 0 ? 'nothing' : 'some',
  }
}
