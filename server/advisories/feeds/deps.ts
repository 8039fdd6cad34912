import { createHash } from 'node:crypto'
import { countriesWith } from '#server/countries/model.ts'
import type { Countries } from '#server/countries/reference.ts'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import type { Log } from '#server/log.ts'
import type { FetchStats } from '#shared/advisories/endpoints.ts'
import { MISSING_GRACE_DAYS } from '../expiry.ts'
import { READING_VERSION } from '../sources.ts'

/** External dependencies of a run. The process settings fit as they are. */
export interface FeedDeps {
  database: Database
  log: Log
  publicUrl: string
  allowsPrivateFeeds: boolean
  /** Aborted when the process stops: the run ends early and releases its source. */
  signal?: AbortSignal
  /** Only for tests; otherwise the database's clock, which all nodes share. */
  now?: () => Date
}

export type Cause = 'schedule' | 'manual' | 'file' | 'sample'

/** The result of a run, in the shape of the API response. */
export interface SourceRun {
  source: string
  /** 'skipped': another run of the source is in progress. */
  status: 'ok' | 'unchanged' | 'failed' | 'refused' | 'skipped'
  error: string | null
  fetchStats: FetchStats
}

export const NOTHING_FETCHED: FetchStats = {
  total_fetched: 0,
  saved_to_database: 0,
  added: 0,
  updated: 0,
  unchanged: 0,
  missing: 0,
  unresolved: [],
  refused: [],
}

export interface ReadContext {
  countries: Countries
  graceDays: number
  /** Changes when the same document would now be read differently; prefix of the document mark. */
  key: string
}

/** Everything besides the document that its reading depends on. */
export async function loadReading(db: Db, log: Log): Promise<ReadContext> {
  const aliases = await db
    .selectFrom('country_aliases')
    .select(['alias', 'country_code as code'])
    .orderBy('alias')
    .execute()
  const grace = await db
    .selectFrom('settings')
    .select('value')
    .where('key', '=', 'advisories.missing_grace_days')
    .executeTakeFirst()
  const hash = createHash('sha256').update(JSON.stringify(aliases)).digest('base64url').slice(0, 8)
  return {
    countries: countriesWith(aliases, log),
    graceDays: typeof grace?.value === 'number' ? grace.value : MISSING_GRACE_DAYS,
    key: `${READING_VERSION}.${hash}`,
  }
}

/** Runs a transaction with the rights of the feeds role. */
export function inFeeds<T>(deps: FeedDeps, fn: (db: Db) => Promise<T>): Promise<T> {
  return inBackground(deps.database, 'feeds', fn)
}
