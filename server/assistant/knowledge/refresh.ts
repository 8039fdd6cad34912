import type { FeedDeps } from '#server/advisories/feeds/deps.ts'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { domainsOf } from '#server/http/domains.ts'
import { createSettings } from '#server/settings/settings.ts'
import { PageError, readPage } from './page-reader.ts'
import { findSource, recordFailure, rewriteSource } from './upkeep.ts'

/**
 * Fetches every page again that came from its address and replaces its content. A page that cannot be read keeps its
 * content and gets the reason. Sequential, since nothing waits for it and no site should be requested often.
 */
export async function rereadKnowledge(
  deps: FeedDeps,
  allowed?: readonly string[],
): Promise<{ read: number; failed: number }> {
  const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(deps.database, 'knowledge', fn)
  const settings = createSettings(deps.log)
  const ids = await inside(async (db) => {
    await settings.cachedTable.load(db, null)
    const query = db.selectFrom('knowledge_sources').select('id').where('origin', '=', 'address')
    return query.orderBy('checked_at').orderBy('id').execute()
  })
  const reading = {
    domains: allowed ?? domainsOf(settings.get('assistant.knowledge_domains')) ?? [],
    publicUrl: deps.publicUrl,
    allowsPrivate: deps.allowsPrivateFeeds,
    ...(deps.signal ? { signal: deps.signal } : {}),
  }
  const done = { read: 0, failed: 0 }
  for (const { id } of ids) {
    if (deps.signal?.aborted) break
    const source = await inside((db) => findSource(db, id)).catch(() => undefined)
    if (!source) continue
    const read = await readPage(source.page_url, reading).catch((error: Error) => error)
    // The process is shutting down, which is not an error of the page.
    if (deps.signal?.aborted) break
    if (read instanceof Error) {
      if (!(read instanceof PageError))
        deps.log.warn({ page: source.page_url, reason: read.message }, 'a page was not read')
      await inside((db) =>
        recordFailure(db, id, read instanceof PageError ? read.message : 'We could not read the page'),
      )
      done.failed += 1
    } else {
      await inside((db) => rewriteSource(db, source, { page: read, by: null, now: deps.now?.() ?? new Date() }))
      done.read += 1
    }
  }
  return done
}
