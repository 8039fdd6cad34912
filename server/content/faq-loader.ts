import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import * as z from 'zod'
import type { Db } from '#server/db/connection.ts'
import { faqEntries } from '#shared/content/faq.ts'

const FaqFile = z.array(z.strictObject({ ...faqEntries.create.body.required().shape }).omit({ is_published: true }))
export type ShippedFaqEntry = z.infer<typeof FaqFile>[number]

/** Questions shipped with this version. */
export async function shippedFaq(): Promise<ShippedFaqEntry[]> {
  return FaqFile.parse(JSON.parse(await readFile(new URL('./faq.json', import.meta.url), 'utf8')))
}

/**
 * Brings the travel FAQ to the shipped texts: inserts new entries and replaces changed ones. An entry that an
 * administrator edited stays as it is, and a deleted one does not come back.
 */
export async function loadFaq(db: Db, entries?: readonly ShippedFaqEntry[]): Promise<void> {
  // Nodes that start together take turns.
  await sql`select pg_advisory_xact_lock(hashtext('portal.faq'))`.execute(db)
  const shipped = JSON.stringify(entries ?? (await shippedFaq()))
  const file = sql`jsonb_to_recordset(${shipped}::jsonb)
    as f (slug text, category text, position integer, question jsonb, answer jsonb)`
  const { rows: replaced } = await sql<{ slug: string }>`
    delete from faq_entries e using ${file} join shipped_faq_entries s using (slug)
    where e.slug = f.slug and s.content_hash = ${HASH}
      and (e.category, e.position, e.question, e.answer) is distinct from (f.category, f.position, f.question, f.answer)
    returning e.slug`.execute(db)
  const outdated = replaced.map(({ slug }) => slug)
  await sql`
    with loaded as (
      insert into faq_entries as e (slug, category, position, question, answer)
      select f.slug, f.category, f.position, f.question, f.answer from ${file}
      where f.slug = any(${outdated}) or not exists (select from shipped_faq_entries s where s.slug = f.slug)
      -- Otherwise an administrator has written the same question, or one of the same slug.
      on conflict do nothing
      returning slug, ${HASH} as hash)
    insert into shipped_faq_entries (slug, content_hash)
    select f.slug, loaded.hash from ${file} left join loaded using (slug)
    where loaded.slug is not null or not exists (select from shipped_faq_entries s where s.slug = f.slug)
    on conflict (slug) do update set content_hash = excluded.content_hash`.execute(db)
}

/** Differs from the recorded one as soon as anything was edited. */
const HASH = sql`md5(concat_ws('|', e.category, e.position, e.question, e.answer, e.is_published))`
