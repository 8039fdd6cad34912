import { type Selectable, sql } from 'kysely'
import { textsOf } from '#server/assistant/cases/texts.ts'
import { audit } from '#server/audit/audit-log.ts'
import { asPortal } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import type { RollCallRecipientsTable, RollCallsTable } from '#server/db/tables-roll-calls.ts'
import type { SignedIn } from '#server/http/session.ts'
import { announce } from '#server/notifications/announcements/create.ts'
import { CHANNELS } from '#shared/delivery/kinds.ts'
import { AppError } from '#shared/errors.ts'
import { inEachLanguage } from '#shared/language.ts'
import type { Answer } from '#shared/roll-calls/answers.ts'
import { type Helper, helpersFor } from './helpers.ts'
import { countryIn, translate } from './messages.ts'

export type Call = Pick<Selectable<RollCallsTable>, 'id' | 'title' | 'escalate_after_minutes'>
export type RollCallRecipient = Selectable<RollCallRecipientsTable>

export const listPath = (call: string, user?: string) => `/admin/roll-calls/${call}${user ? `#p-${user}` : ''}`
export const ownPath = (call: string) => `/dashboard/roll-calls/${call}`

/**
 * Asks the next helper: one coordinator at a time, then all administrators at once. Nobody is asked twice; when
 * everyone has been asked, the administrators are reminded. In the transaction `db` of the portal.
 */
export async function askNextHelper(db: Db, call: Call, recipient: RollCallRecipient, now: Date): Promise<Helper[]> {
  const able = await helpersFor(db, recipient, now)
  const fresh = able.filter(({ id }) => !recipient.contacted_helper_ids.includes(id))
  const next = fresh[0] ?? able.find(({ is_admin }) => is_admin)
  const isLast = next?.is_admin && fresh[0]?.tier !== 1
  const helpers = isLast ? able.filter(({ is_admin }) => is_admin) : next ? [next] : []
  const contactedIds = [...new Set([...recipient.contacted_helper_ids, ...helpers.map(({ id }) => id)])]
  const isFirst = recipient.assigned_at === null
  const escalations = isFirst ? 0 : recipient.escalations + 1
  await db
    .updateTable('roll_call_recipients')
    .set({
      helper_id: next?.id ?? null,
      assigned_at: next ? now : null,
      contacted_helper_ids: contactedIds,
      escalations,
    })
    .where('roll_call_id', '=', call.id)
    .where('user_id', '=', recipient.user_id)
    .execute()
  if (!next) return []
  await audit(db, null, {
    action: isFirst ? 'roll_call.ask_helper' : 'roll_call.escalate',
    subject_type: 'roll_call',
    subject_id: call.id,
    before: isFirst ? null : { helper_id: recipient.helper_id },
    after: { user_id: recipient.user_id, helpers: helpers.map(({ id }) => id), escalations },
  })
  await notifyHelpers(db, call, recipient, helpers, escalations)
  return helpers
}

async function notifyHelpers(
  db: Db,
  call: Call,
  recipient: RollCallRecipient,
  helpers: Helper[],
  escalations: number,
): Promise<void> {
  const { name, phone } = await nameAndPhone(db, recipient)
  await announce(db, {
    key: `roll-call-help ${call.id} ${recipient.user_id} ${recipient.answered_at?.valueOf() ?? 0} ${escalations}`,
    kind: 'roll_call',
    priority: 'urgent',
    template: 'roll-call-help',
    texts: textsOf((language) => {
      const contact = [
        phone && translate(language, 'help_call', { phone }),
        recipient.note && translate(language, 'help_words', { note: recipient.note }),
      ]
      return {
        title: translate(language, 'help_title', { name }),
        message: translate(language, 'help_message', {
          name,
          place: countryIn(language, recipient.country_code) || '–',
          title: call.title,
          contact: contact.filter(Boolean).join(' '),
          minutes: String(call.escalate_after_minutes),
        }),
      }
    }),
    actionUrl: listPath(call.id, recipient.user_id),
    audience: { users: helpers.map(({ id }) => id) },
    channels: [...CHANNELS],
  })
}

/** Notifies a helper who was asked about a change, by inbox and open page. */
export async function notifyHelper(
  db: Db,
  call: Call,
  recipient: RollCallRecipient,
  change: { key: string; note?: string; answer?: Answer },
): Promise<void> {
  if (!recipient.helper_id) return
  const { name } = await nameAndPhone(db, recipient)
  const { note, answer } = change
  await announce(db, {
    key: `roll-call-change ${call.id} ${recipient.user_id} ${change.key}`,
    kind: 'roll_call',
    priority: 'high',
    template: 'roll-call-help',
    texts: textsOf((language) =>
      answer
        ? {
            title: translate(language, 'recalled_title', { name }),
            message: translate(language, 'recalled_message', {
              title: call.title,
              answer: translate(language, `answer_${answer}`),
            }),
          }
        : { title: translate(language, 'more_title', { name }), message: note ?? '' },
    ),
    actionUrl: listPath(call.id, recipient.user_id),
    audience: { users: [recipient.helper_id] },
    channels: ['in-app', 'browser', 'push'],
  })
}

