import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { audit } from '#server/audit/audit-log.ts'
import { asPortal } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { cancelWaiting } from '#server/delivery/outbox.ts'
import type { SignedIn } from '#server/http/session.ts'
import { type EstimateDeps, estimateReach } from '#server/notifications/admin/announcements/reach-estimate.ts'
import { announce } from '#server/notifications/announcements/create.ts'
import { estimateRecipients } from '#server/notifications/announcements/reach.ts'
import { firstOf } from '#shared/assert.ts'
import { CHANNELS } from '#shared/delivery/kinds.ts'
import { AppError } from '#shared/errors.ts'
import { inEachLanguage } from '#shared/language.ts'
import type { estimateRollCall as estimateEndpoint, startRollCall } from '#shared/roll-calls/endpoints.ts'
import { ownPath } from './help-requests.ts'
import { translate } from './messages.ts'
import { findMine } from './queries.ts'

type New = (typeof startRollCall)['~']['parsed']['body']
type Draft = (typeof estimateEndpoint)['~']['parsed']['body']
type Whom = Pick<New, 'countries' | 'chapter'>

/** Minimum interval between reminders. */
const REMIND_AGAIN_MINUTES = 5

/** Rejects an audience beyond the caller's scope. */
async function refuseBeyond(db: Db, { countries, chapter }: Whom): Promise<void> {
  if (countries.length === 0 && !chapter)
    throw new AppError(422, 'invalid_input', 'Please correct the marked fields.', {
      fields: { countries: 'Choose at least one country or chapter' },
    })
  const { rows } = await sql<{ may: boolean }>`
    select portal_may_call(${countries}::text[], ${chapter}::uuid) as may`.execute(db)
  if (!firstOf(rows).may)
    throw new AppError(403, 'beyond_role', 'Your role does not cover all of these countries and chapters.')
}

/** How many users a roll call would ask now, and how many each channel reaches. */
export async function countRecipients(db: Db, whom: Whom) {
  await refuseBeyond(db, whom)
  const { rows } = await sql<{ user_id: string }>`
    select user_id from roll_call_concerned(${whom.countries}::text[], ${whom.chapter}::uuid)`.execute(db)
  const users = rows.map(({ user_id }) => user_id)
  const channels = [...CHANNELS]
  const reach = await asPortal(db, () =>
    estimateRecipients(db, {
      kind: 'roll_call',
      template: 'roll-call',
      audience: { users },
      channels,
      advisory_id: null,
    }),
  )
  return {
    people: users.length,
    unreachable: users.length - reach.people,
    channels: channels.map((channel) => ({
      channel,
      people: reach.channels.find((row) => row.channel === channel)?.people ?? 0,
    })),
  }
}

/** Who a roll call would ask, and how they would read it. Nothing is written. */
export async function estimateRollCall(db: Db, me: SignedIn, { title, message, ...whom }: Draft, deps: EstimateDeps) {
  await refuseBeyond(db, whom)
  const { rows } = await sql<{ user_id: string }>`
    select user_id from roll_call_concerned(${whom.countries}::text[], ${whom.chapter}::uuid)`.execute(db)
  const id = randomUUID()
  const target = announcementOf(
    { id, title, message },
    rows.map(({ user_id }) => user_id),
  )
  return asPortal(db, () =>
    estimateReach(db, { ...target, id, action_url: target.actionUrl, advisory_id: null, created_by: me.id }, 1, deps),
  )
}

/**
 * Starts a roll call: the row, its recipients and its announcement are one commit. With the caller's claims, so that
 * policies check the writes. Idempotent for repeated submissions of the same form.
 */
export async function start(db: Db, me: SignedIn, input: New, now: Date): Promise<{ id: string; people: number }> {
  await refuseBeyond(db, input)
  const known = input.once && (await findStarted(db, me, input.once))
  if (known) return known
  const { id, title, message } = await db
    .insertInto('roll_calls')
    .values({
      ...(input.once ? { id: input.once } : {}),
      title: input.title,
      message: input.message,
      advisory_id: input.advisory_id,
      country_codes: [...new Set(input.countries)].sort(),
      chapter_id: input.chapter,
      announcement_id: null,
      started_by: me.id,
      started_at: now,
      escalate_after_minutes: input.escalate_after_minutes,
    })
    .returning(['id', 'title', 'message'])
    .executeTakeFirstOrThrow()
  const { rows } = await sql<{ user_id: string }>`select ask_roll_call(${id}::uuid) as user_id`.execute(db)
  if (rows.length === 0)
    throw new AppError(422, 'nobody', 'Please correct the marked fields.', {
      fields: { countries: 'No one with an account is there' },
    })
  refuseUnconfirmed(input.people, rows.length)
  const users = rows.map(({ user_id }) => user_id)
  const announcement_id = await ask(db, me, { id, title, message }, users, `roll-call ${id}`)
  await db.updateTable('roll_calls').set({ announcement_id }).where('id', '=', id).execute()
  await audit(db, me, {
    action: 'roll_call.start',
    subject_type: 'roll_call',
    subject_id: id,
    after: { ...input, people: users.length },
  })
  return { id, people: users.length }
}

