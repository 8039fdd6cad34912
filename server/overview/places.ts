import { sql } from 'kysely'
import { matching } from '#server/accounts/users/queries.ts'
import type { AdvisoryModel } from '#server/advisories/model.ts'
import type { Scope } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import type { SignedIn } from '#server/http/session.ts'
import { highestSeverity, SEVERITY_RANK } from '#shared/advisories/severity.ts'
import type { CoordinatedPlace } from '#shared/overview/endpoints.ts'
import { localZone } from './local-zone.ts'

interface ScopePlaces {
  countries: string[]
  chapters: { chapter_name: string; country_code: string | null }[]
}

/** A role's scope, with the chapters that still exist; null: everywhere. */
export async function findScope(db: Db, scope: Scope | undefined): Promise<ScopePlaces | null> {
  if (!scope) return null
  const ids = scope.chapters ?? []
  const chapters =
    ids.length === 0
      ? []
      : await db
          .selectFrom('mfa_local_chapters')
          .select(['chapter_name', 'country_code'])
          .where('id', 'in', ids)
          .orderBy('chapter_name')
          .execute()
  return { countries: scope.countries ?? [], chapters }
}

interface PlaceContext {
  user: SignedIn
  now: Date
  advisories: AdvisoryModel
  scoped: ScopePlaces | null
}

/** From this level on people may be asked whether they are safe. */
const AFFECTED = SEVERITY_RANK.warning

/** The countries of a scope, the worst first, then those with most people; everywhere: those with urgent advisories. */
export async function findPlaces(db: Db, { user, now, advisories, scoped }: PlaceContext): Promise<CoordinatedPlace[]> {
  const codes = scoped
    ? [...scoped.countries, ...scoped.chapters.flatMap(({ country_code }) => country_code ?? [])]
    : advisories
        .inForce(now)
        .filter(({ is_urgent }) => is_urgent)
        .flatMap(({ country_codes }) => country_codes)
  const users = await countUsers(db, { user, now, codes })
  const places = [...new Set(codes)].map((country_code) => {
    const there = advisories.onCountry(country_code, now)
    const severity = highestSeverity(there.map(({ severity_level }) => severity_level))
    return {
      country_code,
      severity,
      advisory_id: there[0]?.id ?? null,
      is_affected: there.some(
        ({ is_urgent, severity_level }) => is_urgent || SEVERITY_RANK[severity_level] >= AFFECTED,
      ),
      users: users.get(country_code) ?? 0,
      time_zone: localZone(country_code, now),
    }
  })
  const rank = ({ severity }: CoordinatedPlace) => (severity ? SEVERITY_RANK[severity] : 0)
  return places.sort(
    (a, b) =>
      Number(b.is_affected) - Number(a.is_affected) ||
      rank(b) - rank(a) ||
      b.users - a.users ||
      (a.country_code < b.country_code ? -1 : 1),
  )
}

/** Accounts in each country: as many as the list of users shows the caller for it. */
async function countUsers(db: Db, { user, now, codes }: { user: SignedIn; now: Date; codes: string[] }) {
  const there = matching(db, user, { tab: 'all', search: '' }, now).select(
    sql<string>`unnest(array(select distinct c from unnest(array_append(countries, country_code)) as c
      where c = any(${codes}::text[])))`.as('code'),
  )
  const rows = await db
    .selectFrom(there.as('there'))
    .select(['code', sql<number>`count(*)::int`.as('users')])
    .groupBy('code')
    .execute()
  return new Map(rows.map(({ code, users }) => [code, users]))
}
