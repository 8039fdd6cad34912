import { sql } from 'kysely'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import type { Language } from '#shared/language.ts'
import { MONITOR_CAUSES } from '#shared/notifications/status.ts'
import { mailAdministrators, notifyAdministrators } from '../admin-alerts.ts'
import { ALARM_TEXTS, type Cause, isCause } from './alarm-texts.ts'
import { recordCanaryResults } from './canary.ts'
import { type Finding, findFaults } from './findings.ts'

interface Deps {
  database: Database
  publicUrl: string
}

/**
 * Checks every minute whether urgent advisories are delivered as expected. Administrators get an alarm once per cause,
 * by inbox and mail, and a message when it is resolved.
 */
export async function monitorDelivery({ database, publicUrl }: Deps): Promise<void> {
  await inBackground(database, 'delivery_monitor', async (db) => {
    await recordCanaryResults(db)
    const faults = await findFaults(db)
    for (const fault of faults) await raise(db, fault, publicUrl)
    await clearOthers(
      db,
      faults.map(({ cause }) => cause),
    )
  })
}

async function raise(db: Db, { cause, count, detail }: Finding, publicUrl: string): Promise<void> {
  const seen_at = sql<Date>`now()`
  const { numUpdatedRows } = await db
    .updateTable('delivery_monitor_alarms')
    .set({ count, detail, seen_at })
    .where('cause', '=', cause)
    .where('cleared_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return
  const { id } = await db
    .insertInto('delivery_monitor_alarms')
    .values({ cause, count, detail })
    .returning('id')
    .executeTakeFirstOrThrow()
  const channel = cause.replace(/^not_sent_/, '')
  if (channel !== cause)
    await db
      .updateTable('delivery_monitor_checks')
      .set({ alarmed_at: sql<Date>`now()` })
      .where('channel', '=', channel)
      .where('sent_at', 'is', null)
      .where('alarmed_at', 'is', null)
      .execute()
  if (!isCause(cause)) return
  const textOf = (language: Language) => {
    const { title, text, help } = ALARM_TEXTS[language][cause]
    return { title, message: `${text(count)}\n\n${detail}\n\n${help}` }
  }
  const { title, text, help } = ALARM_TEXTS.en[cause]
  await notifyAdministrators(db, {
    key: `delivery_monitor ${id}`,
    priority: 'urgent',
    title,
    message: `${text(count)} ${detail}. ${help}`,
    path: pathOf(cause),
  })
  await mailAdministrators(
    db,
    { key: `delivery_monitor ${id}`, path: pathOf(cause), text: { en: textOf('en'), ar: textOf('ar') } },
    publicUrl,
  )
}

const pathOf = (cause: Cause) =>
  cause === 'not_announced' ? '/admin/travel-advisories?status=in_force&sort=-updated_at' : '/admin/outbox'

async function clearOthers(db: Db, causes: string[]): Promise<void> {
  const over = await db
    .updateTable('delivery_monitor_alarms')
    .set({ cleared_at: sql<Date>`now()` })
    .where('cleared_at', 'is', null)
    .where('cause', 'in', MONITOR_CAUSES)
    .where(sql<boolean>`cause <> all(${causes}::text[])`)
    .returning(['id', 'cause'])
    .execute()
  for (const { id, cause } of over) {
    if (!isCause(cause)) continue
    const { over: isOver, overText } = ALARM_TEXTS.en
    const title = isOver(ALARM_TEXTS.en[cause].title)
    await notifyAdministrators(db, {
      key: `delivery_monitor ${id} over`,
      priority: 'medium',
      title,
      message: overText,
      path: '/status',
    })
  }
}
