import { DEFAULT_RADIUS_KM, RADII_KM } from '#shared/churches/radius.ts'
import { MAX_COUNTRIES } from '#shared/countries/limits.ts'
import { cut } from '#shared/cut.ts'

export const LOCATOR_PATH = '/church-locator'
export const PAGE_SIZE = 20

/** The search in the URL of the locator. Empty means not filtered. */
export interface Search {
  search: string
  /** ISO code, or a country name from an external link. */
  country: string
  /** ISO codes, from a page on several countries; a single chosen country replaces them. */
  countries: readonly string[]
  state_province: string
  city: string
  /** Name of a place; together with a point it is only a label. */
  near: string
  point: Point | null
  radius: number
  language: string
  online: boolean
  page: number
}

export interface Point {
  lat: number
  lng: number
}

export const NO_SEARCH: Search = {
  search: '',
  country: '',
  countries: [],
  state_province: '',
  city: '',
  near: '',
  point: null,
  radius: DEFAULT_RADIUS_KM,
  language: '',
  online: false,
  page: 1,
}

/** What the point of the user's location belongs to: it has no name. */
export const OWN_LOCATION = '*'

/** Any URL opens the page: invalid values are ignored. */
export function readSearch(params: URLSearchParams): Search {
  const text = (name: string, maxLength: number) => cut(plain(params.get(name)), maxLength).trim()
  const radius = Number(params.get('radius'))
  const page = plain(params.get('page'))
  const language = plain(params.get('language'))
  const country = text('country', 100)
  const near = text('near', 200)
  // Without scripts the form sends the point of the previous search: it belongs to the place that was named `at`.
  const isOfOther = params.has('at') && text('at', 200) !== (near || OWN_LOCATION)
  return {
    search: text('search', 200),
    country,
    countries: country ? [] : codesIn(params.get('countries')),
    state_province: text('state_province', 120),
    city: text('city', 120),
    near,
    point: isOfOther ? null : pointIn(params),
    radius: (RADII_KM as readonly number[]).includes(radius) ? radius : DEFAULT_RADIUS_KM,
    language: /^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8}){0,3}$/.test(language) ? language : '',
    online: params.get('online') === 'true' || params.get('online') === '1',
    page: /^[1-9]\d{0,4}$/.test(page) ? Number(page) : 1,
  }
}

/** Distances need an origin. */
export const isNear = ({ point, near }: Search) => point !== null || near !== ''

export const hasFilters = (search: Search) => addressOf(search) !== LOCATOR_PATH

/** The API query. */
export function apiQuery(search: Search) {
  const { countries, point, near, radius, online, page } = search
  const texts = (['search', 'country', 'state_province', 'city', 'language'] as const).filter((name) => search[name])
  return {
    ...Object.fromEntries(texts.map((name) => [name, search[name]])),
    ...(countries.length > 0 && { countries: countries.join() }),
    ...(online && { online: 'true' }),
    ...(point ? { ...point } : near && { near }),
    ...(isNear(search) && { radius }),
    limit: PAGE_SIZE,
    offset: (page - 1) * PAGE_SIZE,
  }
}

/** URL of a search with some of it changed; a changed search resets to page 1. */
export function addressOf(search: Search, changes: Partial<Search> = {}): string {
  const next = { ...search, page: 1, ...changes }
  const params = new URLSearchParams()
  for (const name of ['search', 'country', 'state_province', 'city', 'near', 'language'] as const)
    if (next[name]) params.set(name, next[name])
  if (next.countries.length > 0 && !next.country) params.set('countries', next.countries.join())
  if (next.online) params.set('online', 'true')
  if (next.point) {
    params.set('lat', String(next.point.lat))
    // Not `lng`: that is the language parameter of every page.
    params.set('lon', String(next.point.lng))
  }
  if (isNear(next) && next.radius !== DEFAULT_RADIUS_KM) params.set('radius', String(next.radius))
  if (next.page > 1) params.set('page', String(next.page))
  const query = params.toString()
  return query ? `${LOCATOR_PATH}?${query}` : LOCATOR_PATH
}

/** The number of the first result of a page, in the list and on the map. */
export const firstNumber = ({ page }: Search) => (page - 1) * PAGE_SIZE + 1

export const pagesOf = (total: number) => Math.max(1, Math.ceil(total / PAGE_SIZE))

/** Three decimals, about 100 m: precise enough for directions, too coarse to identify a house. */
export const rounded = (degrees: number) => Math.round(degrees * 1_000) / 1_000

function pointIn(params: URLSearchParams): Point | null {
  const [lat, lng] = [degrees(params.get('lat'), 90), degrees(params.get('lon'), 180)]
  // Latitude 0 is a real place: compare with null.
  return lat === null || lng === null ? null : { lat: rounded(lat), lng: rounded(lng) }
}

const codesIn = (list: string | null): string[] => [
  ...new Set(
    plain(list)
      .split(',')
      .filter((code) => /^[A-Z]{2}$/.test(code))
      .slice(0, MAX_COUNTRIES),
  ),
]

function degrees(text: string | null, max: number): number | null {
  if (text === null || !/^-?\d{1,3}(\.\d{1,20})?$/.test(text.trim())) return null
  const value = Number(text)
  return Math.abs(value) <= max ? value : null
}

// Control characters cannot be typed and indicate a generated URL.
const plain = (text: string | null) => (text ?? '').replace(/\p{Cc}+/gu, ' ').trim()
