import type { Router } from '#server/http/router.ts'
import { managedLocales } from './admin/endpoints.ts'
import { care } from './care.ts'
import { chapters } from './chapters/endpoints.ts'
import { churches } from './church-endpoints.ts'
import type { ChurchDeps } from './deps.ts'
import { findingChurches } from './endpoints.ts'
import { registerLocaleImports } from './import/endpoints.ts'
import { nextServices } from './moments-endpoint.ts'
import { visitors } from './visitors.ts'

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
