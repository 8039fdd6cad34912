import { sql } from 'kysely'
import { textsOf } from '#server/assistant/cases/texts.ts'
import type { Db } from '#server/db/connection.ts'
import { announce } from '#server/notifications/announcements/create.ts'
import { listPath } from '../help-requests.ts'
import { helpersFor } from '../helpers.ts'
import { translate } from '../messages.ts'
import type { OpenCall } from './sender.ts'

/** Maximum number of coordinators notified, so that not everyone reads the same text. */
const MAX_NOTIFIED = 3
const SHOWN_LENGTH = 200

/**
 * Marks that a coordinator must read a text of this user, and notifies those responsible for the place. Once until an
 * answer clears it; later texts are listed with the first. Returns whether it was the first.
 */
export async function markUnclear(db: Db, call: OpenCall, body: string, now: Date): Promise<boolean> {
  const marked = await db
    .updateTable('roll_call_recipients')
    .set({ unclear_at: now })
    .where('roll_call_id', '=', call.roll_call_id)
    .where('user_id', '=', call.user_id)
    .where('unclear_at', 'is', null)
    .where(sql<boolean>`(answer is distinct from 'need_help' or helped_at is not null)`)
    .returning(['user_id', 'country_code', 'chapter_id'])
    .executeTakeFirst()
  if (!marked) return false
  const able = await helpersFor(db, marked, now)
  const coordinators = able.filter(({ is_admin }) => !is_admin).slice(0, MAX_NOTIFIED)
  const notified = coordinators.length > 0 ? coordinators : able
  if (notified.length > 0)
    await announce(db, {
      key: `roll-call-unclear ${call.roll_call_id} ${call.user_id} ${now.valueOf()}`,
      kind: 'roll_call',
      priority: 'high',
      template: 'roll-call-help',
      texts: textsOf((language) => ({
        title: translate(language, 'unclear_title', { name: call.name }),
        message: translate(language, body.trim() ? 'unclear_message' : 'unclear_message_empty', {
          title: call.title,
          text: body.trim().slice(0, SHOWN_LENGTH),
        }),
      })),
      actionUrl: listPath(call.roll_call_id, call.user_id),
      audience: { users: notified.map(({ id }) => id) },
      channels: ['in-app', 'browser', 'push', 'email'],
    })
  return true
}
