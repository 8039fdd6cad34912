import type { Selectable } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import type { AssistantCasesTable } from '#server/db/tables-assistant.ts'
import type { AnnouncementText } from '#server/db/tables-notifications.ts'
import { announce } from '#server/notifications/announcements/create.ts'
import { helpersFor } from '#server/roll-calls/helpers.ts'
import type { CaseKind } from '#shared/assistant/cases.ts'
import { CHANNELS } from '#shared/delivery/kinds.ts'
import type { AdminLanguage } from '#shared/language.ts'
import { takeAlarms } from './alarms.ts'
import caseTexts from './case-texts.json' with { type: 'json' }
import { alarmClassOf } from './contact.ts'
import { fill } from './template.ts'
import { countryName, textsOf } from './texts.ts'

export type CaseRow = Pick<
  Selectable<AssistantCasesTable>,
  | 'id'
  | 'reference'
  | 'kind'
  | 'dangers'
  | 'user_id'
  | 'rank'
  | 'country_code'
  | 'chapter_id'
  | 'helpers'
  | 'escalations'
>

/** Placeholder user id of a visitor. */
export const NOBODY = '00000000-0000-0000-0000-000000000000'
/** Number of coordinators notified first, all of them responsible for the place. */
const AT_FIRST = 3

/**
 * Notifies the coordinators of the place of a case, the closest first. When called again, notifies the remaining ones
 * and the administrators. The notification contains neither the reporter's name nor number; those require signing in.
 * Coordinators past their alarm limit get it in their digest. Runs in the transaction `db` of the portal. Returns the
 * ids of the recipients.
 */
export async function notifyCaseHelpers(db: Db, row: CaseRow, now: Date): Promise<string[]> {
  const place = { user_id: row.user_id ?? NOBODY, country_code: row.country_code, chapter_id: row.chapter_id }
  const able = await helpersFor(db, place, now)
  const fresh = able.filter(({ id, is_admin }) => !row.helpers.includes(id) && !is_admin)
  const admins = able.filter(({ is_admin }) => is_admin)
  const recipients = row.escalations === 0 && fresh.length > 0 ? fresh.slice(0, AT_FIRST) : [...fresh, ...admins]
  const ids = recipients.map(({ id }) => id)
  await db
    .updateTable('assistant_cases')
    .set({ helpers: [...new Set([...row.helpers, ...ids])], notified_at: now, escalations: row.escalations + 1 })
    .where('id', '=', row.id)
    .execute()
  const atOnce = await takeAlarms(
    db,
    ids,
    {
      caseId: row.id,
      country: row.country_code,
      class: alarmClassOf(row.rank, isUrgent(row)),
      count: row.escalations === 0 ? 1 : 0,
    },
    now,
  )
  if (atOnce.length === 0) return ids
  await announce(db, {
    key: `assistant-case ${row.id} ${row.escalations}`,
    kind: 'roll_call',
    priority: row.kind === 'hand_over' ? 'high' : 'urgent',
    template: 'assistant-case',
    texts: textsOf((language) => textOf(language, row)),
    actionUrl: `/admin/assistant/cases/${row.id}`,
    audience: { users: atOnce },
    channels: [...CHANNELS],
  })
  return ids
}

/** Needs immediate help, rather than review. */
export const isUrgent = ({ kind, dangers }: { kind: CaseKind; dangers: readonly string[] }) =>
  kind !== 'hand_over' || dangers.length > 0

function textOf(language: AdminLanguage, { kind, reference, country_code, escalations }: CaseRow): AnnouncementText {
  const texts = caseTexts[language]
  const country = countryName(language, country_code)
  const title: Record<CaseKind, string> = {
    danger: texts.title_danger,
    call_back: texts.title_call_back,
    hand_over: texts.title_hand_over,
  }
  return {
    title: fill(title[kind], { place: country ? fill(texts.in, { country }) : '' }),
    message: [escalations > 0 ? texts.again : '', fill(texts.message, { reference })].join(' ').trim(),
  }
}
