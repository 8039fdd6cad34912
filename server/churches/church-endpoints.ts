import type { Countries } from '#server/countries/reference.ts'
import { withClaims } from '#server/db/claims.ts'
import { createRateLimit } from '#server/http/rate-limit.ts'
import type { Router } from '#server/http/router.ts'
import type { Log } from '#server/log.ts'
import { listChurches } from '#shared/churches/church.ts'
import { searchGooglePlaces } from '#shared/churches/places.ts'
import { listPublicChapters } from '#shared/churches/public-chapters.ts'
import { findPublicChapters } from './chapter-search.ts'
import { searchChurches } from './church-search.ts'
import { type GooglePlaces, searchGoogle } from './google-places.ts'
import type { ChurchModel } from './model.ts'

/** Churches of every kind, for the assistant and the panels, and those known to Google. */
export function registerChurchEndpoints(
  router: Router,
  deps: { model: ChurchModel; countries: () => Countries; log: Log; places?: GooglePlaces },
) {
  const { places } = deps
  const questions = createRateLimit({ count: 20, seconds: 60 })

  router.handle(listPublicChapters, async ({ db }, { query }) => ({
    chapters: await findPublicChapters(db, deps.countries(), query),
  }))

  // Not cached: a response without the chapters must not be reused.
  router.act(listChurches, ({ database }, { query }) =>
    searchChurches(
      {
        ...deps,
        chapters: (filters) =>
          withClaims(database, { as: 'anonymous' }, (db) =>
            findPublicChapters(db, deps.countries(), { ...filters, radius: query.radius }),
          ),
      },
      query,
    ),
  )

  router.act(searchGooglePlaces, async ({ session }, { body }) => {
    if (!places) return { places: [] }
    // Each request is billed.
    questions.take(session.address)
    return { places: await searchGoogle(places, body) }
  })
}
