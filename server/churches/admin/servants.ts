import { holdsRole } from '#server/accounts/holds-role.ts'
import { audit, changed } from '#server/audit/audit-log.ts'
import type { Db } from '#server/db/connection.ts'
import { invalid } from '#server/db/records.ts'
import { present } from '#shared/assert.ts'
import type { ServantEntry } from '#shared/churches/entry.ts'
import type { ManagedServant } from '#shared/churches/managed-servants.ts'
import { AppError } from '#shared/errors.ts'
import { servantsOf } from './admin-locale.ts'
import { contactOf } from './contact.ts'
import { lockLocale, touchLocale, type WriteContext, withoutNulls } from './write-context.ts'

export async function addServant(db: Db, locale: string, entry: ServantEntry, writing: WriteContext) {
  const lockedRow = await lockLocale(db, locale)
  const row = await rowOf(db, entry, undefined, lockedRow.country_code, writing)
  const position = entry.position ?? (await nextPosition(db, locale))
  const { id } = await db
    .insertInto('locale_servants')
    .values({ ...row, locale_id: locale, position })
    .returning('id')
    .executeTakeFirstOrThrow()
  await touchLocale(db, lockedRow, writing)
  await audit(db, writing.by, {
    action: 'locale.servant',
    ...subject(locale),
    after: { servant: id, ...withoutNulls(row) },
  })
  return getManagedServant(db, locale, id)
}

export async function changeServant(db: Db, locale: string, id: string, entry: ServantEntry, writing: WriteContext) {
  const lockedRow = await lockLocale(db, locale)
  const was = await findServant(db, locale, id)
  const row = await rowOf(db, entry, was, lockedRow.country_code, writing)
  const difference = changed(was, { ...row, position: entry.position ?? was.position })
  if (difference) {
    await db.updateTable('locale_servants').set(difference.after).where('id', '=', id).execute()
    await touchLocale(db, lockedRow, writing)
    const { before, after } = difference
    await audit(db, writing.by, {
      action: 'locale.servant',
      ...subject(locale),
      before: { servant: id, ...before },
      after: { servant: id, ...after },
    })
  }
  return getManagedServant(db, locale, id)
}

export async function removeServant(db: Db, locale: string, id: string, writing: WriteContext) {
  const lockedRow = await lockLocale(db, locale)
  const { locale_id: _, ...was } = await findServant(db, locale, id)
  await db.deleteFrom('locale_servants').where('id', '=', id).execute()
  await touchLocale(db, lockedRow, writing)
  await audit(db, writing.by, { action: 'locale.servant_removed', ...subject(locale), before: was })
}

type Row = Awaited<ReturnType<typeof findServant>>

/** The row to write. A new consent is dated now; an existing one retains its date. */
async function rowOf(db: Db, entry: ServantEntry, was: Row | undefined, country: string | null, { now }: WriteContext) {
  const { phone, problems } = contactOf(entry, was, country)
  // A contact without a name is useless.
  if (entry.is_contact_public && !entry.is_name_public)
    problems.is_name_public = 'You can only show a contact together with the name'
  if (entry.is_contact_public && !entry.phone && !entry.email)
    problems.is_contact_public = 'Enter a phone number or an email address to show'
  if (entry.user_id && entry.user_id !== was?.user_id && !(await holdsRole(db, entry.user_id, 'local_servant')))
    problems.user_id = 'Choose the account of a local servant'
  if (Object.keys(problems).length > 0) throw invalid(problems)
  const agrees = entry.is_name_public || entry.is_contact_public
  const agreesToMore =
    (entry.is_name_public && !was?.is_name_public) || (entry.is_contact_public && !was?.is_contact_public)
  return {
    name: entry.name,
    role: entry.role,
    phone: phone ?? null,
    email: entry.email ?? null,
    user_id: entry.user_id,
    is_name_public: entry.is_name_public,
    is_contact_public: entry.is_contact_public,
    agreed_at: !agrees ? null : agreesToMore || !was?.agreed_at ? now : was.agreed_at,
  }
}

async function findServant(db: Db, locale: string, id: string) {
  const found = await db
    .selectFrom('locale_servants')
    .selectAll()
    .where('id', '=', id)
    .where('locale_id', '=', locale)
    .executeTakeFirst()
  if (!found) throw new AppError(404, 'servant_not_found', 'This servant is no longer on the list.')
  return found
}

async function getManagedServant(db: Db, locale: string, id: string): Promise<ManagedServant> {
  return present(
    (await servantsOf(db, locale)).find((servant) => servant.id === id),
    'the servant',
  )
}

async function nextPosition(db: Db, locale: string): Promise<number> {
  const { last } = await db
    .selectFrom('locale_servants')
    .select(({ fn }) => fn.max('position').as('last'))
    .where('locale_id', '=', locale)
    .executeTakeFirstOrThrow()
  return last === null ? 0 : Number(last) + 1
}

const subject = (id: string) => ({ subject_type: 'locale', subject_id: id })
