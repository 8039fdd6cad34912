import { RECORD_KINDS, type RecordKind } from '#shared/assistant/answer.ts'
import { factPath } from './paths.ts'

export interface RecordLink {
  kind: RecordKind
  to: string
}

/** Admin pages of the records; a user's own records have no page that others may open. */
const PLACES: Partial<Record<RecordKind, (id: string) => string>> = {
  advisory: (id) => `/travel-advisories/${id}`,
  country: (code) => `/countries/${code}`,
  locale: (id) => `/church-locator/${id}`,
  fact: factPath,
  faq: (slug) => `/travel-faq#${slug}`,
}

/** Links to the records an answer used. */
export const recordLinks = (records: readonly string[]): RecordLink[] =>
  records.flatMap((record) => {
    const at = record.indexOf(':')
    const kind = RECORD_KINDS.find((known) => at > 0 && known === record.slice(0, at))
    const place = kind && PLACES[kind]
    return place ? [{ kind, to: place(record.slice(at + 1)) }] : []
  })
