import { SEVERITIES, type Severity } from '#shared/advisories/severity.ts'

export const PAGE_SIZE = 25
export const ADVISORIES_PATH = '/travel-advisories'

/** Filters in the page URL. Empty means not filtered. */
export interface Filters {
  search: string
  severities: Severity[]
  country: string
  source: string
  /** Only advisories on the user's own countries, if they have any. */
  mine: boolean
  page: number
}

export type FilterName = 'search' | 'severities' | 'country' | 'source' | 'mine'

export const NO_FILTERS: Filters = { search: '', severities: [], country: '', source: '', mine: false, page: 1 }

/** Any URL opens the page: invalid values are ignored and reported. */
export function readFilters(params: URLSearchParams): {
  filters: Filters
  highlight: string | null
  ignored: string[]
} {
  const ignored: string[] = []
  const accept = <T>(name: string, read: (text: string) => T | undefined, otherwise: T): T => {
    const text = plain(params.get(name))
    if (text === '') return otherwise
    const value = read(text)
    if (value === undefined) ignored.push(name)
    return value ?? otherwise
  }
  const level = params.has('severity_level') ? 'severity_level' : 'severity'
  const filters: Filters = {
    search: accept('search', (text) => cut(text, 200), ''),
    severities: accept(level, severitiesIn, []),
    country: accept('country', (text) => cut(text, 100), ''),
    source: accept('source', (text) => (/^[a-z0-9-]{2,60}$/.test(text) ? text : undefined), ''),
    mine: accept('mine', (text) => (text === '1' ? true : undefined), false),
    page: accept('page', (text) => (/^[1-9]\d{0,3}$/.test(text) ? Number(text) : undefined), 1),
  }
  const highlight = accept(
    'highlight',
    (text) => (/^[0-9a-f-]{36}$/i.test(text) ? text.toLowerCase() : undefined),
    null,
  )
  return { filters, highlight, ignored }
}

/** The API query; names differ because the URL is older than the API. */
export function apiQuery({ search, severities, country, source, mine, page }: Filters, own: readonly string[] = []) {
  return {
    ...(search && { search }),
    ...(severities.length > 0 && { severity_level: severities.join(',') }),
    ...(country && { country }),
    ...(source && { source }),
    ...(mine && own.length > 0 && { countries: own.join() }),
    limit: PAGE_SIZE,
    offset: (page - 1) * PAGE_SIZE,
  }
}

/** URL of the list with some filters changed; changing a filter resets to page 1. */
export function addressOf(filters: Filters, changes: Partial<Filters> = {}): string {
  const { search, severities, country, source, mine, page } = { ...filters, page: 1, ...changes }
  const params = new URLSearchParams()
  if (search) params.set('search', search)
  if (severities.length > 0) params.set('severity_level', severities.join(','))
  if (country) params.set('country', country)
  if (source) params.set('source', source)
  if (mine) params.set('mine', '1')
  if (page > 1) params.set('page', String(page))
  const query = params.toString().replaceAll('%2C', ',')
  return query ? `${ADVISORIES_PATH}?${query}` : ADVISORIES_PATH
}

export const without = (filters: Filters, name: FilterName): string => addressOf(filters, { [name]: NO_FILTERS[name] })

export const activeFilters = (filters: Filters): FilterName[] =>
  (['search', 'severities', 'country', 'source', 'mine'] as const).filter((name) =>
    name === 'mine' ? filters.mine : filters[name].length > 0,
  )

export const pagesOf = (total: number) => Math.max(1, Math.ceil(total / PAGE_SIZE))

/** 'emergency,critical', in order of severity; 'all' is the select's value for no filter. */
function severitiesIn(text: string): Severity[] | undefined {
  if (text.toLowerCase() === 'all') return []
  const names = text
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
  const known = SEVERITIES.filter((severity) => names.includes(severity))
  return known.length === new Set(names).size ? known : undefined
}

// Control characters cannot be typed and indicate a generated URL.
const plain = (text: string | null) => (text ?? '').replace(/\p{Cc}+/gu, ' ').trim()
const cut = (text: string, max: number) => [...text].slice(0, max).join('').trim()
