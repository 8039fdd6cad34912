import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Countries } from '#server/countries/reference.ts'
import type { Db } from '#server/db/connection.ts'
import type { AdvisorySubscriptionsTable } from '#server/db/tables-notifications.ts'
import type { Channel } from '#shared/delivery/kinds.ts'
import { AppError } from '#shared/errors.ts'
import { languageOf } from '#shared/language.ts'
import type { Obstacle, Subscription } from '#shared/notifications/subscriptions.ts'

type Row = Selectable<AdvisorySubscriptionsTable>
type Chosen = Pick<Insertable<AdvisorySubscriptionsTable>, 'countries' | 'channels'>

/** The caller's subscriptions, those with the most countries last; policies hide those of others. */
export async function findSubscriptions(db: Db, userId: string): Promise<Subscription[]> {
  const rows = await db
    .selectFrom('advisory_subscriptions')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(shown)
}

/** Profile values that a subscription uses, and what each channel still needs for this user. */
export async function findReach(db: Db, userId: string) {
  const profile = await db
    .selectFrom('user_profiles as p')
    .leftJoin('notification_preferences as f', 'f.user_id', 'p.id')
    .select(['p.country_code', 'p.countries', 'p.preferred_language', 'p.phone_number', 'f.sms_opt_out', 'f.channels'])
    .select(sql<boolean>`p.email_verified or p.auth_provider <> 'mcgi-hub'`.as('gets_mail'))
    .select(sql<boolean>`exists (select from push_subscriptions s where s.user_id = p.id)`.as('has_browser'))
    .where('p.id', '=', userId)
    .executeTakeFirst()
  if (!profile) throw new AppError(404, 'no_profile', 'Profile not found.')
  const { country_code, phone_number, sms_opt_out, channels, gets_mail, has_browser } = profile
  const own = [...(country_code ? [country_code] : []), ...profile.countries]
  const obstacles: Partial<Record<Channel, Obstacle>> = {}
  for (const [channel, isWanted] of Object.entries(channels?.advisory ?? {}))
    if (!isWanted) obstacles[channel as Channel] = 'switched_off'
  if (!gets_mail) obstacles.email = 'no_email'
  if (sms_opt_out) obstacles.sms = 'opted_out'
  if (!phone_number) obstacles.sms = obstacles.whatsapp = 'no_phone'
  if (!has_browser) obstacles.push = 'no_browser'
  return {
    obstacles,
    defaults: { countries: [...new Set(own)].sort(), language: languageOf(profile.preferred_language) ?? 'en' },
  }
}

type New = Omit<Insertable<AdvisorySubscriptionsTable>, 'user_id' | 'language' | 'countries'> & {
  countries?: string[] | undefined
  language?: 'en' | 'ar' | undefined
}

export async function insertSubscription(db: Db, userId: string, input: New, countries: Countries) {
  const { obstacles, defaults } = await findReach(db, userId)
  const values = {
    ...input,
    user_id: userId,
    countries: input.countries ?? defaults.countries,
    language: input.language ?? defaults.language,
  }
  check(values, obstacles, countries)
  return refusingTwins(() =>
    db.insertInto('advisory_subscriptions').values(values).returningAll().executeTakeFirstOrThrow(),
  )
}

export async function changeSubscription(
  db: Db,
  { userId, id, now }: { userId: string; id: string; now: Date },
  input: Updateable<AdvisorySubscriptionsTable>,
  countries: Countries,
) {
  const { obstacles } = await findReach(db, userId)
  check(input, obstacles, countries)
  return refusingTwins(async () => {
    const row = await db
      .updateTable('advisory_subscriptions')
      .set({ ...input, updated_at: now })
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .returningAll()
      .executeTakeFirst()
    return row ?? notFound()
  })
}

export async function deleteSubscription(db: Db, userId: string, id: string): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('advisory_subscriptions')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (numDeletedRows === 0n) notFound()
}

function check(input: Partial<Chosen>, obstacles: Partial<Record<Channel, Obstacle>>, countries: Countries): void {
  const fields: Record<string, string> = {}
  if (input.countries?.some((code) => !countries.find(code)))
    fields.countries = 'We do not know this country. Check the spelling.'
  if (input.channels?.some((channel) => obstacles[channel] === 'no_phone'))
    fields.channels = 'Text messages and WhatsApp need a phone number. Add one to your profile first.'
  if (Object.keys(fields).length > 0)
    throw new AppError(422, 'invalid_input', 'Please correct the marked fields.', { fields })
}

/**
 * Translates constraint violations (same countries, too many) into errors. The constraints also hold for concurrent
 * requests.
 */
async function refusingTwins(write: () => Promise<Row>): Promise<Subscription> {
  try {
    return shown(await write())
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string }
    if (code === '23505')
      throw new AppError(
        409,
        'same_countries',
        'You already have a subscription for these countries. Change that one instead.',
        {
          fields: { countries: 'You already have a subscription for these countries. Change that one instead.' },
        },
      )
    if (code === '23514' && constraint === 'advisory_subscriptions_max')
      throw new AppError(409, 'too_many', 'You can have at most 20 subscriptions. Remove one first.')
    throw error
  }
}

const notFound = (): never => {
  throw new AppError(404, 'subscription_not_found', 'Subscription not found.')
}

const shown = ({ user_id: _, ...row }: Row): Subscription =>
  ({
    ...row,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    last_notified_at: row.last_notified_at?.toISOString() ?? null,
  }) as Subscription
