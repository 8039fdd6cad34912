import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import type { Within } from '#server/db/tables-notifications.ts'
import type { SignedIn } from '#server/http/session.ts'
import { firstOf } from '#shared/assert.ts'
import { AppError } from '#shared/errors.ts'
import type { Recipient } from '#shared/notifications/announcements.ts'
import { isAdmin, ROLES, type Role } from '#shared/roles.ts'
import { withinScope } from '../../announcements/recipients.ts'

/** Roles that coordinators may notify. */
const LOOKED_AFTER: readonly Role[] = ['traveler', 'member']

/** The scope of the caller's announcements; null for an administrator, who is not restricted. */
export async function withinOf(db: Db): Promise<Within | null> {
  const { rows } = await sql<{ within: Within | null }>`select portal_audience_scope() as within`.execute(db)
  return firstOf(rows).within
}

/**
 * What the caller may choose an audience from, and the user `to` whom a new announcement is addressed. With the
 * caller's claims.
 */
export async function findAudienceChoices(db: Db, by: SignedIn, to: string | undefined) {
  const within = await withinOf(db)
  const { rows } = await sql<{ id: string; chapter_name: string; country_code: string | null }>`
    select * from audience_chapters()`.execute(db)
  const countries = within && !within.everywhere ? (within.countries ?? []) : null
  return {
    roles: [...(isAdmin(by.role) ? ROLES : LOOKED_AFTER)],
    countries,
    chapters: rows,
    recipient: to ? await findRecipient(db, by, to) : null,
  }
}

/**
 * The user, if an announcement of the caller would reach them by the fan-out rules; else null. With the caller's
 * claims, whose policies hide other users. Excludes the caller.
 */
export async function findRecipient(db: Db, by: SignedIn, id: string): Promise<Recipient | null> {
  const within = await withinOf(db)
  const found = await db
    .selectFrom('user_profiles as p')
    .select(['p.id', 'p.display_name', 'p.email'])
    .where('p.id', '=', id)
    .where('p.id', '!=', by.id)
    .where('p.profile_status', 'in', ['active', 'pending'])
    .$if(within !== null, (query) => query.where(withinScope(within!)))
    .executeTakeFirst()
  return found ?? null
}

/** Parts of an audience beyond the scope: fan-out would omit them silently, so the author is warned. */
export function beyond(within: Within | null, { roles, countries }: { roles: Role[]; countries: string[] }) {
  const problems: Record<string, string> = {}
  if (!within) return problems
  if (roles.some((role) => !LOOKED_AFTER.includes(role)))
    problems['audience.roles'] = 'Coordinators can only write to travellers and members'
  if (!within.everywhere && countries.some((code) => !within.countries?.includes(code)))
    problems['audience.countries'] = 'Your role does not cover all of these countries'
  return problems
}

/** Rejects an announcement written while the author's role had a different scope. */
export async function refuseOldPlaces(db: Db, within: Within | undefined): Promise<void> {
  const { rows } = await sql<{ fits: boolean }>`
    select portal_audience_scope() is null or portal_audience_scope() = ${JSON.stringify(within ?? null)}::jsonb as fits`.execute(
    db,
  )
  if (!firstOf(rows).fits)
    throw new AppError(409, 'other_places', 'Your role now covers other places. Check the recipients and save again.')
}
