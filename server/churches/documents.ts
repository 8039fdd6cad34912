import type { Hono } from 'hono'
import type { Locale } from '#shared/churches/endpoints.ts'
import type { ServiceSchedule, ServiceType } from '#shared/churches/schedule.ts'
import { AppError } from '#shared/errors.ts'
import { calendarOf } from './calendar.ts'
import type { ChurchModel } from './model.ts'
import { churchOf, meetingsOf } from './open-feeds.ts'

interface Deps {
  model: Pick<ChurchModel, 'find' | 'allWhole'>
  /** Hash of the public rows: the same document until it changes. */
  version: () => number
  publicUrl: string
  now: () => Date
}

/**
 * Documents for other programs: the calendar of a locale, and all public locales in the formats of other finders. Made
 * from public rows only.
 */
export function churchDocuments(app: Hono, deps: Deps) {
  const { model, publicUrl } = deps
  const today = () => deps.now().toISOString().slice(0, 10)

  app.get('/church-locator/:id/services.ics', async (c) => {
    const found = await model.find(c.req.param('id'))
    if (!found) throw new AppError(404, 'no_locale', 'Church not found.')
    return new Response(calendarOf(found, { publicUrl, now: deps.now(), titleOf }), {
      headers: {
        ...OPEN,
        'content-type': 'text/calendar; charset=utf-8',
        'content-disposition': `inline; filename="church-${found.id}.ics"`,
      },
    })
  })

  app.get('/churches/meeting-guide.json', (c) =>
    feed(c.req.raw, 'application/json', '[', ']', (locale) =>
      meetingsOf(locale, { publicUrl, today: today(), titleOf }),
    ),
  )

  app.get('/churches/schema.org.json', (c) => {
    let position = 0
    const start = `{"@context":"https://schema.org","@type":"ItemList","url":${JSON.stringify(`${publicUrl}/church-locator`)},"itemListElement":[`
    return feed(c.req.raw, 'application/ld+json', start, ']}', (locale) => {
      position += 1
      const item = churchOf(locale, { publicUrl, titleOf })
      return [{ '@type': 'ListItem', position, item }]
    })
  })

  /** Streamed: a hundred thousand locales are never in memory as one text. */
  function feed(request: Request, type: string, start: string, end: string, of: (locale: Locale) => object[]) {
    // The calendar changes by day without a change of data: services start and end by date.
    const etag = `W/"${deps.version()}-${today()}"`
    const headers = { ...OPEN, 'content-type': `${type}; charset=utf-8`, etag, vary: 'accept-encoding' }
    if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers })
    const text = ReadableStream.from(written(model.allWhole(), start, end, of)).pipeThrough(new TextEncoderStream())
    if (!/\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')) return new Response(text, { headers })
    const zipped = text.pipeThrough(new CompressionStream('gzip') as ReadableWritablePair<Uint8Array, Uint8Array>)
    return new Response(zipped, { headers: { ...headers, 'content-encoding': 'gzip' } })
  }
}

const OPEN = { 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=300' }

async function* written(all: AsyncIterable<Locale[]>, start: string, end: string, of: (locale: Locale) => object[]) {
  yield start
  let isFirst = true
  for await (const locales of all) {
    let text = ''
    for (const thing of locales.flatMap(of)) {
      text += (isFirst ? '' : ',\n') + JSON.stringify(thing)
      isFirst = false
    }
    if (text) yield text
    // Yields to other requests.
    await new Promise((next) => setImmediate(next))
  }
  yield end
}

const TITLES: Record<ServiceType, string> = {
  prayer_meeting: 'Prayer Meeting',
  worship_service: 'Worship Service',
  thanksgiving: 'Thanksgiving',
  other: 'Service',
}
const titleOf = ({ service_type }: ServiceSchedule) => TITLES[service_type]
