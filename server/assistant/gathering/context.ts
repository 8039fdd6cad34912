import type { AdvisoryModel } from '#server/advisories/model.ts'
import type { ChurchModel } from '#server/churches/model.ts'
import type { FaqModel } from '#server/content/model.ts'
import type { Countries } from '#server/countries/reference.ts'
import type { Log } from '#server/log.ts'
import type { SettingsModel } from '#server/settings/settings.ts'
import type { KnowledgeChunk } from '#shared/assistant/knowledge.ts'
import type { Point } from '#shared/churches/distance.ts'
import type { PublicChapter } from '#shared/churches/public-chapters.ts'
import type { Asking, Draft } from '../drafts.ts'
import type { FactModel } from '../facts/model.ts'
import type { KnownNames } from '../knowledge/names.ts'
import type { Waits } from '../timeouts.ts'
import type { Understood } from '../understanding/interpretation.ts'

/** Pieces of pages that may be quoted, the most similar first. */
export type FindChunks = (
  query: string,
  options: { language: string; signal: AbortSignal },
) => Promise<readonly KnowledgeChunk[]>

/** Where answers come from: models in memory, and what has to be asked for and may fail. */
export interface GatheringDeps {
  advisories: Pick<AdvisoryModel, 'onCountry' | 'inForce' | 'sources'>
  churches: Pick<ChurchModel, 'search' | 'withDetails'>
  facts: Pick<FactModel, 'list'>
  faq: Pick<FaqModel, 'list'>
  countries: () => Countries
  settings: Pick<SettingsModel, 'get'>
  /** Institutions that known pages speak of. */
  names: Pick<KnownNames, 'namedIn'>
  /** Absent where there is no knowledge to search. */
  findChunks?: FindChunks
  /** Where a city lies. */
  findPlace: (city: string, country: string | null, signal: AbortSignal) => Promise<Point | null>
  findChapters: (country: string, signal: AbortSignal) => Promise<readonly PublicChapter[]>
  waits: Waits
  log: Log
}

/** A question with who asks it. */
export interface QuestionContext extends Asking {
  question: string
  understood: Understood
}

/** What one way of gathering gives. */
export interface Gathered
  extends Pick<Draft, 'sections' | 'sources'>,
    Partial<Pick<Draft, 'opening' | 'closing' | 'quickActions' | 'mapLocales' | 'warning'>> {
  /** How much of what was asked a record says; `asks`: something has to be asked back first. */
  found: 'all' | 'some' | 'nothing' | 'asks'
}

export const NOTHING: Gathered = { sections: [], sources: [], found: 'nothing' }

/** One after the other, as one. */
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
    found: found.size === 1 ? [...found][0]! : found.size === 0 ? 'nothing' : 'some',
  }
}
