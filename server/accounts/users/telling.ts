import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { type Language, languageOf } from '#shared/language.ts'
import { asPortal } from '../../db/claims.ts'
import type { Db } from '../../db/connection.ts'
import type { UserProfilesTable } from '../../db/tables.ts'
import { queueMessage } from '../../messages/outgoing.ts'
import type { TemplateValues } from '../../messages/templates.ts'

export interface TellingParts {
  publicUrl: string
  brand: () => string
}

export type Told = Pick<
  Selectable<UserProfilesTable>,
  'id' | 'email' | 'email_verified' | 'auth_provider' | 'display_name' | 'preferred_language'
>

/** An address that the portal made up, because the hub knew none, reaches nobody. */
export const canGetMail = ({ email_verified, auth_provider }: Pick<Told, 'email_verified' | 'auth_provider'>) =>
  email_verified || auth_provider !== 'mcgi-hub'

export const readsIn = ({ preferred_language }: Pick<Told, 'preferred_language'>): Language =>
  languageOf(preferred_language) ?? 'en'

interface Telling<T extends keyof TemplateValues> {
  template: T
  values: Omit<TemplateValues[T], 'brand' | 'name'>
  title: string
  message: string
  /** Where it leads inside the portal. */
  action_url: string
  data: object
}

/**
 * Tells a person what was done to her account, in the portal and by mail, in the transaction of the change: written
 * straight into the queue of messages as the portal itself, since no person may write there. So there is no second job
 * that could be lost or run twice, and a change that fails tells nobody.
 */
export async function tellPerson<T extends keyof TemplateValues>(
  db: Db,
  person: Told,
  parts: TellingParts,
  { template, values, title, message, action_url, data }: Telling<T>,
): Promise<void> {
  const event = randomUUID()
  await asPortal(db, async () => {
    await db
      .insertInto('notifications')
      .values({
        user_id: person.id,
        recipient_role: null,
        type: template,
        title,
        message,
        data: JSON.stringify(data),
        priority: 'high',
        status: 'sent',
        sent_at: new Date(),
        action_url,
        event_key: `${template} ${event}`,
      })
      .execute()
    if (!canGetMail(person)) return
    await queueMessage(db, {
      key: `${template} ${event}`,
      channel: 'email',
      to: person.email,
      userId: person.id,
      template,
      language: readsIn(person),
      values: { ...values, brand: parts.brand(), name: person.display_name } as unknown as TemplateValues[T],
    })
  })
}
