import { RECORD_KINDS, type RecordKind } from '#shared/overview/record-search.ts'

export const RESULT_KINDS = ['pages', 'users', ...RECORD_KINDS, 'settings'] as const
export type ResultKind = (typeof RESULT_KINDS)[number]

/** Something that the admin search found, as the reader sees it. */
export interface SearchResult {
  to: string
  title: string
  detail: string | null
}

export interface ResultGroup {
  kind: ResultKind
  total: number
  /** The list with all of them, where there is one that can be searched. */
  all: string | null
  rows: SearchResult[]
}

/** What the results page gives to itself and to the search in the header. */
export interface SearchResults {
  search: string
  groups: ResultGroup[]
  /** A name like the search, if nothing was found. */
  suggestion: string | null
}

/** Page of a record, and the list of its kind that can be searched. */
export const RECORD_PAGES: Record<RecordKind, { page: (id: string, title: string) => string; list: string | null }> = {
  cases: { page: (id) => `/admin/assistant/cases/${id}`, list: null },
  churches: { page: (id) => `/admin/my-churches/${id}`, list: '/admin/my-churches' },
  advisories: { page: (id) => `/admin/travel-advisories/${id}`, list: '/admin/travel-advisories' },
  announcements: { page: (id) => `/admin/notifications/${id}`, list: '/admin/notifications' },
  roll_calls: { page: (id) => `/admin/roll-calls/${id}`, list: null },
  chapters: { page: (id) => `/admin/chapters/${id}`, list: '/admin/chapters' },
  pdos_modules: { page: (id) => `/admin/pdos-modules/${id}`, list: '/admin/pdos-modules' },
  faq: { page: (id) => `/admin/travel-faq/${id}`, list: '/admin/travel-faq' },
  facts: { page: (id) => `/admin/assistant/facts/${encodeURIComponent(id)}`, list: '/admin/assistant/facts' },
  knowledge: {
    page: (_, title) => `/admin/assistant/knowledge?search=${encodeURIComponent(title)}`,
    list: '/admin/assistant/knowledge',
  },
}

/** The text in pieces, those that match one of the words of a search marked. Case and width do not matter. */
export function markedPieces(text: string, search: string): { text: string; isMatch: boolean }[] {
  const words = search
    .trim()
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  if (words.length === 0) return [{ text, isMatch: false }]
  return text
    .split(new RegExp(`(${words.join('|')})`, 'giu'))
    .map((piece, at) => ({ text: piece, isMatch: at % 2 === 1 }))
    .filter(({ text }) => text !== '')
}
