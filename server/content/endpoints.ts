import type { Router } from '#server/http/router.ts'
import { listFaq } from '#shared/content/endpoints.ts'
import type { FaqModel } from './model.ts'

/** The FAQ, served from memory. */
export function registerContent(router: Router, faq: FaqModel) {
  router.serve(listFaq, (_ctx, { query }) => {
    const entries = faq.list(query.lng, query.search)
    return { faq: entries, total: entries.length }
  })
}
