import { sql } from 'kysely'
import { countTry, LIMITS } from '#server/accounts/limits.ts'
import { withClaims } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import { invalid } from '#server/db/records.ts'
import { queueMessage } from '#server/delivery/outbox.ts'
import type { Router } from '#server/http/router.ts'
import { Email } from '#shared/accounts/text.ts'
import {
  CORRECTABLE,
  confirmByLink,
  getConfirmation,
  type ProposedValues,
  proposeCorrection,
  writeToLocale,
} from '#shared/churches/visitors.ts'
import { AppError } from '#shared/errors.ts'
import type { Language } from '#shared/language.ts'
import { type ConfirmLinkPayload, createConfirmLinks } from './confirm-link.ts'
import { confirmLocale, noLocale } from './confirmation.ts'
import type { ChurchDeps } from './deps.ts'
import { countryNames } from './deps.ts'
import { coordinatorsOf, type LocaleContact, servantsOf } from './locale-contacts.ts'
import { hasDetails, readDetails, wholeLocale } from './locale-details.ts'
import { loadLocales } from './rows.ts'

const LONGEST_AHEAD_DAYS = 730
const DAY_MS = 86_400_000

/**
 * Endpoints for visitors' messages and corrections, and for confirmation links. A locale that is not public responds
 * like one that does not exist.
 */
export function registerVisitorMessages(router: Router, deps: ChurchDeps) {
  const links = createConfirmLinks(deps.secret)

  router.act(proposeCorrection, async ({ database, session }, { params, body }) => {
    await countTry(database, LIMITS.localeCorrection, session.address)
    if (body.homepage) return RECEIVED
    await asPortal(database, async (db) => {
      const shown = await publicLocale(db, params.id)
      const proposed = differing(body.proposed, shown)
      if (Object.keys(proposed).length === 0 && !body.message && (body.kind === 'wrong' || body.kind === 'other'))
        throw invalid({ message: 'Describe what is wrong or change a field above' })
      const { kind, message, contact, language } = body
      await db
        .insertInto('locale_corrections')
        .values({
          locale_id: params.id,
          kind,
          proposed: JSON.stringify(proposed),
          message,
          contact: contact || null,
          language,
        })
        .execute()
    })
    return RECEIVED
  })

  router.act(writeToLocale, async ({ database, session, now }, { params, body }) => {
    await countTry(database, LIMITS.localeMessage, session.address)
    if (body.homepage) return RECEIVED
    refuseDay(body, now)
    if (body.kind === 'question' && !body.message) throw invalid({ message: 'Enter your question' })
    await asPortal(database, (db) => publicLocale(db, params.id))
    // However many addresses they come from, the servants of one locale get no more than this.
    await countTry(database, LIMITS.localeInbox, params.id)
    await asPortal(database, (db) => passOn(db, deps, params.id, body))
    return RECEIVED
  })

  router.act(getConfirmation, ({ database, now }, { params }) =>
    asPortal(database, async (db) => {
      const { locale } = await resolveLink(db, links.read(params.token, now))
      const [cachedLocale] = await loadLocales(db, [locale], deps.countries())
      if (cachedLocale) await readDetails(db, [cachedLocale])
      if (!cachedLocale || !hasDetails(cachedLocale)) throw noLocale()
      const { distance_km: _, ...shown } = wholeLocale(cachedLocale)
      return { locale: shown }
    }),
  )

  router.act(confirmByLink, async ({ database, now }, { params }) => {
    const confirmed = await asPortal(database, async (db) => {
      const { locale, contact } = await resolveLink(db, links.read(params.token, now))
      await publicLocale(db, locale)
      const by = { user: null, userId: contact.userId, as: contact.as }
      return confirmLocale(db, locale, by, countryNames(deps.countries()))
    })
    await deps.readModel.refresh()
    return { confirmed_at: confirmed.toISOString() }
  })
}

