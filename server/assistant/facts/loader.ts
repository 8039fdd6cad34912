import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import * as z from 'zod'
import type { Db } from '#server/db/connection.ts'
import { FactInput } from '#shared/assistant/facts.ts'

const ShippedFact = FactInput.extend({ id: z.string().regex(/^[a-zA-Z0-9_.-]{3,120}$/) }).omit({ is_active: true })
export type ShippedFact = z.infer<typeof ShippedFact>

const COLUMNS = [
  'kind',
  'country_code',
  'code',
  'purpose',
  'value',
  'source_title',
  'source_url',
  'checked_on',
  'valid_until',
  'position',
] as const

/** The facts this version brings along; docs/attribution.md says where they are from. */
export async function shippedFacts(): Promise<ShippedFact[]> {
  return z.array(ShippedFact).parse(JSON.parse(await readFile(new URL('./facts.json', import.meta.url), 'utf8')))
}

/**
 * Brings the facts in line with those of this version: new ones are added, changed ones replaced, those that are shipped
 * no longer taken away. What a person has ever written, confirmed or deleted is theirs and stays as they left it.
 */
export async function loadFacts(db: Db, facts?: readonly ShippedFact[]): Promise<void> {
  const shipped = facts ?? (await shippedFacts())
  const touched = await db
    .selectFrom('audit_log')
    .select('subject_id')
    .where('subject_type', '=', 'assistant_fact')
    .execute()
  const theirs = new Set(touched.map(({ subject_id }) => subject_id))
  const ours = shipped.filter(({ id }) => !theirs.has(id))
  if (ours.length > 0)
    await db
      .insertInto('assistant_facts')
      .columns(['id', ...COLUMNS])
      // As one value: five thousand would take longer to be read than written.
      .expression(
        sql`select id, ${sql.join(COLUMNS.map((name) => sql.ref(name)))}
          from jsonb_populate_recordset(null::assistant_facts, ${JSON.stringify(ours)}::jsonb)`,
      )
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet((eb) => ({
            ...(Object.fromEntries(COLUMNS.map((name) => [name, eb.ref(`excluded.${name}`)])) as object),
            updated_at: sql<Date>`now()`,
          }))
          .where('assistant_facts.updated_by', 'is', null)
          // Every row written is read anew by every node: those that are as they were are left alone.
          .where(
            sql<boolean>`(${sql.join(COLUMNS.map((name) => sql.ref(`assistant_facts.${name}`)))})
              is distinct from (${sql.join(COLUMNS.map((name) => sql.ref(`excluded.${name}`)))})`,
          ),
      )
      .execute()
  await db
    .deleteFrom('assistant_facts')
    .where('updated_by', 'is', null)
    .where(sql<boolean>`id <> all(${[...shipped.map(({ id }) => id), ...theirs]})`)
    .execute()
}
