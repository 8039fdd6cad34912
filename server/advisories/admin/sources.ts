import { createHash } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { audit, changed } from '#server/audit/audit-log.ts'
import type { Db } from '#server/db/connection.ts'
import { stale } from '#server/db/records.ts'
import type { FeedRunsTable } from '#server/db/tables-advisories.ts'
import type { FeedRun, ManagedSource } from '#shared/advisories/admin-sources.ts'
import { readingOf, stateOf } from '#shared/advisories/freshness.ts'
import { firstOf } from '#shared/assert.ts'
import { AppError } from '#shared/errors.ts'
import type { Source } from '../sources.ts'
import type { WriteContext } from './mutations.ts'

const RUNS_SHOWN = 20

/** All sources, or one, with settings and last run. */
export async function listManagedSources(db: Db, now: Date, only?: string): Promise<ManagedSource[]> {
  const base = db.selectFrom('advisory_sources').selectAll().orderBy('position').orderBy('id')
  const sources = await (only ? base.where('id', '=', only) : base).execute()
  const runs = await db
    .selectFrom('advisory_sources as s')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('feed_runs')
          .selectAll()
          .whereRef('source_id', '=', 's.id')
          .orderBy('started_at', 'desc')
          .limit(1)
          .as('run'),
      (join) => join.onTrue(),
    )
    .selectAll('run')
    .execute()
  // Advisories in force, and those with a pending lower level.
  const counts = await db
    .selectFrom('travel_advisories')
    .select([
      'source_id',
      sql<number>`count(*) filter (where is_active)::int`.as('in_force'),
      sql<number>`count(*) filter (where pending_since is not null)::int`.as('pending_count'),
    ])
    .groupBy('source_id')
    .execute()
  const countsOf = new Map(
    counts.map(({ source_id, in_force, pending_count }) => [source_id, { in_force, pending_count }]),
  )
  const lastOf = new Map(runs.map((run) => [run.source_id, runShown(run)]))
  return sources.map((source) => {
    const count = countsOf.get(source.id) ?? { in_force: 0, pending_count: 0 }
    return managed(source, { last_run: lastOf.get(source.id) ?? null, ...count }, now)
  })
}

export async function findManagedSource(db: Db, id: string, now: Date) {
  const [source] = await listManagedSources(db, now, id)
  if (!source) throw new AppError(404, 'unknown_source', 'Source not found.')
  const runs = await db
    .selectFrom('feed_runs')
    .selectAll()
    .where('source_id', '=', id)
    .orderBy('started_at', 'desc')
    .limit(RUNS_SHOWN)
    .execute()
  const latestReport = runs.find((run) => run.rejected.length > 0 || run.unresolved.length > 0 || run.status === 'ok')
  return {
    source,
    runs: runs.map(runShown),
    refused: latestReport?.rejected ?? [],
    unresolved: latestReport?.unresolved ?? [],
  }
}

interface SourceChange {
  made_from: string
  is_enabled: boolean
  interval_seconds: number
  minimum_items: number
  auto_notify?: boolean | undefined
}

/** Updates the settings administrators control; a source that is switched on is fetched in the next round. */
export async function updateSource(
  db: Db,
  id: string,
  { made_from, ...wanted }: SourceChange,
  { by, now }: Pick<WriteContext, 'by' | 'now'>,
): Promise<ManagedSource> {
  const lockedRow = await db
    .selectFrom('advisory_sources')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!lockedRow) throw new AppError(404, 'unknown_source', 'Source not found.')
  if (lockedRow.retired_at) throw new AppError(409, 'source_removed', 'This source was removed.')
  if (formOf(lockedRow) !== made_from) throw stale()
  const { is_enabled, interval_seconds, minimum_items, auto_notify } = lockedRow
  const difference = changed({ is_enabled, interval_seconds, minimum_items, auto_notify }, wanted)
  if (difference) {
    const isDue = wanted.is_enabled && (!is_enabled || wanted.interval_seconds < interval_seconds)
    await db
      .updateTable('advisory_sources')
      .set({ ...wanted, updated_at: now, ...(isDue ? { next_attempt_at: now } : {}) })
      .where('id', '=', id)
      .execute()
    await audit(db, by, { action: 'source.edit', subject_type: 'advisory_source', subject_id: id, ...difference })
  }
  return firstOf(await listManagedSources(db, now, id))
}

/** A run updates the row every few minutes; a form is stale only when a field it shows has changed. */
const formOf = ({ is_enabled, interval_seconds, minimum_items, auto_notify }: Source) =>
  [is_enabled, interval_seconds, minimum_items, auto_notify].join(' ')

/** Hash of the source's settings and reader; runs do not change it. */
export function definitionOf(source: Source): string {
  const { name, organization, country_code, reader, url, homepage, language, licence, licence_url, mapping } = source
  const { interval_seconds, minimum_items, auto_notify } = source
  const fields = [name, organization, country_code, reader, url, homepage, language, licence, licence_url]
  const all = JSON.stringify([...fields, interval_seconds, minimum_items, auto_notify, mapping])
  return createHash('sha256').update(all).digest('base64url')
}

function managed(
  source: Source,
  { last_run, in_force, pending_count }: Pick<ManagedSource, 'last_run' | 'in_force' | 'pending_count'>,
  now: Date,
): ManagedSource {
  const status = stateOf(source, now)
  const { state, not_confirmed_since } = status
  const { id, name, organization, authority, country_code, homepage, url, language, licence, licence_url } = source
  const { interval_seconds, is_enabled, item_count, error, captured_on, reader, minimum_items, auto_notify } = source
  return {
    ...{ id, name, organization, authority, country_code, homepage, url, language, licence, licence_url },
    ...{
      interval_seconds,
      is_enabled,
      item_count,
      error,
      captured_on,
      reader,
      minimum_items,
      auto_notify,
      state,
      last_run,
      pending_count,
    },
    reading: readingOf(status, source),
    mapping: source.mapping,
    retired_at: iso(source.retired_at),
    in_force,
    definition: definitionOf(source),
    not_confirmed_since: iso(not_confirmed_since),
    last_attempt_at: iso(source.last_attempt_at),
    last_success_at: iso(source.last_success_at),
    last_change_at: iso(source.last_change_at),
    next_attempt_at: is_enabled && reader !== 'manual' ? source.next_attempt_at.toISOString() : null,
    is_running: source.leased_until !== null && source.leased_until > now,
    made_from: formOf(source),
  }
}

function runShown(run: Selectable<FeedRunsTable>): FeedRun {
  const { id, cause, status, fetched, added, updated, unchanged, missing, error } = run
  return {
    ...{ id, cause, status, fetched, added, updated, unchanged, missing, error },
    started_at: run.started_at.toISOString(),
    finished_at: iso(run.finished_at),
    unresolved_count: run.unresolved.length,
    refused_count: run.rejected.length,
  }
}

const iso = (date: Date | null) => date?.toISOString() ?? null
