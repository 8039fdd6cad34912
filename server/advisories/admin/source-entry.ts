import type * as z from 'zod'
import { audit, changed } from '#server/audit/audit-log.ts'
import type { Db } from '#server/db/connection.ts'
import { stale } from '#server/db/records.ts'
import type { changeSource, createSource, ManagedSource } from '#shared/advisories/admin-sources.ts'
import { firstOf } from '#shared/assert.ts'
import { AppError } from '#shared/errors.ts'
import type { Source } from '../sources.ts'
import type { WriteContext } from './mutations.ts'
import { checkProof } from './source-preview.ts'
import { definitionOf, listManagedSources } from './sources.ts'

type Definition = Omit<z.output<typeof changeSource.body>, 'definition'>
type Context = Pick<WriteContext, 'by' | 'now' | 'countries'> & { secret: string }

/** Adds a previewed source. It is fetched in the next round. */
export async function addSource(
  db: Db,
  { id, ...input }: z.output<typeof createSource.body>,
  context: Context,
): Promise<ManagedSource> {
  const columns = columnsOf(input, context)
  const inserted = await db
    .insertInto('advisory_sources')
    .values({ id, authority: id, ...columns, next_attempt_at: context.now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  if (inserted.numInsertedOrUpdatedRows === 0n)
    throw new AppError(409, 'source_exists', 'Another source already uses this ID. Choose another one.', {
      fields: { id: 'Another source already uses this ID. Choose another one.' },
    })
  await audit(db, context.by, {
    action: 'source.create',
    subject_type: 'advisory_source',
    subject_id: id,
    after: columns,
  })
  return firstOf(await listManagedSources(db, context.now, id))
}

/** Changes a source's settings and reader; a different document is read again even if its server says "unchanged". */
export async function replaceSource(
  db: Db,
  id: string,
  { definition, ...input }: z.output<typeof changeSource.body>,
  context: Context,
): Promise<ManagedSource> {
  const row = await lockedSource(db, id)
  if (row.reader === 'manual')
    throw new AppError(409, 'manual_source', 'This source has no feed. Its advisories are written here.')
  if (definitionOf(row) !== definition) throw stale()
  const columns = columnsOf(input, context)
  const before = Object.fromEntries(Object.keys(columns).map((name) => [name, row[name as keyof Source]]))
  const difference = changed(before, columns)
  if (difference) {
    await db
      .updateTable('advisory_sources')
      .set({
        ...columns,
        ...{ etag: null, last_modified: null, content_hash: null },
        next_attempt_at: context.now,
        updated_at: context.now,
      })
      .where('id', '=', id)
      .execute()
    await audit(db, context.by, {
      action: 'source.define',
      subject_type: 'advisory_source',
      subject_id: id,
      ...difference,
    })
  }
  return firstOf(await listManagedSources(db, context.now, id))
}

/**
 * Removes a source. Its advisories are withdrawn without notifying subscribers: that the portal stops reading a
 * government does not mean that its warnings ended.
 */
export async function removeSource(
  db: Db,
  id: string,
  { in_force, reason }: { in_force: number; reason: string },
  { by, now }: Context,
): Promise<number> {
  await lockedSource(db, id)
  const withdrawn = await db
    .updateTable('travel_advisories')
    .set({ is_active: false, withdrawn_at: now, updated_at: now })
    .where('source_id', '=', id)
    .where('is_active', '=', true)
    .returning('id')
    .execute()
  if (withdrawn.length !== in_force)
    throw new AppError(
      409,
      'stale',
      `This source now has ${withdrawn.length} advisories in force. Check it again. Nothing was removed.`,
    )
  await db
    .updateTable('advisory_sources')
    .set({ is_enabled: false, retired_at: now, updated_at: now })
    .where('id', '=', id)
    .execute()
  await audit(db, by, {
    action: 'source.remove',
    subject_type: 'advisory_source',
    subject_id: id,
    after: { withdrawn: withdrawn.length, reason },
  })
  return withdrawn.length
}

async function lockedSource(db: Db, id: string): Promise<Source> {
  const row = await db.selectFrom('advisory_sources').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!row) throw new AppError(404, 'unknown_source', 'Source not found.')
  if (row.retired_at) throw new AppError(409, 'source_removed', 'This source was removed.')
  return row
}

function columnsOf({ proof, ...input }: Definition, { now, secret, countries }: Context) {
  checkProof(proof, input, { now, secret })
  if (input.country_code && !countries.find(input.country_code))
    throw new AppError(422, 'invalid_input', 'Please correct the marked fields.', {
      fields: { country_code: 'We do not know this country. Check the spelling.' },
    })
  return input
}
