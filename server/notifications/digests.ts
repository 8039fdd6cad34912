import { sql } from 'kysely'
import { userZone } from '#server/countries/user-zone.ts'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import { instructionLine } from '#server/delivery/templates/instruction-line.ts'
import { render } from '#server/delivery/templates/render.ts'
import type { Log } from '#server/log.ts'
import { createSettings } from '#server/settings/settings.ts'
import { lastOf } from '#shared/assert.ts'
import type { Digest } from '#shared/delivery/kinds.ts'
import { type Language, languageOf } from '#shared/language.ts'
import { lastDigest } from '#shared/notifications/digest.ts'
import { SKIP_REASON } from './announcements/skip-reason.ts'
import { createUnsubscribeUrls } from './subscriptions/unsubscribe-link.ts'

export interface DigestDeps {
  database: Database
  log: Log
  publicUrl: string
  /** Signs the links in mails. */
  secret: string
  signal?: AbortSignal
  now?: () => Date
}

interface Waiting {
  user_id: string
  digest: Digest
  time_zone: string | null
  country_code: string | null
  phone: string | null
  oldest: Date
}

interface DeferredMessage {
  id: string
  language: string
  text: Record<string, string> | null
  action_url: string | null
  skip_reason: string | null
}

/** Longer lists are unlikely to be read; the mail states the total. */
const MAX_LISTED = 50

/**
 * Combines a user's deferred messages into one mail when the digest is due, omitting what is obsolete or unwanted. One
 * transaction per user, so concurrent runs send one mail. Returns the number of mails.
 */
export async function sendDigests(deps: DigestDeps): Promise<number> {
  const now = deps.now?.() ?? new Date()
  const settings = createSettings(deps.log)
  const recipients = await inBackground(deps.database, 'digests', async (db) => {
    await settings.cachedTable.load(db, null)
    return findWaiting(db)
  })
  const unsubscribeUrls = createUnsubscribeUrls(deps)
  let written = 0
  for (const recipient of recipients) {
    if (deps.signal?.aborted) break
    const until = boundaryOf(recipient, settings.get('time_zone'), now)
    if (recipient.oldest >= until) continue
    const { page: unsubscribe } = unsubscribeUrls({ userId: recipient.user_id, kind: 'advisory' })
    const mail = { brand: settings.get('brand'), publicUrl: deps.publicUrl, unsubscribe }
    if (await inBackground(deps.database, 'digests', (db) => writeDigest(db, recipient, until, mail))) written++
  }
  return written
}

async function findWaiting(db: Db): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select m.user_id, coalesce(f.digest, 'at_once') as digest, p.time_zone,
      p.country_code::text as country_code, p.phone_number as phone, min(m.created_at) as oldest
    from messages m
    join user_profiles p on p.id = m.user_id
    left join notification_preferences f on f.user_id = m.user_id
    where m.status = 'deferred' and m.digest_key is null
    group by 1, 2, 3, 4, 5`.execute(db)
  return rows
}

const boundaryOf = (recipient: Waiting, otherwise: string, now: Date): Date =>
  lastDigest(now, userZone(recipient, otherwise), recipient.digest)

async function writeDigest(
  db: Db,
  { user_id: userId, digest }: Waiting,
  until: Date,
  mail: { brand: string; publicUrl: string; unsubscribe: string },
): Promise<boolean> {
  const deferred = await takeDeferred(db, userId, until)
  const first = deferred[0]
  if (!first) return false
  // Deterministic across concurrent runs: user and hour; or the first deferred message if no digest is scheduled any
  // more.
  const key = `digest ${userId} ${digest === 'at_once' ? first.id : until.toISOString()}`
  const validMessages = deferred.filter(({ skip_reason }) => skip_reason === null)
  if (validMessages.length > 0) await insertDigest(db, userId, key, validMessages, mail)
  await sql`
    update messages m set
      -- Until the result of the digest is known.
      status = case when t.skip_reason is null then 'deferred' else 'dropped' end,
      error = t.skip_reason,
      digest_key = case when t.skip_reason is null then ${key}::text end
    from jsonb_to_recordset(${JSON.stringify(deferred)}::jsonb) as t(id uuid, skip_reason text)
    where m.id = t.id`.execute(db)
  return validMessages.length > 0
}

async function takeDeferred(db: Db, userId: string, until: Date): Promise<DeferredMessage[]> {
  const { rows } = await sql<DeferredMessage>`
    select m.id, m.language, n.texts -> m.language as text, n.action_url, ${SKIP_REASON} as skip_reason
    from messages m
    join user_profiles p on p.id = m.user_id
    left join notification_preferences f on f.user_id = m.user_id
    left join announcements n on n.id = m.announcement_id
    where m.user_id = ${userId} and m.status = 'deferred' and m.digest_key is null and m.created_at < ${until}
    order by m.created_at, m.id
    for update of m skip locked`.execute(db)
  return rows
}

async function insertDigest(
  db: Db,
  userId: string,
  key: string,
  messages: DeferredMessage[],
  { brand, publicUrl, unsubscribe }: { brand: string; publicUrl: string; unsubscribe: string },
): Promise<void> {
  const language: Language = languageOf(lastOf(messages).language) ?? 'en'
  const { display_name: name } = await db
    .selectFrom('user_profiles')
    .select('display_name')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const items = messages.slice(0, MAX_LISTED).map(({ text, action_url }) => ({
    title: [text?.severity, text?.title].filter(Boolean).join(': '),
    link: `${publicUrl}${action_url ?? '/travel-advisories'}`,
    instruction: instructionLine(text ?? {}, language),
  }))
  const link = `${publicUrl}/notifications/preferences`
  const values = { brand, name, count: messages.length, items, link, unsubscribe }
  const { subject, text, html } = render('digest', language, values)
  await db
    .insertInto('messages')
    .values({
      message_key: key,
      channel: 'email',
      // Looked up at sending time, as for all bulk messages.
      recipient: null,
      user_id: userId,
      template: 'digest',
      language,
      subject,
      body_text: text,
      body_html: html,
      kind: 'advisory',
    })
    .onConflict((c) => c.column('message_key').doNothing())
    .execute()
}
