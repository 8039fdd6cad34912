import type { Hono } from 'hono'
import type { FoundLocale, LocaleList } from '#shared/churches/endpoints.ts'
import { lastDiscreet } from '#shared/churches/order.ts'
import { AppError } from '#shared/errors.ts'
import { DEFAULT_LANGUAGE, languageOf } from '#shared/language.ts'
import type { LargeCities } from '../large-cities.ts'
import type { ChurchModel } from '../model.ts'
import { drawMap, edgesOf, type Marks } from './draw.ts'
import { readOutlines } from './outlines.ts'
import { type Size, viewOf } from './view.ts'

/** As wide as they are shown at most, so that names have the size of text. */
const SIZES: Record<'church' | 'results', { wide: Size; small: Size }> = {
  church: { wide: { width: 560, height: 340 }, small: { width: 360, height: 220 } },
  results: { wide: { width: 560, height: 500 }, small: { width: 360, height: 400 } },
}
/** So much of the world is shown around one church, in kilometres: the outlines have no finer detail. */
const MIN_KM = { church: 40, results: 60 }
const MAX_CITIES = 60

interface Deps {
  model: Pick<ChurchModel, 'find'>
  cities: LargeCities
  /** What the list of the page shows. */
  list: (query: object) => Promise<LocaleList>
}

/**
 * Maps as images, for pages without scripts and without tiles. Made from public rows only: of a church that hides its
 * place there is no map of its own, and on that of the results at most the area that its row names.
 */
export function churchMaps(app: Hono, { model, cities, list }: Deps) {
  app.get('/church-locator/map.svg', async (c) => {
    // The query of the list; `lng` is its longitude.
    const { in: language, size, ...query } = c.req.query()
    const { locales, place } = await list(query)
    const marks = { ...marksOf(locales, Number(query.offset) || 0), here: originOf(query) ?? place }
    return draw(marks, sizeOf('results', size), MIN_KM.results, language)
  })

  app.get('/church-locator/:id/map.svg', async (c) => {
    const found = await model.find(c.req.param('id'))
    const { latitude, longitude } = found ?? { latitude: null, longitude: null }
    if (found?.discreet_mode !== 'exact' || latitude === null || longitude === null)
      throw new AppError(404, 'no_map', 'There is no map of this church.')
    const marks = { pins: [{ latitude, longitude }], areas: [], here: null }
    return draw(marks, sizeOf('church', c.req.query('size')), MIN_KM.church, c.req.query('in'))
  })

  async function draw(marks: Marks, size: Size, minKm: number, tag: string | undefined): Promise<Response> {
    const points = [...marks.pins, ...marks.areas.flatMap(edgesOf), ...(marks.here ? [marks.here] : [])]
    if (points.length === 0) throw new AppError(404, 'no_map', 'There is nothing to show on a map.')
    const view = viewOf(points, size, minKm)
    const language = languageOf(tag) ?? DEFAULT_LANGUAGE
    const [outlines, names] = await Promise.all([
      readOutlines(),
      // Without names the map still shows where.
      cities.inView(view.box, MAX_CITIES, language).catch(() => []),
    ])
    return new Response(drawMap(view, outlines, names, marks), { headers: HEADERS })
  }
}

const sizeOf = (kind: keyof typeof SIZES, size: string | undefined) => SIZES[kind][size === 'small' ? 'small' : 'wide']

const HEADERS = {
  'content-type': 'image/svg+xml; charset=utf-8',
  // A church may begin to hide its place at any time.
  'cache-control': 'no-cache',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
}

function originOf({ lat, lng }: Record<string, string>) {
  const [latitude, longitude] = [Number(lat), Number(lng)]
  return lat && lng && Number.isFinite(latitude) && Number.isFinite(longitude) ? { latitude, longitude } : null
}

/** Numbered as in the list, where churches that hide their place come last. */
function marksOf(locales: readonly FoundLocale[], offset: number): Pick<Marks, 'pins' | 'areas'> {
  const marks = lastDiscreet(locales).flatMap(({ latitude, longitude, discreet_mode: mode }, i) =>
    latitude === null || longitude === null ? [] : [{ latitude, longitude, mode, number: offset + i + 1 }],
  )
  return {
    pins: marks.filter(({ mode }) => mode === 'exact'),
    areas: marks.filter(({ mode }) => mode !== 'exact'),
  }
}
