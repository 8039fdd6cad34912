import type { Db } from '#server/db/connection.ts'
import type { AdminAdvisory, HistoryEntry } from '#shared/advisories/admin.ts'
import type { AdvisoryChange, AdvisoryVersion } from '#shared/advisories/endpoints.ts'
import { AppError } from '#shared/errors.ts'
import type { AdvisoryModel } from '../model.ts'
import { inIso, PUBLIC_COLUMNS, shownVersion } from '../queries.ts'
import { publicationStateAt, removalFor } from './publication-state.ts'

const HISTORY = 50
/** Longer values are listed as changed without their text. */
const LONGEST_VALUE = 300

interface Context {
  model: AdvisoryModel
  now: Date
}

/** One advisory with the fields of the admin form and responses, whether public or not. */
export async function findAdminAdvisory(db: Db, id: string, { model, now }: Context): Promise<AdminAdvisory> {
  const row = await db
    .selectFrom('travel_advisories as a')
    .innerJoin('advisory_sources as s', 's.id', 'a.source_id')
    .select([...PUBLIC_COLUMNS, 'a.status', 'a.withdrawn_at', 's.reader'])
    .select(publicationStateAt(now).as('standing'))
    .where('a.id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound()
  const { reader, withdrawn_at, ...shown } = row
  // Row-level security hides the acknowledgments of other users; the count comes from the public model.
  const known = model.find(id, now)?.advisory
  return {
    ...inIso(shown),
    acknowledgment_count: known?.acknowledgment_count ?? 0,
    last_acknowledged_at: known?.last_acknowledged_at ?? null,
    withdrawn_at: withdrawn_at?.toISOString() ?? null,
    removal: removalFor(model, now)(id),
    is_written_here: reader === 'manual',
  }
}

export const notFound = () => new AppError(404, 'advisory_not_found', 'Advisory not found.')

export async function versionsOf(db: Db, id: string): Promise<AdvisoryVersion[]> {
  const rows = await db
    .selectFrom('advisory_versions')
    .selectAll()
    .where('advisory_id', '=', id)
    .orderBy('version', 'desc')
    .execute()
  return rows.map(shownVersion)
}

/** Admin actions on the advisory, from the audit log. */
export async function historyOf(db: Db, subjectType: string, id: string): Promise<HistoryEntry[]> {
  const rows = await db
    .selectFrom('audit_log as l')
    .leftJoin('user_profiles as p', 'p.id', 'l.actor_id')
    .select(['l.id', 'l.at', 'l.action', 'l.reason', 'l.before', 'l.after', 'p.display_name'])
    .where('l.subject_type', '=', subjectType)
    .where('l.subject_id', '=', id)
    .orderBy('l.id', 'desc')
    .limit(HISTORY)
    .execute()
  return rows.map((row) => ({
    id: Number(row.id),
    at: row.at.toISOString(),
    actor: row.display_name,
    action: row.action,
    reason: row.reason,
    changes: row.before && row.after ? changesIn(row.before, row.after) : [],
  }))
}

function changesIn(before: object, after: object): AdvisoryChange[] {
  return Object.keys(after).map((field) => {
    const valueIn = (version: object) => short((version as Record<string, unknown>)[field])
    return { field, before: valueIn(before), after: valueIn(after) }
  })
}

function short(value: unknown): string | null {
  if (value === null || value === undefined) return null
  const text = Array.isArray(value) ? value.join(', ') : String(value)
  return text.length > LONGEST_VALUE ? `${[...text].slice(0, LONGEST_VALUE).join('')}…` : text
}
