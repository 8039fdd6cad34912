import type { Router } from '#server/http/router.ts'
import type { ReadModel } from '#server/readmodel/model.ts'
import { listFaq } from '#shared/content/endpoints.ts'
import { registerFaqAdmin } from './faq.ts'
import type { FaqModel } from './model.ts'

/** The travel FAQ, served from memory, and its administration. */
export function registerContent(router: Router, faq: FaqModel, readModel: Pick<ReadModel, 'refresh'>) {
  router.serve(listFaq, (_ctx, { query }) => {
    const entries = faq.list(query.lng, query.search)
    return { faq: entries, total: entries.length }
  })
  registerFaqAdmin(router, readModel)
}