async function nameAndPhone(db: Db, recipient: RollCallRecipient) {
  const profile = await db
    .selectFrom('user_profiles')
    .select(['display_name', 'phone_number'])
    .where('id', '=', recipient.user_id)
    .executeTakeFirstOrThrow()
  return { name: profile.display_name, phone: recipient.phone ?? profile.phone_number }
}

/**
 * Accepts a request for help. Of two concurrent callers one succeeds, the other gets the name of the first. With the
 * caller's claims: policies decide whom they may help.
 */
export async function acceptHelpRequest(db: Db, me: SignedIn, call: string, user: string, now: Date) {
  const won = await db
    .updateTable('roll_call_recipients')
    .set({
      helper_id: me.id,
      assigned_at: sql<Date>`coalesce(assigned_at, ${now})`,
      accepted_at: now,
      contacted_helper_ids: sql<
        string[]
      >`array_append(array_remove(contacted_helper_ids, ${me.id}::uuid), ${me.id}::uuid)`,
    })
    .where('roll_call_id', '=', call)
    .where('user_id', '=', user)
    .where('user_id', '<>', me.id)
    .where('answer', '=', 'need_help')
    .where('accepted_at', 'is', null)
    .where('helped_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (!won) return explainNotAccepted(db, me, call, user)
  await audit(db, me, {
    action: 'roll_call.take',
    subject_type: 'roll_call',
    subject_id: call,
    after: { user_id: user, taken_at: now },
  })
  await asPortal(db, () => notifyHelpTaken(db, me, won))
  return { helper_name: await nameOf(db, me), is_mine: true }
}

async function explainNotAccepted(db: Db, me: SignedIn, call: string, user: string) {
  const row = await findRecipient(db, call, user)
  if (row.user_id === me.id)
    throw new AppError(409, 'own_help', 'You cannot accept your own call for help. Someone else will help you.')
  if (row.answer !== 'need_help' || row.helped_at || !row.accepted_at) throw noOpenRequest()
  return { helper_name: row.helper_name ?? '', is_mine: row.helper_id === me.id }
}

async function notifyHelpTaken(db: Db, me: SignedIn, recipient: RollCallRecipient): Promise<void> {
  const helper = await nameOf(db, me)
  await announce(db, {
    key: `roll-call-taken ${recipient.roll_call_id} ${recipient.user_id} ${recipient.accepted_at!.valueOf()}`,
    kind: 'roll_call',
    priority: 'urgent',
    template: 'roll-call-taken',
    texts: inEachLanguage((language) => ({
      title: translate(language, 'taken_title', { helper }),
      message: translate(language, 'taken_message', { helper }),
    })),
    actionUrl: ownPath(recipient.roll_call_id),
    audience: { users: [recipient.user_id] },
    channels: [...CHANNELS],
    createdBy: me.id,
  })
}

async function nameOf(db: Db, { id, name }: SignedIn): Promise<string> {
  const row = await db.selectFrom('user_profiles').select('display_name').where('id', '=', id).executeTakeFirst()
  return row?.display_name ?? name
}

/**
 * Closes a request for help and records how it ended. Open to anyone responsible for the user, even if nobody had
 * accepted it.
 */
export async function closeHelpRequest(db: Db, me: SignedIn, call: string, user: string, note: string, now: Date) {
  const closed = await db
    .updateTable('roll_call_recipients')
    .set({
      helped_at: now,
      help_note: note,
      helper_id: sql<string>`case when accepted_at is null then ${me.id}::uuid else helper_id end`,
      accepted_at: sql<Date>`coalesce(accepted_at, ${now})`,
      contacted_helper_ids: sql<
        string[]
      >`array_append(array_remove(contacted_helper_ids, ${me.id}::uuid), ${me.id}::uuid)`,
    })
    .where('roll_call_id', '=', call)
    .where('user_id', '=', user)
    .where('user_id', '<>', me.id)
    .where('answer', '=', 'need_help')
    .where('helped_at', 'is', null)
    .returning('accepted_at')
    .executeTakeFirst()
  if (!closed) {
    await findRecipient(db, call, user)
    throw noOpenRequest()
  }
  await audit(db, me, {
    action: 'roll_call.helped',
    subject_type: 'roll_call',
    subject_id: call,
    after: { user_id: user, helped_at: now },
    reason: note,
  })
  return { helped_at: now.toISOString() }
}

/** A recipient of a roll call within the caller's scope. */
export async function findRecipient(db: Db, call: string, user: string) {
  const { rows } = await sql<{
    user_id: string
    answer: Answer | null
    helper_id: string | null
    helper_name: string | null
    accepted_at: Date | null
    helped_at: Date | null
  }>`select * from roll_call_list(${call}, ${user})`.execute(db)
  if (!rows[0]) throw new AppError(404, 'not_asked', 'This person is not on any of your lists.')
  return rows[0]
}

const noOpenRequest = () => new AppError(409, 'no_help_wanted', 'This call for help is no longer open.')
