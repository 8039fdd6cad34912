import type { AdvisoryModel } from '#server/advisories/model.ts'
import type { ChurchModel } from '#server/churches/model.ts'
import type { FaqModel } from '#server/content/model.ts'
import type { Countries } from '#server/countries/reference.ts'
import type { Database } from '#server/db/connection.ts'
import type { Log } from '#server/log.ts'
import type { ReadModel } from '#server/readmodel/model.ts'
import type { SettingsModel } from '#server/settings/settings.ts'
import type { FactModel } from './facts/model.ts'
import type { FindChunks } from './gathering/context.ts'
import type { KnownNames } from './knowledge/names.ts'
import type { Choose } from './model/choice.ts'
import type { ModelSettings } from './model/provider.ts'
import type { Waits } from './timeouts.ts'
import type { Understand } from './understanding/interpretation.ts'

/** Options of the assistant, all with a fallback. */
export interface AssistantOptions {
  /** Replaces the model in tests. */
  choosing?: Choose
  /** An endpoint that chooses the order of statements; without it, the portal's order is used. */
  model?: ModelSettings | undefined
  findChunks?: FindChunks
  /** Replaces the built-in interpreter, which takes a second to load its vocabulary. */
  understand?: Understand
  /** Questions per minute. */
  rates?: { address: number; account: number }
  /** Shorter timeouts for tests. */
  waits?: Partial<Waits>
}

/** Dependencies of the assistant endpoints. */
export interface AssistantDeps extends AssistantOptions {
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
  /** Tests only: allows reading pages from localhost. */
  allowsPrivate?: boolean
  log: Log
}
