import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { holdsRole } from '#server/accounts/holds-role.ts'
import { audit, changed } from '#server/audit/audit-log.ts'
import type { Db } from '#server/db/connection.ts'
import { invalid, recordsOf } from '#server/db/records.ts'
import type { LocalChaptersTable } from '#server/db/tables-churches.ts'
import { type ChapterFields, COORDINATOR_FIELDS } from '#shared/churches/chapters.ts'
import { fold } from '#shared/countries/fold.ts'
import { AppError } from '#shared/errors.ts'
import { isAdmin } from '#shared/roles.ts'
import { contactOf } from '../admin/contact.ts'
import { countryOfPoint, isMoved, placeProblems, pointProblems } from '../admin/entry.ts'
import type { WriteContext } from '../admin/write-context.ts'
import { countryNames } from '../deps.ts'
import { locate } from '../locating.ts'
import { projectLocales } from '../projection.ts'

export const noSuchChapter = () => new AppError(404, 'chapter_not_found', 'Chapter not found')
const chapters = recordsOf('mfa_local_chapters', { subject: 'chapter', missing: noSuchChapter })

export async function createChapter(db: Db, fields: ChapterFields, writing: WriteContext): Promise<string> {
  const row = await rowOf(db, fields, undefined, writing)
  const { id } = await db
    .insertInto('mfa_local_chapters')
    .values({ ...(row as Insertable<LocalChaptersTable>), created_at: writing.now, updated_at: writing.now })
    .returning('id')
    .executeTakeFirstOrThrow()
  await locate(db, 'mfa_local_chapters', [id])
  await audit(db, writing.by, { action: 'chapter.create', ...subject(id), after: fields })
  return id
}

/** Updates the submitted fields. The chapter's name is part of its locales' public rows. */
export async function updateChapter(
  db: Db,
  id: string,
  { made_from, ...fields }: ChapterFields & { made_from?: string | undefined },
  writing: WriteContext,
): Promise<void> {
  const existing = await chapters.lock(db, id, made_from)
  if (!isAdmin(writing.by.role)) expectCaring(fields, existing)
  const saved = await chapters.update(db, id, await rowOf(db, fields, existing, writing), writing)
  if (saved.updated_at.getTime() === existing.updated_at.getTime()) return
  await locate(db, 'mfa_local_chapters', [id])
  if (saved.chapter_name !== existing.chapter_name)
    await projectLocales(db, await localesOf(db, id), countryNames(writing.countries))
}

export async function deleteChapter(
  db: Db,
  id: string,
  change: { made_from?: string | undefined; reason: string },
  writing: WriteContext,
): Promise<void> {
  const locales = await localesOf(db, id)
  await chapters.remove(db, id, change, writing)
  await projectLocales(db, locales, countryNames(writing.countries))
}

/** A single statement, so that no concurrent count is lost; never below 0. */
export async function countTravelers(db: Db, id: string, change: number, { by, now }: WriteContext): Promise<number> {
  const counted = await db
    .updateTable('mfa_local_chapters')
    .set({
      active_travelers_count: sql<number>`greatest(0, least(10000000, active_travelers_count + ${change}::int))`,
      updated_at: sql<Date>`greatest(${now}::timestamptz, updated_at + interval '1 millisecond')`,
    })
    .where('id', '=', id)
    .returning('active_travelers_count')
    .executeTakeFirst()
  if (!counted) throw noSuchChapter()
  const { active_travelers_count } = counted
  await audit(db, by, { action: 'chapter.travelers', ...subject(id), after: { change, active_travelers_count } })
  return active_travelers_count
}

type ChapterRow = Selectable<LocalChaptersTable>

/** A coordinator maintains contact and counts. Unchanged values of other fields are accepted. */
function expectCaring(fields: ChapterFields, lockedRow: ChapterRow) {
  const wanted = Object.keys(changed(lockedRow, fields as Partial<ChapterRow>)?.after ?? {})
  if (wanted.some((name) => !(COORDINATOR_FIELDS as readonly string[]).includes(name)))
    throw new AppError(403, 'forbidden', 'Coordinators can only change the contact and the numbers of a chapter.')
}

async function rowOf(db: Db, fields: ChapterFields, existing: ChapterRow | undefined, { countries }: WriteContext) {
  const input = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as ChapterFields
  const is = { ...existing, ...input }
  const { phone, problems: contact } = contactOf(
    { phone: input.contact_phone, email: input.contact_email },
    existing && { phone: existing.contact_phone, email: existing.contact_email },
    is.country_code ?? null,
  )
  const problems: Record<string, string> = {
    ...Object.fromEntries(Object.entries(contact).map(([name, text]) => [`contact_${name}`, text])),
    ...pointProblems(is),
  }
  if (input.country_code && !countries.find(input.country_code)) problems.country_code = 'Choose a country'
  const isPlaced = Object.keys(problems).length === 0 && isMoved(is, existing)
  if (isPlaced) Object.assign(problems, placeProblems(is, countries))
  if (input.coordinator_id && !(await holdsRole(db, input.coordinator_id, 'mfa_coordinator')))
    problems.coordinator_id = 'Choose a coordinator'
  if (Object.keys(problems).length > 0) throw invalid(problems)
  const names = [is.chapter_name, is.city, is.state_province]
  return {
    ...input,
    ...(isPlaced && !is.country_code ? { country_code: countryOfPoint(is) } : {}),
    ...(input.contact_phone === undefined ? {} : { contact_phone: phone ?? null }),
    // Public search text: excludes the contact person.
    search_text: names.flatMap((name) => (name ? [fold(name)] : [])).join(' | '),
  } as Updateable<LocalChaptersTable>
}

async function localesOf(db: Db, chapter: string): Promise<string[]> {
  const rows = await db.selectFrom('locales').select('id').where('chapter_id', '=', chapter).execute()
  return rows.map(({ id }) => id)
}

const subject = (id: string) => ({ subject_type: 'chapter', subject_id: id })
