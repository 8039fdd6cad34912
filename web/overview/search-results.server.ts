import { searchAdmin } from '#shared/overview/endpoints.ts'
import { isAdmin, mayPass, type Role } from '#shared/roles.ts'
import { labelOf, SETTING_KEYS, settingPath } from '#shared/settings/list.ts'
import { allNames, nameIn } from '#web/advisories/reader.server.ts'
import { type NamedPage, namedPages, pagesLike } from '#web/layouts/admin-search.ts'
import { RECORD_PAGES, type ResultGroup, type SearchResults } from '#web/layouts/search-results.ts'
import { namesInLine } from '#web/lib/format.ts'
import { translator } from '#web/lib/i18n.tsx'
import type { CallEndpoint, Visitor } from '#web/lib/visitor.ts'

const SHORTEST = 2
const MAX_SHOWN = 5

/** Pages, people, records and settings that contain a text: those that the reader may open, in their language. */
export async function searchResults(
  call: CallEndpoint,
  { language }: Pick<Visitor, 'language'>,
  role: Role,
  search: string,
): Promise<SearchResults> {
  const t = translator(language, 'admin')
  const pages = namedPages(role, t)
  if (search.length < SHORTEST) return { search, groups: [], suggestion: null }
  const { people, total_users, groups } = await call(searchAdmin, { query: { search } })
  const nameOf = nameIn(language)
  const ofUsers: ResultGroup = {
    kind: 'users',
    total: total_users,
    all: listAt('/admin/users', search),
    rows: people.slice(0, MAX_SHOWN).map(({ id, name, email, role }) => ({
      to: `/admin/users/${id}`,
      title: name,
      detail: namesInLine(language, [t(`role_${role}`), email]),
    })),
  }
  const ofRecords = groups.map(({ kind, total, rows }): ResultGroup => {
    const { page, list } = recordPages(kind, role)
    return {
      kind,
      total,
      all: list && listAt(list, search),
      rows: rows.map(({ id, title, detail, country_code }) => ({
        to: page(id, title),
        title,
        detail: namesInLine(language, [detail, country_code && nameOf(country_code)]) || null,
      })),
    }
  })
  const all = [ofPages(pagesLike(search, pages)), ofUsers, ...ofRecords, ofSettings(search, role, language)]
  const found = all.filter(({ rows }) => rows.length > 0)
  const names = [...pages.map(({ label }) => label), ...allNames(language).map(({ name }) => name)]
  return { search, groups: found, suggestion: found.length > 0 ? null : nearest(search, names) }
}

const listAt = (list: string, search: string) => `${list}?search=${encodeURIComponent(search)}`

/** Administrators edit churches on the page of all, others on the page of theirs. */
const recordPages = (kind: keyof typeof RECORD_PAGES, role: Role) =>
  kind === 'churches' && isAdmin(role)
    ? { page: (id: string) => `/admin/locales/${id}`, list: '/admin/locales' }
    : RECORD_PAGES[kind]

const ofPages = (pages: readonly NamedPage[]): ResultGroup => ({
  kind: 'pages',
  total: pages.length,
  all: null,
  rows: pages.slice(0, MAX_SHOWN).map(({ to, label }) => ({ to, title: label, detail: null })),
})

function ofSettings(search: string, role: Role, language: Visitor['language']): ResultGroup {
  const t = translator(language, 'settings')
  const term = search.toLowerCase()
  const keys = mayPass('manageSettings', role)
    ? SETTING_KEYS.filter((key) => `${t(labelOf(key))} ${t(`${labelOf(key)}_hint`)}`.toLowerCase().includes(term))
    : []
  const rows = keys.slice(0, MAX_SHOWN).map((key) => ({ to: settingPath(key), title: t(labelOf(key)), detail: null }))
  return { kind: 'settings', total: keys.length, all: listAt('/admin/settings', search), rows }
}

/** The name with the fewest differing letters: two at most, one in a short word. */
export function nearest(search: string, names: readonly string[]): string | null {
  const term = search.toLowerCase()
  const limit = term.length < 5 ? 1 : 2
  const rated = names
    .filter((name) => Math.abs(name.length - term.length) <= limit)
    .map((name) => ({ name, distance: distanceOf(term, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= limit)
  return rated.sort((a, b) => a.distance - b.distance)[0]?.name ?? null
}

/** Levenshtein distance. */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j++)
      next.push(Math.min((row[j] ?? 0) + (b[j] === letter ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    row = next
  }
  return row[b.length] ?? 0
}
