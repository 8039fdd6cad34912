import { sql } from 'kysely'
import { audit } from '#server/audit/audit-log.ts'
import type { Db } from '#server/db/connection.ts'
import { liftSuppressions, suppress } from '../suppressions.ts'

export type OptOutCommand = 'stop' | 'start'

const STOP = new Set(
  'STOP STOPALL UNSUBSCRIBE CANCEL END QUIT OPTOUT REVOKE ايقاف الايقاف اوقف توقف الغاء الغاءالاشتراك'.split(' '),
)
const START = new Set('START UNSTOP SUBSCRIBE OPTIN بدء ابدا استئناف اشتراك'.split(' '))

/** Whether a text message consists solely of an opt-out or opt-in keyword. */
export function optOutOf(text: string): OptOutCommand | undefined {
  const keyword = text
    .normalize('NFKD')
    .replace(/[^\p{L}]/gu, '')
    .replace(/[أإآٱ]/g, 'ا')
    .replaceAll('ـ', '')
    .toUpperCase()
  if (STOP.has(keyword)) return 'stop'
  return START.has(keyword) ? 'start' : undefined
}

/** Applies STOP or START from a phone number, in a transaction `db` of the service. Idempotent. */
export async function applyOptOut(
  db: Db,
  command: OptOutCommand,
  channel: 'sms' | 'whatsapp',
  number: string,
): Promise<void> {
  if (command === 'stop') await suppress(db, { channel, address: number, reason: 'opted_out' })
  else await liftSuppressions(db, [channel], number, 'opted_out')
  const owners = await db.selectFrom('user_profiles').select('id').where('phone_number', '=', number).execute()
  for (const { id } of owners) await recordOptOut(db, command, channel, id)
}

async function recordOptOut(
  db: Db,
  command: OptOutCommand,
  channel: 'sms' | 'whatsapp',
  userId: string,
): Promise<void> {
  if (channel === 'sms')
    await sql`
      insert into notification_preferences (user_id, sms_opt_out) values (${userId}, ${command === 'stop'})
      on conflict (user_id) do update set sms_opt_out = excluded.sms_opt_out, updated_at = now()`.execute(db)
  await audit(db, null, {
    action: command === 'stop' ? 'account.unsubscribe' : 'account.resubscribe',
    subject_type: 'user',
    subject_id: userId,
    after: { channel },
    reason: 'By text message from this number',
  })
}
