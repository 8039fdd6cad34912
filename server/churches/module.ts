import type { Countries } from '#server/countries/reference.ts'
import type { Database } from '#server/db/connection.ts'
import type { Store } from '#server/files/store.ts'
import type { Router } from '#server/http/router.ts'
import type { Queue } from '#server/jobs/queue.ts'
import type { Log } from '#server/log.ts'
import type { ReadModel } from '#server/readmodel/model.ts'
import type { SettingsModel } from '#server/settings/settings.ts'
import { managedLocales } from './admin/endpoints.ts'
import { care } from './care.ts'
import { chapters } from './chapters/endpoints.ts'
import { churches } from './church-endpoints.ts'
import { findingChurches } from './endpoints.ts'
import type { GooglePlaces } from './google-places.ts'
import { registerLocaleImports } from './import/endpoints.ts'
import type { ChurchModel } from './model.ts'
import { nextServices } from './moments-endpoint.ts'
import { visitors } from './visitors.ts'

/** Dependencies of the church endpoints. */
export interface ChurchDeps {
  /** The public locales in memory. */
  model: ChurchModel
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

/** Registers all church endpoints: each capability registers its endpoints here. */
export function registerChurches(router: Router, deps: ChurchDeps) {
  findingChurches(router, deps)
  churches(router, deps)
  nextServices(router, deps)
  visitors(router, deps)
  care(router, deps)
  managedLocales(router, deps)
  chapters(router, deps)
  registerLocaleImports(router, deps)
}

/** The English name of a country, in the form `projectLocales` expects. */
export const countryNames = (countries: Countries) => (code: string) => countries.find(code)?.name ?? null
