import { sql } from 'kysely'
import { audit } from '#server/audit/audit-log.ts'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import { queueMessage } from '#server/delivery/outbox.ts'
import type { Log } from '#server/log.ts'
import { createSettings } from '#server/settings/settings.ts'
import { firstOf } from '#shared/assert.ts'
import { isDue } from './care-queries.ts'
import { CONFIRM_LINK_DAYS, createConfirmLinks } from './confirm-link.ts'
import { namesIn } from './jobs.ts'
import { coordinatorsOf, type LocaleContact, servantsOf } from './locale-contacts.ts'
import { RULE_JOINS } from './modes.ts'
import { projectLocales } from './projection.ts'

export interface AskingDeps {
  database: Database
  log: Log
  publicUrl: string
  /** Signs the links in emails. */
  secret: string
  now?: () => Date
}

/** The same contacts are not asked about a locale again before this. */
const AGAIN_AFTER_DAYS = 14
/** Locales per run; the next run continues. */
const AT_ONCE = 500

interface ConfirmationRequest {
  contact: LocaleContact
  locales: { id: string; name: string }[]
}

/**
 * Asks the servants of each public locale that is due for confirmation whether its details are still right. Each gets
 * an email with a link that confirms it without signing in. Where no servant can be reached, their stand-ins are asked:
 * about one locale in the same way, about several in one email with a link to the list. Returns the number of locales.
 */
export function askForConfirmation(deps: AskingDeps): Promise<number> {
  const now = deps.now?.() ?? new Date()
  return inBackground(deps.database, 'churches', async (db) => {
    const settings = createSettings(deps.log)
    await settings.cachedTable.load(db, null)
    const locales = await dueLocales(db, settings.get('locales.confirm_after_days'), deps.log)
    const mails = { ...deps, brand: settings.get('brand'), now }
    const standIns = new Map<string, ConfirmationRequest>()
    for (const locale of locales) {
      const servants = await servantsOf(db, locale)
      for (const contact of servants) await mailLink(db, contact, locale, mails)
      if (servants.length > 0) continue
      for (const contact of await coordinatorsOf(db, locale)) {
        const wanted = standIns.get(contact.key) ?? { contact, locales: [] }
        wanted.locales.push(locale)
        standIns.set(contact.key, wanted)
      }
    }
    for (const { contact, locales: own } of standIns.values()) {
      const [only, ...others] = own
      if (only && others.length === 0) await mailLink(db, contact, only, mails)
      else await askAboutAll(contact, own.length)
    }
    return locales.length

    async function askAboutAll(contact: LocaleContact, count: number) {
      const link = `${deps.publicUrl}/admin/my-churches?status=due`
      await queueMessage(db, {
        ...mailTo(contact, 'locales-confirm', now),
        template: 'locales-confirm',
        values: { brand: mails.brand, name: contact.name, count, link },
      })
    }
  })
}

/** Asks the servants of one locale now. Returns how many; 0 if none can be reached by email. */
export async function askServants(db: Db, id: string, deps: MailDeps): Promise<number> {
  const locale = await db
    .selectFrom('public_locales as p')
    .innerJoin('locales as l', 'l.id', 'p.id')
    .select(['p.id', 'p.name', 'l.languages'])
    .where('p.id', '=', id)
    .executeTakeFirst()
  if (!locale) return 0
  const servants = await servantsOf(db, locale)
  for (const contact of servants) await mailLink(db, contact, locale, deps)
  return servants.length
}

interface MailDeps extends Pick<AskingDeps, 'publicUrl' | 'secret'> {
  brand: string
  now: Date
}

/** Emails a link that shows the public details of a locale, and confirms it. */
async function mailLink(db: Db, contact: LocaleContact, { id, name }: { id: string; name: string }, deps: MailDeps) {
  const token = createConfirmLinks(deps.secret).sign({ locale: id, contact: contact.key }, deps.now)
  await queueMessage(db, {
    ...mailTo(contact, `locale-confirm ${id}`, deps.now),
    template: 'locale-confirm',
    values: {
      brand: deps.brand,
      name: contact.name,
      place: name,
      days: CONFIRM_LINK_DAYS,
      link: `${deps.publicUrl}/church-locator/confirm/${token}`,
    },
    // Anyone with the link can confirm.
    isSecret: true,
  })
}

const mailTo = (contact: LocaleContact, subject: string, now: Date) => ({
  key: `${subject} ${contact.key} ${now.toISOString()}`,
  channel: 'email' as const,
  to: contact.to,
  language: contact.language,
  ...(contact.userId ? { userId: contact.userId } : {}),
})

/** Marks them as asked, so that concurrent runs ask only once. Uses the public name: an email must not reveal more. */
async function dueLocales(db: Db, days: number, log: Log) {
  const { rows } = await sql<{
    id: string
    name: string
    country_code: string | null
    chapter_id: string | null
    languages: string[]
  }>`
    with due as (
      select l.id from locales l
        join public_locales shown on shown.id = l.id
        ${RULE_JOINS}
      where ${isDue(days)}
        and (l.confirmation_requested_at is null or l.confirmation_requested_at < now() - make_interval(days => ${AGAIN_AFTER_DAYS}))
      order by l.confirmation_requested_at nulls first, l.id
      limit ${AT_ONCE}
      for update of l skip locked)
    select l.id, p.name, l.country_code, l.chapter_id, l.languages
    from due join locales l on l.id = due.id join public_locales p on p.id = l.id order by l.id`.execute(db)
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  await db
    .updateTable('locales')
    .set({ confirmation_requested_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  await projectLocales(db, ids, await namesIn(db, log))
  await audit(db, null, {
    action: 'locale.request_confirmation',
    subject_type: 'locale',
    subject_id: rows.length === 1 ? firstOf(rows).id : 'several',
    after: { locales: rows.length },
  })
  return rows
}
