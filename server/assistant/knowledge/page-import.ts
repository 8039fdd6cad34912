import { createHash } from 'node:crypto'
import { audit } from '#server/audit/audit-log.ts'
import type { Db } from '#server/db/connection.ts'
import type { SignedIn } from '#server/http/session.ts'
import type { Page } from './chunks.ts'
import { searchTextOf } from './search.ts'

interface NewPage {
  page_title: string
  page_url: string
  language: string
  origin: 'address' | 'text' | 'markdown'
  page: Page
  by: SignedIn | null
  now: Date
}

export const domainOf = (url: string) => (url.startsWith('/') ? 'portal' : new URL(url).hostname.replace(/^www\./, ''))

/**
 * Replaces the stored page at an address and its chunks, in one transaction. For an unchanged page, only the time of
 * the check is updated. Returns its id and whether it changed.
 */
export async function writePage(db: Db, input: NewPage): Promise<{ id: string; changed: boolean }> {
  const { page_title, page_url, language, origin, page, by, now } = input
  const content_hash = createHash('sha256')
    .update(JSON.stringify([page_title, language, page.chunks]))
    .digest('hex')
  const before = await db
    .selectFrom('knowledge_sources')
    .select(['id', 'content_hash'])
    .where('page_url', '=', page_url)
    .forUpdate()
    .executeTakeFirst()
  const values = { page_title, language, origin, content_hash, checked_at: now, failure: null }
  const { id } = await db
    .insertInto('knowledge_sources')
    .values({ ...values, page_url, source_domain: domainOf(page_url), created_by: by?.id ?? null })
    .onConflict((c) => c.column('page_url').doUpdateSet(values))
    .returning('id')
    .executeTakeFirstOrThrow()
  if (before?.content_hash === content_hash) return { id, changed: false }
  await db.deleteFrom('knowledge_chunks').where('source_id', '=', id).execute()
  if (page.chunks.length > 0)
    await db
      .insertInto('knowledge_chunks')
      .values(
        page.chunks.map(({ heading, content }, position) => ({
          source_id: id,
          position,
          content,
          language,
          metadata: JSON.stringify({ page_title, page_url, source_domain: domainOf(page_url), heading }),
          search_text: searchTextOf(page_title, heading, content),
        })),
      )
      .execute()
  await audit(db, by, {
    action: before ? 'knowledge.change' : 'knowledge.add',
    subject_type: 'knowledge',
    subject_id: id,
    after: { page_url, page_title, pieces: page.chunks.length },
  })
  return { id, changed: true }
}
