import { createHmac } from 'node:crypto'
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import { sql } from 'kysely'
import type { Database, Db } from '#server/db/connection.ts'

/** Messages sent on request; each kind is counted separately. A notice holds no secret. */
const KINDS = ['link', 'code', 'reset', 'confirm', 'phone', 'notice'] as const
export type MailKind = (typeof KINDS)[number]

/** Messages of a kind to one recipient without delay within an hour; after that one every ten minutes. */
export const MAX_AT_ONCE = 3
const SPACING_SECONDS = 600
/** Sent again only if valid for at least this long, otherwise a new one is made. */
const LEAST_SECONDS: Record<MailKind, number> = {
  link: 600,
  code: 300,
  reset: 600,
  confirm: 600,
  phone: 300,
  notice: 0,
}

export interface LiveSecret {
  secret: string
  expiresAt: Date
}

export type Mails = ReturnType<typeof createMails>

/**
 * Links and codes sent to a recipient. Every request gets the same one until it is used or nearly expired: a stranger
 * who keeps requesting can neither void the owner's nor flood their mailbox.
 */
export function createMails({ database, secret }: { database: Database; secret: string }) {
  const kysely = database.requests.kysely
  // Keyed: a six-digit code could be brute-forced from a plain hash.
  const hashOf = (text: string) => createHmac('sha256', `account mails ${secret}`).update(text).digest('base64url')
  const keyOf = (kind: MailKind, recipient: string) => hashOf(`${kind} ${recipient.trim().toLowerCase()}`)

  return {
    /**
     * Claims the right to send one now. False: too many were sent and nothing goes out. True with the link or code to
     * send again, or without when a new one is to be made.
     */
    async claim(kind: MailKind, recipient: string): Promise<false | { live?: LiveSecret }> {
      const { rows } = await sql<{ secret: string | null; expires_at: Date | null }>`
        insert into auth_mails as m (key, sent, last_sent_at) values (${keyOf(kind, recipient)}, 1, now())
        on conflict (key) do update set
          secret = case when m.expires_at > now() + make_interval(secs => ${LEAST_SECONDS[kind]}) then m.secret end,
          secret_hash = case when m.expires_at > now() + make_interval(secs => ${LEAST_SECONDS[kind]}) then m.secret_hash end,
          sent = case when m.counted_since < now() - interval '1 hour' then 1 else m.sent + 1 end,
          counted_since = case when m.counted_since < now() - interval '1 hour' then now() else m.counted_since end,
          last_sent_at = now()
        where (m.counted_since < now() - interval '1 hour' or m.sent < ${MAX_AT_ONCE}
            or m.last_sent_at <= now() - make_interval(secs => ${SPACING_SECONDS}))
          -- The first one is being made at this moment.
          and (m.secret is not null or ${kind === 'notice'} or m.last_sent_at < now() - interval '5 seconds')
        returning secret, expires_at`.execute(kysely)
      const [row] = rows
      if (!row) return false
      if (!row.secret || !row.expires_at) return {}
      const data = await symmetricDecrypt({ key: secret, data: row.secret })
      return { live: { secret: data, expiresAt: row.expires_at } }
    },

    /** Records what was just made for the recipient. */
    async store(kind: MailKind, recipient: string, value: string, seconds: number): Promise<void> {
      const expires_at = sql<Date>`now() + make_interval(secs => ${seconds})`
      const stored = { secret: await symmetricEncrypt({ key: secret, data: value }), secret_hash: hashOf(value) }
      await kysely
        .insertInto('auth_mails')
        .values({ key: keyOf(kind, recipient), ...stored, expires_at, last_sent_at: sql<Date>`now()`, sent: 1 })
        .onConflict((c) => c.column('key').doUpdateSet({ ...stored, expires_at }))
        .execute()
    },

    /**
     * Whether a code is the one that was sent; undefined when none is known. Checked before the library, which voids
     * the right code after five wrong ones from anyone.
     */
    async isCode(kind: 'code' | 'phone', recipient: string, code: string): Promise<boolean | undefined> {
      const row = await kysely
        .selectFrom('auth_mails')
        .select('secret_hash')
        .where('key', '=', keyOf(kind, recipient))
        .where('secret_hash', 'is not', null)
        .executeTakeFirst()
      return row && row.secret_hash === hashOf(code)
    },

    /** Links and codes sent to these addresses and numbers are not sent again. */
    async forget(db: Db, recipients: readonly (string | null)[]): Promise<void> {
      const keys = recipients.flatMap((to) => (to ? KINDS.map((kind) => keyOf(kind, to)) : []))
      await sql`delete from auth_mails where key = any(${keys})`.execute(db)
    },

    /** A link was used: the next one is new and sent at once. */
    async linkUsed(value: string): Promise<void> {
      await kysely.deleteFrom('auth_mails').where('secret_hash', '=', hashOf(value)).execute()
    },

    /** The same for a code. */
    async codeUsed(kind: 'code' | 'phone', recipient: string): Promise<void> {
      await kysely.deleteFrom('auth_mails').where('key', '=', keyOf(kind, recipient)).execute()
    },
  }
}
