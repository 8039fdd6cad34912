import type { Selectable } from 'kysely'
import type { CaseKind } from '#shared/assistant/cases.ts'
import { LANGUAGES, type Language } from '#shared/language.ts'
import { CHANNELS } from '#shared/notifications/kinds.ts'
import type { Db } from '../../db/connection.ts'
import type { AssistantCasesTable } from '../../db/tables-assistant.ts'
import { type AnnouncementText, announce } from '../../notifications/announcing.ts'
import { helpersFor } from '../../roll-calls/helpers.ts'
import { fill } from './filling.ts'
import words from './words.json' with { type: 'json' }

export type Told = Pick<
  Selectable<AssistantCasesTable>,
  'id' | 'reference' | 'kind' | 'user_id' | 'country_code' | 'chapter_id' | 'helpers' | 'escalations'
>

/** Stands for a visitor, of whom nothing is known. */
const NOBODY = '00000000-0000-0000-0000-000000000000'
/** Who is told at first; all of them look after that place. */
const AT_FIRST = 3

/**
 * Tells those who look after the place of a case, the closest first; asked again, those who were not told yet, and the
 * administrators. What they are told names neither the person nor a number: those stand behind the sign-in. In the
 * transaction `db` of the portal. Returns whom.
 */
export async function tellHelpers(db: Db, row: Told, now: Date): Promise<string[]> {
  const place = { user_id: row.user_id ?? NOBODY, country_code: row.country_code, chapter_id: row.chapter_id }
  const able = await helpersFor(db, place, now)
  const fresh = able.filter(({ id, is_admin }) => !row.helpers.includes(id) && !is_admin)
  const admins = able.filter(({ is_admin }) => is_admin)
  const told = row.escalations === 0 && fresh.length > 0 ? fresh.slice(0, AT_FIRST) : [...fresh, ...admins]
  const ids = told.map(({ id }) => id)
  await db
    .updateTable('assistant_cases')
    .set({ helpers: [...new Set([...row.helpers, ...ids])], told_at: now, escalations: row.escalations + 1 })
    .where('id', '=', row.id)
    .execute()
  if (ids.length === 0) return []
  await announce(db, {
    key: `assistant-case ${row.id} ${row.escalations}`,
    kind: 'roll_call',
    priority: row.kind === 'hand_over' ? 'high' : 'urgent',
    template: 'assistant-case',
    texts: Object.fromEntries(LANGUAGES.map((language) => [language, textOf(language, row)])) as Record<
      Language,
      AnnouncementText
    >,
    actionUrl: `/admin/assistant/cases/${row.id}`,
    audience: { users: ids },
    channels: [...CHANNELS],
  })
  return ids
}

function textOf(language: Language, { kind, reference, country_code, escalations }: Told): AnnouncementText {
  const texts = words[language]
  const country = country_code && new Intl.DisplayNames(language, { type: 'region', fallback: 'code' }).of(country_code)
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
