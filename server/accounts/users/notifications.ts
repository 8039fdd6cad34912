import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { asPortal } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import type { UserProfilesTable } from '#server/db/tables-accounts.ts'
import { queueMessages } from '#server/delivery/outbox.ts'
import type { TemplateValues } from '#server/delivery/templates/render.ts'
import { type Language, languageOf } from '#shared/language.ts'

export interface NotifyDeps {
  publicUrl: string
  brand: () => string
}

export type Recipient = Pick<
  Selectable<UserProfilesTable>,
  'id' | 'email' | 'email_verified' | 'auth_provider' | 'display_name' | 'preferred_language'
>

/** False for a placeholder address, assigned because the hub knew none: mail would reach nobody. */
export const canGetMail = ({ email_verified, auth_provider }: Pick<Recipient, 'email_verified' | 'auth_provider'>) =>
  email_verified || auth_provider !== 'mcgi-hub'

export const readsIn = ({ preferred_language }: Pick<Recipient, 'preferred_language'>): Language =>
  languageOf(preferred_language) ?? 'en'

interface UserNotification<T extends keyof TemplateValues> {
  template: T
  values: Omit<TemplateValues[T], 'brand' | 'name'>
  title: string
  message: string
  /** Target path inside the portal. */
  action_url: string
  data: object
}

/** Rows per statement: far below the protocol's limit of 65,535 values. */
const ROWS_AT_ONCE = 500

/**
 * Notifies a user about an account change (inbox and email), in the same transaction. Written to the outbox as the
 * portal itself, since users may not write there. No second job can be lost or run twice, and a failed change notifies
 * nobody.
 */
export async function notifyUser<T extends keyof TemplateValues>(
  db: Db,
  recipient: Recipient,
  deps: NotifyDeps,
  message: UserNotification<T>,
): Promise<void> {
  await notifyUsers(db, [recipient], deps, () => message)
}

/** The same for many users, each in their own language. */
export async function notifyUsers<T extends keyof TemplateValues, P extends Recipient>(
  db: Db,
  recipients: readonly P[],
  deps: NotifyDeps,
  messageFor: (recipient: P) => UserNotification<T>,
): Promise<void> {
  const notifications = recipients.map((recipient) => ({ recipient, event: randomUUID(), ...messageFor(recipient) }))
  await asPortal(db, async () => {
    for (let at = 0; at < notifications.length; at += ROWS_AT_ONCE)
      await db
        .insertInto('notifications')
        .values(
          notifications
            .slice(at, at + ROWS_AT_ONCE)
            .map(({ recipient, event, template, title, message, action_url, data }) => ({
              user_id: recipient.id,
              recipient_role: null,
              type: template,
              title,
              message,
              data: JSON.stringify(data),
              priority: 'high' as const,
              status: 'sent' as const,
              sent_at: new Date(),
              action_url,
              event_key: `${template} ${event}`,
            })),
        )
        .execute()
    await queueMessages(
      db,
      notifications
        .filter(({ recipient }) => canGetMail(recipient))
        .map(({ recipient, event, template, values }) => ({
          key: `${template} ${event}`,
          channel: 'email' as const,
          to: recipient.email,
          userId: recipient.id,
          template,
          language: readsIn(recipient),
          values: { ...values, brand: deps.brand(), name: recipient.display_name } as TemplateValues[T],
        })),
    )
  })
}
