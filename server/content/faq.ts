import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import type { Db } from '#server/db/connection.ts'

const FaqFile = z.array(
  z.strictObject({
    slug: z.string(),
    category: z.string(),
    position: z.int(),
    question_en: z.string().min(1),
    answer_en: z.string().min(1),
    question_ar: z.string().min(1),
    answer_ar: z.string().min(1),
  }),
)

/** Inserts missing travel FAQ entries. Existing ones stay as administrators edited them. */
export async function loadFaq(db: Db): Promise<void> {
  const entries = FaqFile.parse(JSON.parse(await readFile(new URL('./faq.json', import.meta.url), 'utf8')))
  await db
    .insertInto('faq_entries')
    .values(entries)
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .execute()
}
