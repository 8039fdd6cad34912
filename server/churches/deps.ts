import type { AdvisoryModel } from '#server/advisories/model.ts'
import type { Countries } from '#server/countries/reference.ts'
import type { Database } from '#server/db/connection.ts'
import type { Store } from '#server/files/store.ts'
import type { Queue } from '#server/jobs/queue.ts'
import type { Log } from '#server/log.ts'
import type { ReadModel } from '#server/readmodel/model.ts'
import type { SettingsModel } from '#server/settings/settings.ts'
import type { GooglePlaces } from './google-places.ts'
import type { LargeCities } from './large-cities.ts'
import type { ChurchModel } from './model.ts'

/** Dependencies of the church endpoints. */
export interface ChurchDeps {
  /** The public locales in memory. */
  model: ChurchModel
  /** The larger cities in memory. */
  cities: LargeCities
  /** Their levels stand beside countries and cities. */
  advisories: AdvisoryModel
  database: Database
  countries: () => Countries
  settings: SettingsModel
  readModel: ReadModel
  publicUrl: string
  /** Signs links that are used without signing in. */
  secret: string
  log: Log
  /** Absent where file storage is not configured. */
  files?: Store
  queue?: Queue
  /** Absent where Google is not configured. */
  places?: GooglePlaces
}

/** The English name of a country, in the form `projectLocales` expects. */
export const countryNames = (countries: Countries) => (code: string) => countries.find(code)?.name ?? null
