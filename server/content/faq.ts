import { type Selectable, sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import { inLanguages, matches, pageOf } from '#server/db/lists.ts'
import { recordsOf } from '#server/db/records.ts'
import type { FaqEntriesTable } from '#server/db/tables.ts'
import { handleRecords } from '#server/http/crud.ts'
import type { Router } from '#server/http/router.ts'
import type { ReadModel } from '#server/readmodel/model.ts'
import { FAQ_CATEGORIES, type FaqRecord, faqEntries, referenceOf } from '#shared/content/faq.ts'
import { AppError } from '#shared/errors.ts'

const SAME = 'Another question has the same text.'
const STEP = 10

const records = recordsOf('faq_entries', {
  subject: 'faq_entry',
  missing: () => new AppError(404, 'faq_entry_not_found', 'There is no such question.'),
  constraints: {
    faq_entries_slug_key: ['slug', 'Another question has this name in its link.'],
    faq_entries_question_en: ['question.en', SAME],
    faq_entries_question_ar: ['question.ar', SAME],
  },
})

const changes: typeof records = {
  ...records,
  create: async (db, values, saving) =>
    records.create(db, { position: await nextPosition(db, values.category), ...values }, saving),
  remove: async (db, id, change, saving) => {
    await rejectReferenced(db, (await records.lock(db, id, change.made_from)).slug)
    return records.remove(db, id, change, saving)
  },
}

/** Administration of the travel FAQ. */
export function registerFaqAdmin(router: Router, readModel: Pick<ReadModel, 'refresh'>) {
  router.handle(faqEntries.list, async ({ db }, { query }) => {
    const { category, status, search } = query
    const found = db
      .selectFrom('faq_entries')
      .$if(category !== undefined, (q) => q.where('category', '=', category!))
      .$if(status !== undefined, (q) => q.where('is_published', '=', status === 'published'))
      .$if(search !== '', (q) =>
        q.where(matches(search, ['slug', ...inLanguages('question'), ...inLanguages('answer')])),
      )
      .selectAll()
    const { rows, ...page } = await pageOf(found, query, (q) =>
      q
        .orderBy(sql`array_position(${[...FAQ_CATEGORIES]}::text[], category)`)
        .orderBy('position')
        .orderBy('slug'),
    )
    return { faq_entries: rows.map(serialize), ...page }
  })
  handleRecords(router, faqEntries, changes, serialize, readModel)
}

const serialize = ({ created_at: _, updated_at, ...row }: Selectable<FaqEntriesTable>): FaqRecord => ({
  ...row,
  referenced_by: referenceOf(row.slug),
  updated_at: updated_at.toISOString(),
})

/** After the last of its category. */
async function nextPosition(db: Db, category: unknown): Promise<number> {
  const { last } = await db
    .selectFrom('faq_entries')
    .select(({ fn }) => fn.max<number | null>('position').as('last'))
    .where('category', '=', String(category))
    .executeTakeFirstOrThrow()
  return Math.min((last ?? 0) + STEP, 10_000)
}

/** Nothing may link to an entry that is deleted. */
async function rejectReferenced(db: Db, slug: string) {
  const inUse = (message: string) => new AppError(422, 'faq_entry_in_use', message)
  if (referenceOf(slug)) throw inUse('The portal itself uses this question. Edit it, or hide it instead.')
  const link = `%/travel-faq#${slug}`
  const fact = await db.selectFrom('assistant_facts').select('id').where('source_url', 'like', link).executeTakeFirst()
  if (fact) throw inUse('A fact of the assistant links to this question. Change that link first.')
  const { rows } = await sql<{ slug: string }>`select slug from faq_entries
    where slug <> ${slug} and answer::text ~ ${`#${slug}[^a-z0-9-]`}`.execute(db)
  if (rows.length > 0) throw inUse('The answer to another question links to this one. Change that link first.')
}
