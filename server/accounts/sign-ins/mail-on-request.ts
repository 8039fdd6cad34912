import type { Database } from '#server/db/connection.ts'
import type { Log } from '#server/log.ts'
import { mayBeWrittenTo } from '../addresses.ts'
import type { AccountMail } from '../auth.ts'
import { expected } from '../start-session.ts'
import type { MailKind, Mails } from './mails.ts'

interface MailOnRequestDeps {
  mail: AccountMail
  mails: Mails
  log: Log
}

/**
 * Sends what somebody asked for, after the answer: whether an account has the address must not be seen by how long that
 * takes. What is still good is sent again; `make` has a new one made and sent.
 */
export function mailOnRequest(
  deps: MailOnRequestDeps,
  database: Database,
  kind: Exclude<MailKind, 'notice'>,
  recipient: string,
  make: () => Promise<unknown>,
): void {
  void send().catch((error: Error) => deps.log.error({ reason: error.message }, 'mail not queued'))

  async function send() {
    const db = database.requests.kysely
    if (kind !== 'phone') {
      const known = await db.selectFrom('auth_users').select('id').where('email', '=', recipient).executeTakeFirst()
      if (!known || !(await mayBeWrittenTo(db, recipient))) return
    }
    const claimed = await deps.mails.claim(kind, recipient)
    if (!claimed) return
    if (claimed.live) await deps.mail.again(kind, { email: recipient }, claimed.live)
    else await expected(make())
  }
}
