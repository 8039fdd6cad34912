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
import { localeImports } from './import/endpoints.ts'
import type { ChurchModel } from './model.ts'
import { nextServices } from './moments-endpoint.ts'
import { visitors } from './visitors.ts'

/** What the endpoints of the churches are given. */
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
  /** Absent where no files are taken. */
  files?: Store
  queue?: Queue
  /** Absent where Google is not asked. */
  places?: GooglePlaces
}

/** Everything about churches that is asked for: each capability registers its endpoints here. */
export function registerChurches(router: Router, deps: ChurchDeps) {
  findingChurches(router, deps)
  churches(router, deps)
  nextServices(router, deps)
  visitors(router, deps)
  care(router, deps)
  managedLocales(router, deps)
  chapters(router, deps)
  localeImports(router, deps)
}

/** The English name of a country, as `projectLocales` wants it. */
export const countryNames = (countries: Countries) => (code: string) => countries.find(code)?.name ?? null
