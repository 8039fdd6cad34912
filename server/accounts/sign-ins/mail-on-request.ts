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
 * Sends a requested message after the response, so that timing does not reveal whether the address has an account. A
 * link or code that is still valid is sent again; `make` creates and sends a new one.
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
