import { countTry, LIMITS } from '#server/accounts/limits.ts'
import { audit, changed } from '#server/audit/audit-log.ts'
import { userZone } from '#server/countries/user-zone.ts'
import { asPortal, withClaims } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { releaseDeferred } from '#server/delivery/deferral.ts'
import { claimsOf, type Router } from '#server/http/router.ts'
import type { SignedIn } from '#server/http/session.ts'
import { AppError } from '#shared/errors.ts'
import { languageOf } from '#shared/language.ts'
import { changePreferences, getPreferences, type Preferences, retryAddress } from '#shared/notifications/preferences.ts'
import { isAdmin } from '#shared/roles.ts'
import { healthOf, liftOwnSuppressions } from '../delivery-monitor/address-health.ts'

interface Whose {
  user_id?: string | undefined
  userId?: string | undefined
}

/** What a user wants to receive, on which channels and when. */
export function preferences(router: Router) {
  router.handle(getPreferences, ({ db, user }, { query }) => {
    const [id = user.id, ...others] = named(query)
    if (others.length > 0 || (id !== user.id && !isAdmin(user.role))) throw nobody()
    return findPreferences(db, id)
  })

  router.handle(changePreferences, async ({ db, user, now }, { query, body: { user_id, userId, ...input } }) => {
    if (named({ ...query }, { user_id, userId }).some((id) => id !== user.id)) throw nobody()
    await changeOwn(db, user, input, now)
    return findPreferences(db, user.id)
  })

  router.act(retryAddress, async ({ database, session, user }, { body }) => {
    await countTry(database, LIMITS.mailAccount, `again ${user.id}`)
    return withClaims(database, claimsOf(session), async (db) => {
      await liftOwnSuppressions(db, user, body.channel)
      return findPreferences(db, user.id)
    })
  })
}

/** The ids in either spelling and place, without duplicates. */
const named = (...inputs: Whose[]) => [
  ...new Set(inputs.flatMap(({ user_id, userId }) => [user_id, userId]).filter((id) => id !== undefined)),
]

const nobody = () => new AppError(404, 'no_user', 'Account not found.')

const OWN = ['channels', 'sms_opt_out', 'quiet_from', 'quiet_until', 'digest', 'urgent_bypass'] as const
/** The preferences that decide when a message that makes a sound may be sent. */
const QUIET = ['quiet_from', 'quiet_until', 'urgent_bypass'] as const
type Own = Pick<Preferences, (typeof OWN)[number]>

const UNTOUCHED: Own = {
  channels: {},
  sms_opt_out: false,
  quiet_from: null,
  quiet_until: null,
  digest: 'at_once',
  urgent_bypass: true,
}

async function findPreferences(db: Db, id: string): Promise<Preferences> {
  const profile = await db
    .selectFrom('user_profiles')
    .select(['id', 'email', 'email_verified', 'phone_number', 'phone_verified', 'time_zone', 'preferred_language'])
    .select('country_code')
    .where('id', '=', id)
    .executeTakeFirst()
  if (!profile) throw nobody()
  return {
    user_id: id,
    ...(await findOwn(db, id)),
    time_zone: profile.time_zone,
    country_zone: userZone({ ...profile, time_zone: null, phone: profile.phone_number }, '') || null,
    preferred_language: languageOf(profile.preferred_language) ?? 'en',
    ...(await healthOf(db, profile)),
  }
}

async function findOwn(db: Db, id: string): Promise<Own> {
  const row = await db.selectFrom('notification_preferences').select(OWN).where('user_id', '=', id).executeTakeFirst()
  const clock = (time: string | null) => time?.slice(0, 5) ?? null
  return row ? { ...row, quiet_from: clock(row.quiet_from), quiet_until: clock(row.quiet_until) } : UNTOUCHED
}

type PreferencesInput = { [K in keyof Own]?: Own[K] | undefined }

async function changeOwn(db: Db, user: SignedIn, input: PreferencesInput, now: Date): Promise<void> {
  const before = await findOwn(db, user.id)
  const differing = changed(before, input as Partial<Own>)
  if (!differing) return
  const next = { ...before, ...differing.after }
  const row = { ...next, channels: JSON.stringify(next.channels), updated_at: now }
  await db
    .insertInto('notification_preferences')
    .values({ user_id: user.id, ...row })
    .onConflict((c) => c.column('user_id').doUpdateSet(row))
    .execute()
  if (QUIET.some((name) => name in differing.after)) await releaseDeferred(db, user.id)
  await asPortal(db, () =>
    audit(db, user, {
      action: 'account.notification_preferences',
      subject_type: 'user',
      subject_id: user.id,
      ...differing,
    }),
  )
}
