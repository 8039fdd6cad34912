import { RECORD_KINDS, type RecordKind } from '#shared/assistant/answer.ts'
import { factPath } from './paths.ts'

export interface RecordLink {
  kind: RecordKind
  to: string
}

/** Where the records of an answer stand; those that were somebody's own have no place others may open. */
const PLACES: Partial<Record<RecordKind, (id: string) => string>> = {
  advisory: (id) => `/travel-advisories/${id}`,
  country: (code) => `/countries/${code}`,
  locale: (id) => `/church-locator/${id}`,
  fact: factPath,
  faq: (slug) => `/travel-faq#${slug}`,
}

/** What an answer rested on, as links to it. */
export const recordLinks = (records: readonly string[]): RecordLink[] =>
  records.flatMap((record) => {
    const at = record.indexOf(':')
    const kind = RECORD_KINDS.find((known) => at > 0 && known === record.slice(0, at))
    const place = kind && PLACES[kind]
    return place ? [{ kind, to: place(record.slice(at + 1)) }] : []
  })
