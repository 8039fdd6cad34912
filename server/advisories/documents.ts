import type { Hono } from 'hono'
import type { Countries } from '#server/countries/reference.ts'
import type { ResponseCache } from '#server/http/response-cache.ts'
import type { SettingsModel } from '#server/settings/settings.ts'
import { AppError } from '#shared/errors.ts'
import { OPEN_PAGES } from '#shared/pages/open.ts'
import { atomFeed } from './atom.ts'
import type { AdvisoryModel } from './model.ts'

/** Documents for other programs: Atom feeds, site map and robots.txt. */
export function documents(
  app: Hono,
  deps: {
    model: AdvisoryModel
    countries: () => Countries
    settings: SettingsModel
    responseCache: ResponseCache
    /** Ids of the churches whose pages search engines may list. */
    churchIds: () => readonly string[]
    publicUrl: string
    now: () => Date
  },
) {
  const { publicUrl, model } = deps
  const respondCached = (request: Request, type: string, make: () => string) =>
    deps.responseCache.respond(
      request,
      `file ${new URL(request.url).pathname}`,
      async () => new Response(make(), { headers: { 'content-type': type } }),
      {
        'cache-control': 'public, max-age=60',
      },
    )

  const eventsOf = (code?: string) => ({
    events: model.timeline(deps.now(), code),
    advisoryOf: (id: string) => model.find(id, deps.now())?.advisory,
    hasReadSources: model.hasReadSources(deps.now()),
  })

  app.get('/travel-advisories/feed.atom', (c) =>
    respondCached(c.req.raw, ATOM, () =>
      atomFeed({
        title: `${deps.settings.get('brand')}: travel advisories`,
        self: `${publicUrl}/travel-advisories/feed.atom`,
        page: `${publicUrl}/travel-advisories`,
        publicUrl,
        ...eventsOf(),
        now: deps.now(),
      }),
    ),
  )

  app.get('/countries/:code/feed.atom', (c) => {
    const country = deps.countries().find(c.req.param('code'))
    if (!country) throw new AppError(404, 'country_not_found', 'Country not found.')
    return respondCached(c.req.raw, ATOM, () =>
      atomFeed({
        title: `${deps.settings.get('brand')}: travel advisories for ${country.name}`,
        self: `${publicUrl}/countries/${country.code}/feed.atom`,
        page: `${publicUrl}/countries/${country.code}`,
        publicUrl,
        ...eventsOf(country.code),
        now: deps.now(),
      }),
    )
  })

  app.get('/sitemap.xml', (c) => respondCached(c.req.raw, 'application/xml; charset=utf-8', () => siteMap(deps)))
  app.get('/robots.txt', (c) =>
    respondCached(
      c.req.raw,
      'text/plain; charset=utf-8',
      () =>
        `User-agent: *\nDisallow: /api/\nDisallow: /admin\nDisallow: /dashboard\nSitemap: ${publicUrl}/sitemap.xml\n`,
    ),
  )
}

const ATOM = 'application/atom+xml; charset=utf-8'
const LISTED = Object.entries(OPEN_PAGES).flatMap(([page, entry]) => ('isListed' in entry ? page : []))

/** A site map may hold 50,000 addresses; the remaining churches are found through their lists. */
const MAX_CHURCHES = 45_000

function siteMap(deps: {
  publicUrl: string
  model: AdvisoryModel
  countries: () => Countries
  churchIds: () => readonly string[]
  now: () => Date
}): string {
  const addresses = [
    ...LISTED.map((page) => ({ page, changed: null })),
    ...deps
      .countries()
      .all()
      .map(({ code }) => ({ page: `/countries/${code}`, changed: null })),
    ...deps.model
      .inForce(deps.now())
      .map(({ id, last_updated }) => ({ page: `/travel-advisories/${id}`, changed: last_updated })),
    ...deps
      .churchIds()
      .slice(0, MAX_CHURCHES)
      .map((id) => ({ page: `/church-locator/${id}`, changed: null })),
  ]
  const urls = addresses.map(
    ({ page, changed }) =>
      `<url><loc>${deps.publicUrl}${page}</loc>${changed ? `<lastmod>${changed.slice(0, 10)}</lastmod>` : ''}</url>`,
  )
  return `<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`
}
