import { sql } from 'kysely'
import { canGetMail } from '#server/accounts/users/notifications.ts'
import type { Db } from '#server/db/connection.ts'
import { type Language, languageOf } from '#shared/language.ts'

/** A contact who is notified, or asked, about a locale by email. */
export interface LocaleContact {
  /** 's' and the id of a servant row, or 'u' and an account id: the id used in links. */
  key: string
  name: string
  to: string
  userId?: string
  language: Language
  as: 'local_servant' | 'contact' | 'mfa_coordinator' | 'admin'
}

interface ContactScope {
  id: string
  country_code: string | null
  chapter_id: string | null
  languages: string[]
}

/** The servants of a locale who can be reached by email, each address once. Call with the portal's own rights. */
export async function servantsOf(db: Db, locale: Pick<ContactScope, 'id' | 'languages'>): Promise<LocaleContact[]> {
  const rows = await db
    .selectFrom('locale_servants as s')
    .leftJoin('user_profiles as p', 'p.id', 's.user_id')
    .select(['s.id', 's.name', 's.role', 's.email', 's.user_id'])
    .select(['p.email as account_email', 'p.email_verified', 'p.auth_provider', 'p.preferred_language'])
    .select('p.profile_status')
    .where('s.locale_id', '=', locale.id)
    .orderBy('s.position')
    .orderBy('s.id')
    .execute()
  const spoken = locale.languages[0]?.toLowerCase().startsWith('ar') ? 'ar' : 'en'
  const contacts = rows.flatMap((row): LocaleContact[] => {
    const { email_verified, auth_provider, profile_status } = row
    if (profile_status === 'suspended' || profile_status === 'deleted') return []
    const isReached = email_verified !== null && auth_provider !== null && canGetMail({ email_verified, auth_provider })
    const to = row.email ?? (isReached ? row.account_email : null)
    if (!to) return []
    return [
      {
        key: `s${row.id}`,
        name: row.name,
        to,
        ...(row.user_id ? { userId: row.user_id } : {}),
        language: languageOf(row.preferred_language) ?? spoken,
        as: row.role === 'local_servant' ? 'local_servant' : 'contact',
      },
    ]
  })
  return contacts.filter(({ to }, at) => contacts.findIndex((other) => other.to === to) === at)
}

/**
 * Stand-ins where no servant can be reached: of the MFA coordinators whose scope covers the locale, the one of its
 * chapter, else all of them, else the administrators. Users without access to the page of the locale are not notified.
 */
export async function coordinatorsOf(db: Db, locale: Omit<ContactScope, 'languages'>): Promise<LocaleContact[]> {
  const { country_code, chapter_id } = locale
  const covers = sql`scope_covers(p, array[${country_code}]::text[], ${chapter_id}::uuid)`
  const chapter = await profiles(
    db,
    sql`id = (select coordinator_id from mfa_local_chapters where id = ${chapter_id})
      and (role = 'admin' or (role = 'mfa_coordinator' and ${covers}))`,
  )
  if (chapter.length > 0) return chapter
  const covering = await profiles(db, sql`role = 'mfa_coordinator' and ${covers}`)
  return covering.length > 0 ? covering : profiles(db, sql`role = 'admin'`)
}

async function profiles(db: Db, condition: ReturnType<typeof sql>): Promise<LocaleContact[]> {
  const rows = await db
    .selectFrom('user_profiles as p')
    .select(['id', 'display_name', 'email', 'email_verified', 'auth_provider', 'preferred_language', 'role'])
    .where(sql<boolean>`${condition}`)
    .where('profile_status', '=', 'active')
    .where(sql<boolean>`(role_ends_at is null or role_ends_at > now())`)
    .orderBy('id')
    .execute()
  return rows.filter(canGetMail).map((row) => ({
    key: `u${row.id}`,
    name: row.display_name,
    to: row.email,
    userId: row.id,
    language: languageOf(row.preferred_language) ?? 'en',
    as: row.role === 'admin' ? 'admin' : 'mfa_coordinator',
  }))
}
