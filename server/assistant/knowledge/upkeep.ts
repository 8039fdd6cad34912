import { sql } from 'kysely'
import { audit } from '#server/audit/audit-log.ts'
import type { Db } from '#server/db/connection.ts'
import { escapeLike } from '#server/db/like.ts'
import type { SignedIn } from '#server/http/session.ts'
import type { KnowledgeSource } from '#shared/assistant/knowledge.ts'
import { AppError } from '#shared/errors.ts'
import type { Page } from './chunks.ts'
import { writePage } from './page-import.ts'

const SOURCES_PER_PAGE = 50
const MAX_FAILURE_LENGTH = 500

const chosen = (db: Db) =>
  db
    .selectFrom('knowledge_sources as s')
    .select([
      's.id',
      's.page_title',
      's.page_url',
      's.source_domain',
      's.language',
      's.origin',
      's.checked_at',
      's.failure',
    ])
    .select((eb) =>
      eb
        .selectFrom('knowledge_chunks as c')
        .select(sql<number>`count(*)::int`.as('pieces'))
        .whereRef('c.source_id', '=', 's.id')
        .as('pieces'),
    )
type Row = Awaited<ReturnType<ReturnType<typeof chosen>['execute']>>[number]

const shown = ({ pieces, checked_at, ...row }: Row): KnowledgeSource => ({
  ...row,
  pieces: pieces ?? 0,
  checked_at: checked_at.toISOString(),
})

/** Pages by title or domain; those whose refresh failed come first, since they need attention. */
export async function findSources(db: Db, { search, page }: { search?: string | undefined; page: number }) {
  const pattern = `%${escapeLike(search ?? '')}%`
  const where = chosen(db).$if(Boolean(search), (q) =>
    q.where((eb) => eb.or([eb('s.page_title', 'ilike', pattern), eb('s.source_domain', 'ilike', pattern)])),
  )
  const rows = await where
    .orderBy(sql`s.failure is null`)
    .orderBy('s.source_domain')
    .orderBy('s.page_title')
    .orderBy('s.id')
    .limit(SOURCES_PER_PAGE)
    .offset((page - 1) * SOURCES_PER_PAGE)
    .execute()
  const { total } = await where
    .clearSelect()
    .select(({ fn }) => fn.countAll<string>().as('total'))
    .executeTakeFirstOrThrow()
  return { sources: rows.map(shown), total: Number(total), page, per_page: SOURCES_PER_PAGE }
}

export async function findSource(db: Db, id: string): Promise<KnowledgeSource> {
  const row = await chosen(db).where('s.id', '=', id).executeTakeFirst()
  if (!row) throw new AppError(404, 'page_not_found', 'Page not found.')
  return shown(row)
}

/** Stores the refreshed content; title and language stay as chosen. */
export function rewriteSource(
  db: Db,
  { page_title, page_url, language, origin }: KnowledgeSource,
  { page, by, now }: { page: Page; by: SignedIn | null; now: Date },
) {
  return writePage(db, { page_title, page_url, language, origin, page, by, now })
}

/** Stores why a refresh failed. The content and the time of its last check stay. */
export async function recordFailure(db: Db, id: string, reason: string): Promise<void> {
  await db
    .updateTable('knowledge_sources')
    .set({ failure: reason.slice(0, MAX_FAILURE_LENGTH) })
    .where('id', '=', id)
    .execute()
}

/** Deletes a page and its chunks. */
export async function deleteSource(db: Db, id: string, by: SignedIn): Promise<void> {
  const { page_url, page_title } = await findSource(db, id)
  await db.deleteFrom('knowledge_sources').where('id', '=', id).execute()
  await audit(db, by, {
    action: 'knowledge.delete',
    subject_type: 'knowledge',
    subject_id: id,
    before: { page_url, page_title },
  })
}

/** Deletes every page of a domain. Returns the number deleted. */
export async function deleteDomain(db: Db, domain: string, by: SignedIn): Promise<number> {
  const gone = await db
    .deleteFrom('knowledge_sources')
    .where('source_domain', '=', domain.toLowerCase().replace(/^www\./, ''))
    .returning('page_url')
    .execute()
  if (gone.length > 0)
    await audit(db, by, {
      action: 'knowledge.delete',
      subject_type: 'knowledge_domain',
      subject_id: domain,
      before: { pages: gone.map(({ page_url }) => page_url) },
    })
  return gone.length
}
