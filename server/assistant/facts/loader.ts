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

/** Facts shipped with this version; docs/attribution.md lists their origin. */
export async function shippedFacts(): Promise<ShippedFact[]> {
  return z.array(ShippedFact).parse(JSON.parse(await readFile(new URL('./facts.json', import.meta.url), 'utf8')))
}

/**
 * Synchronises the facts with those of this version: inserts new ones, updates changed ones and deletes those no longer
 * shipped. A fact that a user has edited, confirmed or deleted is left alone.
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
      // A single parameter: five thousand rows would take longer to parse than to write.
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
          // Skips unchanged rows, since every node reloads each written row.
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
