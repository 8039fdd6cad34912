import { audit } from '#server/audit/audit-log.ts'
import { withClaims } from '#server/db/claims.ts'
import { claimsOf, type Router } from '#server/http/router.ts'
import type { ReadModel } from '#server/readmodel/model.ts'
import { type FetchStats, fetchFeeds } from '#shared/advisories/endpoints.ts'
import { AppError } from '#shared/errors.ts'
import { type FeedDeps, NOTHING_FETCHED, type SourceRun } from './feeds/deps.ts'
import { runSourcesNow } from './feeds/run.ts'
import type { AdvisoryModel } from './model.ts'

/** Fetches the sources on request; the schedule does the same automatically. */
export function registerFeedFetching(
  router: Router,
  deps: { feeds: FeedDeps; model: AdvisoryModel; readModel: ReadModel },
) {
  // Not `handle`: a fetch takes longer than a transaction may, and opens its own.
  router.act(fetchFeeds, async ({ now, session, user, database }, { body }) => {
    if (body.source && !deps.model.source(body.source, now))
      throw new AppError(422, 'unknown_source', 'Source not found.', {
        fields: { source: 'Source not found.' },
      })
    const runs: SourceRun[] = await runSourcesNow(deps.feeds, body.source)
    await deps.readModel.refresh()
    const stats = totalOf(runs)
    await withClaims(database, claimsOf(session), (db) =>
      audit(db, user, {
        action: 'source.fetch',
        subject_type: 'advisory_source',
        subject_id: body.source ?? 'all',
        after: { runs: runs.map(({ source, status, error }) => ({ source, status, error })) },
      }),
    )
    return {
      stats: { ...stats, advisories_fetched: stats.total_fetched, advisories_saved: stats.saved_to_database },
      runs,
    }
  })
}

function totalOf(runs: SourceRun[]): FetchStats {
  return runs.reduce(
    (total, { fetchStats }) => ({
      total_fetched: total.total_fetched + fetchStats.total_fetched,
      saved_to_database: total.saved_to_database + fetchStats.saved_to_database,
      added: total.added + fetchStats.added,
      updated: total.updated + fetchStats.updated,
      unchanged: total.unchanged + fetchStats.unchanged,
      missing: total.missing + fetchStats.missing,
      unresolved: [...total.unresolved, ...fetchStats.unresolved],
      refused: [...total.refused, ...fetchStats.refused],
    }),
    NOTHING_FETCHED,
  )
}
