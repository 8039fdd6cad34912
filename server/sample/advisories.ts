import { fileURLToPath } from 'node:url'
import type { SourceRun } from '#server/advisories/feeds/deps.ts'
import { readSavedDocument } from '#server/advisories/feeds/saved-document.ts'
import { registerSources } from '#server/advisories/sources.ts'
import { inBackground } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import type { Log } from '#server/log.ts'

const FOLDER = new URL('../../sample/', import.meta.url)

/** Real documents of a past day; sample/README.md lists their origin. */
const EXTRACTS = [
  { sourceId: 'us-state-json', file: 'us-state-2026-02-15.json', capturedOn: '2026-02-15' },
  { sourceId: 'uk-fcdo', file: 'uk-fcdo-alert-status-2026-05-20.json', capturedOn: '2026-05-20' },
  { sourceId: 'ca-travel', file: 'ca-travel-index-2026-09-26.json', capturedOn: '2026-09-26' },
]

/**
 * Loads the snapshots into sources without advisories; skips a source that has responded or was imported before.
 * Returns what was imported.
 */
export async function loadSample(database: Database, log: Log): Promise<SourceRun[]> {
  const empty = await inBackground(database, 'sample', async (db) => {
    await registerSources(db)
    const sources = await db
      .selectFrom('advisory_sources')
      .select('id')
      .where('last_success_at', 'is', null)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('travel_advisories').whereRef('source_id', '=', 'advisory_sources.id').select('id'))),
      )
      .execute()
    return new Set(sources.map(({ id }) => id))
  })
  const deps = { database, log, publicUrl: '', allowsPrivateFeeds: false }
  const runs: SourceRun[] = []
  for (const { sourceId, file, capturedOn } of EXTRACTS.filter((extract) => empty.has(extract.sourceId))) {
    const options = { cause: 'sample', capturedOn } as const
    const run = await readSavedDocument(deps, sourceId, fileURLToPath(new URL(file, FOLDER)), options)
    if (run.status !== 'ok') log.error({ source: sourceId, reason: run.error }, 'a sample could not be read')
    runs.push(run)
  }
  return runs
}
