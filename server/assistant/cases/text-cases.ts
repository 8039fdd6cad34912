import type { Db } from '#server/db/connection.ts'
import type { AnnouncementText } from '#server/db/tables-notifications.ts'
import { announce } from '#server/notifications/announcements/create.ts'
import { firstOf } from '#shared/assert.ts'
import type { Danger } from '#shared/assistant/intents.ts'
import type { AssistantLanguage } from '#shared/assistant/languages.ts'
import { MAX_TRANSCRIPT } from '#shared/assistant/limits.ts'
import type { Language } from '#shared/language.ts'
import { phrase } from '../phrases/phrases.ts'
import { takeAlarms } from './alarms.ts'
import { receiveCalls } from './case-creation.ts'
import caseTexts from './case-texts.json' with { type: 'json' }
import { alarmClassOf } from './contact.ts'
import { fill } from './template.ts'
import { textsOf } from './texts.ts'

interface CaseText {
  /** Id in inbound_texts. */
  id: string
  channel: 'sms' | 'whatsapp'
  number: string
  body: string
}

interface TextCase {
  text: CaseText
  interpretation: { dangers: readonly Danger[]; language: AssistantLanguage }
  /** Accounts with this number; empty if it is unknown. */
  owners: readonly { user_id: string; name: string }[]
  country: string | null
}

/** A text is added to an open case of its number that is at most this old. */
const ADDS_FOR_DAYS = 7

/**
 * Opens a case for a text that asks for help and notifies the coordinators of the place. Runs in the transaction `db`
 * of the service. Returns the reply, in the language of the text.
 */
export async function openTextCase(
  db: Db,
  { text, interpretation, owners, country }: TextCase,
  now: Date,
): Promise<string> {
  const owner = owners.length === 1 ? owners[0] : undefined
  const profile = owner && (await chapterOf(db, owner.user_id))
  const received = await receiveCalls(
    db,
    null,
    [
      {
        kind: 'danger',
        channel: text.channel,
        dangers: [...interpretation.dangers],
        userId: owner?.user_id ?? null,
        conversationId: null,
        name:
          owners
            .map(({ name }) => name)
            .join(' / ')
            .slice(0, 200) || null,
        safePhone: text.number,
        safeTime: undefined,
        country,
        chapterId: profile?.chapter_id ?? null,
        language: interpretation.language,
        intents: [],
        questions: 0,
        originalText: lineOf(text),
        sources: [],
        isLow: false,
        isExcess: false,
      },
    ],
    now,
  )
  const { caseId, reference } = firstOf(received)
  await db.updateTable('inbound_texts').set({ case_id: caseId }).where('id', '=', text.id).execute()
  return phrase(interpretation.language, 'case_danger', { reference })
}

/** Adds a text to the open case of its number and notifies the assignee. False if there is none. */
export async function addTextToCase(db: Db, text: CaseText, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('assistant_cases as c')
    .innerJoin('inbound_texts as t', 't.case_id', 'c.id')
    .select(['c.id', 'c.reference', 'c.original_text', 'c.taken_by', 'c.helpers', 'c.country_code', 'c.rank'])
    .where('t.number', '=', text.number)
    .where('t.received_at', '>', new Date(now.valueOf() - ADDS_FOR_DAYS * 86_400_000))
    .where('c.status', '<>', 'closed')
    .orderBy('t.arrival', 'desc')
    .limit(1)
    .forUpdate('c')
    .executeTakeFirst()
  if (!row) return false
  const whole = `${row.original_text}\n\n${lineOf(text)}`
  const original_text = whole.length > MAX_TRANSCRIPT ? `…${whole.slice(1 - MAX_TRANSCRIPT)}` : whole
  await db.updateTable('assistant_cases').set({ original_text }).where('id', '=', row.id).execute()
  await db.updateTable('inbound_texts').set({ case_id: row.id }).where('id', '=', text.id).execute()
  const alarm = { caseId: row.id, country: row.country_code, class: alarmClassOf(row.rank, true), count: 1 }
  const users = await takeAlarms(db, row.taken_by ? [row.taken_by] : row.helpers, alarm, now)
  if (users.length > 0)
    await announce(db, {
      key: `assistant-case-text ${row.id} ${text.id}`,
      kind: 'roll_call',
      priority: 'urgent',
      template: 'assistant-case',
      texts: textsOf((language) => moreOf(language, row.reference)),
      actionUrl: `/admin/assistant/cases/${row.id}`,
      audience: { users },
      channels: ['in-app', 'browser', 'push'],
    })
  return true
}

const moreOf = (language: Language, reference: string): AnnouncementText => ({
  title: fill(caseTexts[language].title_more, { reference }),
  message: fill(caseTexts[language].message_more, { reference }),
})

const lineOf = ({ body, channel }: CaseText) => `— ${body.trim() || `[${channel}]`}`

const chapterOf = (db: Db, id: string) =>
  db.selectFrom('user_profiles').select('chapter_id').where('id', '=', id).executeTakeFirst()