/** Stores a visitor's message and forwards it to the servants, else to their stand-ins. */
async function passOn(db: Db, deps: ChurchDeps, id: string, { homepage: _, ...written }: VisitorInput) {
  const { name } = await publicLocale(db, id)
  const locale = await db
    .selectFrom('locales')
    .select(['id', 'country_code', 'chapter_id', 'languages'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const servants = await servantsOf(db, locale)
  const arrives_on = written.kind === 'arrival' ? written.arrives_on : null
  const message = await db
    .insertInto('locale_messages')
    .values({ ...written, arrives_on, locale_id: id, recipient_count: servants.length })
    .returning('id')
    .executeTakeFirstOrThrow()
  const recipients = servants.length > 0 ? servants : await coordinatorsOf(db, locale)
  const mails = { ...written, messageId: message.id, localeId: id, place: name, arrives_on }
  for (const contact of recipients) await notify(db, deps, contact, mails)
}

async function notify(
  db: Db,
  deps: ChurchDeps,
  contact: LocaleContact,
  { messageId, localeId, place, arrives_on, ...written }: MessageMail,
) {
  const isMail = Email.safeParse(written.sender_contact).success
  await queueMessage(db, {
    key: `locale-message ${messageId} ${contact.key}`,
    channel: 'email',
    to: contact.to,
    ...(isMail ? { replyTo: written.sender_contact } : {}),
    ...(contact.userId ? { userId: contact.userId } : {}),
    template: written.kind === 'arrival' ? 'locale-arrival' : 'locale-question',
    language: contact.language,
    values: {
      brand: deps.settings.get('brand'),
      place,
      sender: written.sender_name,
      contact: written.sender_contact,
      message: written.message,
      spoken: written.language,
      day: arrives_on ? formatDay(arrives_on, contact.language) : '',
      // Recipients without an account have no list in which to mark it as answered.
      ...(contact.userId ? { link: `${deps.publicUrl}/admin/my-churches/${localeId}#messages` } : {}),
    },
  })
}

const RECEIVED = { received: true } as const

type VisitorInput = (typeof writeToLocale)['~']['parsed']['body']
type MessageMail = Omit<VisitorInput, 'homepage'> & { messageId: string; localeId: string; place: string }

/** Visitors' roles may not write these tables: access is decided here. */
const asPortal = <T>(database: Database, fn: (db: Db) => Promise<T>) =>
  withClaims(database, { as: 'service', name: 'visitors' }, fn)

async function publicLocale(db: Db, id: string) {
  const row = await db.selectFrom('public_locales').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw noLocale()
  return row
}

/** The fields that would change; hidden fields of a discreet locale count as different. */
function differing(proposed: ProposedValues, shown: Partial<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    CORRECTABLE.flatMap((name) => {
      const value = proposed[name]
      return value !== undefined && value !== (shown[name] ?? '') ? [[name, value]] : []
    }),
  )
}

/** The contact who was asked, if still valid: not a removed servant or a suspended account. */
async function resolveLink(
  db: Db,
  payload: ConfirmLinkPayload | 'forged' | 'expired',
): Promise<{ locale: string; contact: LocaleContact }> {
  if (payload === 'forged') throw new AppError(404, 'link_unknown', 'This link does not work.')
  if (payload === 'expired') throw linkOver()
  const locale = await db
    .selectFrom('locales')
    .select(['id', 'country_code', 'chapter_id', 'languages'])
    .where('id', '=', payload.locale)
    .executeTakeFirst()
  if (!locale) throw linkOver()
  const contacts = payload.contact.startsWith('s') ? await servantsOf(db, locale) : await coordinatorsOf(db, locale)
  const contact = contacts.find(({ key }) => key === payload.contact)
  if (!contact) throw linkOver()
  return { locale: locale.id, contact }
}

const linkOver = () => new AppError(410, 'link_expired', 'This link has expired.')

function refuseDay({ kind, arrives_on }: Pick<VisitorInput, 'kind' | 'arrives_on'>, now: Date): void {
  if (kind !== 'arrival') return
  if (!arrives_on) throw invalid({ arrives_on: 'This field is required' })
  const days = (Date.parse(arrives_on) - now.valueOf()) / DAY_MS
  // In some time zones it is still yesterday.
  if (days < -2 || days > LONGEST_AHEAD_DAYS) throw invalid({ arrives_on: 'Choose a day within the next two years' })
}

const formatDay = (day: string, language: Language) =>
  new Intl.DateTimeFormat(`${language}-u-nu-latn`, { dateStyle: 'full', timeZone: 'UTC' }).format(Date.parse(day))

/** Deletes visitors' messages after their retention period: they contain names and numbers. */
export async function pruneVisitors(db: Db): Promise<void> {
  const before = (days: number) => sql<Date>`now() - make_interval(days => ${days})`
  await db.deleteFrom('locale_messages').where('answered_at', '<', before(ANSWERED_RETENTION_DAYS)).execute()
  await db.deleteFrom('locale_messages').where('created_at', '<', before(OPEN_RETENTION_DAYS)).execute()
  await db
    .updateTable('locale_corrections')
    .set({ contact: null })
    .where('decided_at', '<', before(ANSWERED_RETENTION_DAYS))
    .where('contact', 'is not', null)
    .execute()
}
const ANSWERED_RETENTION_DAYS = 180
const OPEN_RETENTION_DAYS = 730
