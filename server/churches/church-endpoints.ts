import { listChurches } from '#shared/churches/church.ts'
import { searchGooglePlaces } from '#shared/churches/places.ts'
import { listPublicChapters } from '#shared/churches/public-chapters.ts'
import type { Countries } from '../countries/reference.ts'
import { withClaims } from '../db/claims.ts'
import type { Router } from '../http/door.ts'
import { createRateLimit } from '../http/rate-limit.ts'
import type { Log } from '../log.ts'
import { findPublicChapters } from './chapterSearch.ts'
import { searchChurches } from './churchSearch.ts'
import { type GooglePlaces, searchGoogle } from './googlePlaces.ts'
import type { ChurchModel } from './model.ts'

/** Churches of every kind together, for the assistant and the panels, and what others know of. */
export function churches(
  router: Router,
  deps: { model: ChurchModel; countries: () => Countries; log: Log; places?: GooglePlaces },
) {
  const { places } = deps
  const questions = createRateLimit({ count: 20, seconds: 60 })

  router.handle(listPublicChapters, async ({ db }, { query }) => ({
    chapters: await findPublicChapters(db, deps.countries(), query),
  }))

  // Not kept: an answer without the chapters is good once.
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
    // Each question is paid for.
    questions.take(session.address)
    return { places: await searchGoogle(places, body) }
  })
}
