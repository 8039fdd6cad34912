import { listFaq } from '#shared/content/endpoints.ts'
import type { Door } from '../http/door.ts'
import type { FaqModel } from './model.ts'

/** The FAQ, from memory. */
export function content(door: Door, faq: FaqModel) {
  door.serve(listFaq, (_asked, { query }) => {
    const entries = faq.list(query.lng, query.search)
    return { faq: entries, total: entries.length }
  })
}