/** The recipient count must match the one the caller confirmed; otherwise the transaction is rolled back. */
function refuseUnconfirmed(confirmed: number | null, actual: number): void {
  if (confirmed === null) throw new AppError(409, 'not_confirmed', 'Confirm how many people you want to ask.')
  if (confirmed !== actual)
    throw new AppError(
      409,
      'people_changed',
      `The number of people has changed to ${actual}. Check it and confirm again.`,
    )
}

async function findStarted(db: Db, me: SignedIn, id: string) {
  const row = await db
    .selectFrom('roll_calls as r')
    .select(sql<number>`(select count(*)::int from roll_call_recipients p where p.roll_call_id = r.id)`.as('people'))
    .where('r.id', '=', id)
    .where('r.started_by', '=', me.id)
    .executeTakeFirst()
  return row ? { id, people: row.people } : null
}

interface Question {
  id: string
  title: string
  message: string
}

/** Sends the question over every channel; each message has the recipient's own link. */
const ask = (db: Db, me: SignedIn, question: Question, users: string[], key: string): Promise<string> =>
  asPortal(db, () => announce(db, { ...announcementOf(question, users), key, createdBy: me.id }))

const announcementOf = ({ id, title, message }: Question, users: string[]) => ({
  kind: 'roll_call' as const,
  priority: 'urgent' as const,
  template: 'roll-call' as const,
  texts: inEachLanguage((language) => ({
    title: translate(language, 'asked_title', { title }),
    message: translate(language, 'asked_message', { message }),
    // A text message is short: the coordinator's text and the reply keywords.
    news: message,
    reply: translate(language, 'asked_reply'),
    roll_call: id,
  })),
  actionUrl: ownPath(id),
  audience: { users },
  channels: [...CHANNELS],
})

/** Reminds recipients who have not answered. */
export async function remind(db: Db, me: SignedIn, id: string, now: Date): Promise<{ people: number }> {
  const call = await lockMine(db, id)
  await refuseTooSoon(db, call, now)
  const silent = await db
    .selectFrom('roll_call_recipients')
    .select('user_id')
    .where('roll_call_id', '=', id)
    .where('answer', 'is', null)
    .execute()
  if (silent.length === 0) throw new AppError(409, 'nobody_silent', 'Everyone has answered.')
  const users = silent.map(({ user_id }) => user_id)
  const announcement = await ask(db, me, call, users, `roll-call ${id} again ${call.reminder_ids.length + 1}`)
  await db
    .updateTable('roll_calls')
    .set({ reminder_ids: [...call.reminder_ids, announcement] })
    .where('id', '=', id)
    .execute()
  await audit(db, me, {
    action: 'roll_call.remind',
    subject_type: 'roll_call',
    subject_id: id,
    after: { people: users.length },
  })
  return { people: users.length }
}

async function refuseTooSoon(db: Db, { announcement_id, reminder_ids }: Mine, now: Date): Promise<void> {
  const since = new Date(now.valueOf() - REMIND_AGAIN_MINUTES * 60_000)
  const announcementIds = [...reminder_ids, announcement_id].filter((known) => known !== null)
  const { latest } = await asPortal(db, () =>
    db
      .selectFrom('announcements')
      .select(({ fn }) => fn.max('created_at').as('latest'))
      .where('id', '=', sql<string>`any(${announcementIds}::uuid[])`)
      .executeTakeFirstOrThrow(),
  )
  if (latest && latest > since)
    throw new AppError(409, 'too_soon', 'We asked them a moment ago. Please wait five minutes between reminders.')
}

type Mine = Awaited<ReturnType<typeof lockMine>>

/** Locks the open roll call, which must lie entirely within the caller's scope. */
async function lockMine(db: Db, id: string) {
  const mine = await findMine(db, id)
  if (!mine.may_change) throw new AppError(403, 'beyond_role', 'Your role does not cover all of this roll call.')
  const row = await db.selectFrom('roll_calls').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
  if (row.ended_at) throw new AppError(409, 'roll_call_over', 'This roll call has ended.')
  return row
}

/** Closes a roll call: queued questions are not sent. Open requests for help continue to be escalated. */
export async function close(db: Db, me: SignedIn, id: string, now: Date): Promise<{ ended_at: string }> {
  const { announcement_id, reminder_ids } = await lockMine(db, id)
  await db.updateTable('roll_calls').set({ ended_at: now }).where('id', '=', id).execute()
  const announcementIds = [...reminder_ids, announcement_id].filter((known) => known !== null)
  await asPortal(db, async () => {
    await db
      .updateTable('announcements')
      .set({ status: 'cancelled' })
      .where('id', '=', sql<string>`any(${announcementIds}::uuid[])`)
      .where('status', '=', 'waiting')
      .execute()
    await cancelWaiting(db).where('announcement_id', '=', sql<string>`any(${announcementIds}::uuid[])`).execute()
  })
  await audit(db, me, {
    action: 'roll_call.close',
    subject_type: 'roll_call',
    subject_id: id,
    after: { ended_at: now },
  })
  return { ended_at: now.toISOString() }
}
