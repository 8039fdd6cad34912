import { sql } from 'kysely'
import type { Countries } from '#server/countries/reference.ts'
import { inBatches } from '#server/db/batches.ts'
import type { Database } from '#server/db/connection.ts'
import { createRateLimit } from '#server/http/rate-limit.ts'
import type { Router } from '#server/http/router.ts'
import type { ReadModel } from '#server/readmodel/model.ts'
import type { SettingsModel } from '#server/settings/settings.ts'
import {
  type Advisory,
  acknowledgeAdvisory,
  getAdvisory,
  getAdvisoryStatistics,
  getTicker,
  listAdvisories,
  listAdvisorySources,
  listCountryLevels,
  listUnresolvedNames,
  refreshAdvisories,
} from '#shared/advisories/endpoints.ts'
import { firstOf } from '#shared/assert.ts'
import { AppError } from '#shared/errors.ts'
import { type Acknowledgment, saveAcknowledgments } from './acknowledgments.ts'
import { suggestionsFor } from './country-resolution.ts'
import { NOTHING_FETCHED } from './feeds/deps.ts'
import type { AdvisoryModel } from './model.ts'
import { type Ticker, tickerOf } from './ticker.ts'

const RELATED = 6

interface AdvisoryDeps {
  database: Database
  model: AdvisoryModel
  readModel: ReadModel
  settings: SettingsModel
  countries: () => Countries
}

/** Advisories are read from memory and acknowledged in the database. */
export function registerAdvisories(router: Router, deps: AdvisoryDeps) {
  publicAdvisories(router, deps)
  advisoryActions(router, deps)
}

/** Served from memory. */
function publicAdvisories(router: Router, deps: AdvisoryDeps) {
  const { model, settings } = deps

  router.serve(listAdvisories, ({ now }, { query }) => {
    const { advisories, total } = model.list(query, now)
    return { advisories, total, limit: query.limit, offset: query.offset, has_read_sources: model.hasReadSources(now) }
  })

  router.serve(getAdvisory, ({ now }, { params }) => {
    const found = model.find(params.id, now)
    if (!found) throw new AppError(404, 'advisory_not_found', 'Advisory not found.')
    const others = found.advisory.country_codes.flatMap((code) => model.onCountry(code, now))
    const related = [...new Map(others.map((other) => [other.id, other])).values()].filter(({ id }) => id !== params.id)
    return { ...found, related: related.slice(0, RELATED) }
  })

  router.serve(getAdvisoryStatistics, ({ now }) => model.statistics(now))

  router.serve(listCountryLevels, ({ now }) => ({
    countries: model.countryLevels(now),
    has_read_sources: model.hasReadSources(now),
  }))

  router.serve(listAdvisorySources, ({ now }) => ({ sources: model.sources(now) }))

  /** Cached per list: computing them takes longer than the rest of a page. */
  const tickers = new WeakMap<readonly Advisory[], Map<string, Ticker>>()
  router.serve(getTicker, ({ now }, { query: { limit, lng } }) => {
    const list = model.inForce(now)
    const source = settings.get('advisories.ticker_source')
    const countries = deps.countries()
    const sources = model.sources(now)
    const known = tickers.get(list) ?? new Map<string, Ticker>()
    tickers.set(list, known)
    const key = `${lng} ${limit} ${source}`
    const ticker = known.get(key) ?? tickerOf(list, { sources, source, countries, limit, language: lng })
    known.set(key, ticker)
    return { ...ticker, has_read_sources: model.hasReadSources(now) }
  })
}

/** Requests that read or write the database. */
function advisoryActions(router: Router, deps: AdvisoryDeps) {
  const { model } = deps
  const refreshes = createRateLimit({ count: 6, seconds: 60 })

  router.serve(refreshAdvisories, async ({ session, now }) => {
    refreshes.take(session.address)
    await deps.readModel.catchUp()
    const total = model.inForce(now).length
    return {
      fetchStats: { ...NOTHING_FETCHED, total_fetched: total, unchanged: total },
      last_refreshed: now.toISOString(),
    }
  })

  const acknowledge = inBatches((items: Acknowledgment[]) => saveAcknowledgments(deps.database, items))
  router.act(acknowledgeAdvisory, async ({ user, now }, { params }) => {
    const found = model.find(params.id, now)
    if (!found) throw new AppError(404, 'advisory_not_found', 'Advisory not found.')
    await acknowledge({
      advisory_id: params.id,
      user_id: user.id,
      version: found.advisory.version,
      acknowledged_at: now,
    })
    return { acknowledged_at: now.toISOString() }
  })

  router.handle(listUnresolvedNames, async ({ db }) => {
    const rows = await db
      .selectFrom('travel_advisories')
      .select(['id', 'source_id', 'unresolved_countries'])
      .where(sql<boolean>`unresolved_countries <> '{}'`)
      .limit(1_000)
      .execute()
    const names = rows.flatMap((row) =>
      row.unresolved_countries.map((name) => ({ name, source_id: row.source_id, id: row.id })),
    )
    const grouped = Map.groupBy(names, ({ name, source_id }) => JSON.stringify([source_id, name]))
    return {
      names: [...grouped.values()].map((list) => {
        const { name, source_id } = firstOf(list)
        const advisory_ids = list.map(({ id }) => id)
        return { name, source_id, advisory_ids, suggestions: suggestionsFor(name, deps.countries()) }
      }),
    }
  })
}
