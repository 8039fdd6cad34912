import type { Router } from '#server/http/router.ts'
import { registerLocalesAdmin } from './admin/endpoints.ts'
import { registerChurchCare } from './care.ts'
import { registerChapters } from './chapters/endpoints.ts'
import { registerChurchEndpoints } from './church-endpoints.ts'
import type { ChurchDeps } from './deps.ts'
import { registerChurchSearch } from './endpoints.ts'
import { registerSearch } from './everything.ts'
import { registerLocaleImports } from './import/endpoints.ts'
import { registerNextServices } from './moments-endpoint.ts'
import { registerVisitorMessages } from './visitors.ts'

/** Registers all church endpoints: each capability registers its endpoints here. */
export function registerChurches(router: Router, deps: ChurchDeps) {
  registerChurchSearch(router, deps)
  registerSearch(router, deps)
  registerChurchEndpoints(router, deps)
  registerNextServices(router, deps)
  registerVisitorMessages(router, deps)
  registerChurchCare(router, deps)
  registerLocalesAdmin(router, deps)
  registerChapters(router, deps)
  registerLocaleImports(router, deps)
}
