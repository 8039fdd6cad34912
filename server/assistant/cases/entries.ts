import { type Selectable, sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import type { AssistantCasesTable } from '#server/db/tables-assistant.ts'
import { announce } from '#server/notifications/announcements/create.ts'
import { firstOf } from '#shared/assert.ts'
import { fold } from '#shared/countries/fold.ts'
import { CHANNELS } from '#shared/delivery/kinds.ts'
import { takeAlarms } from './alarms.ts'
import caseTexts from './case-texts.json' with { type: 'json' }
import { alarmClassOf, phoneKeyOf, rankOf } from './contact.ts'
import { isUrgent } from './helper-notification.ts'
import type { NewCase } from './new-case.ts'
import { newReference } from './reference.ts'
import { fill } from './template.ts'
import { textsOf } from './texts.ts'

type Case = Selectable<AssistantCasesTable>

/** A message joins a case whose latest entry is at most this old. */
const JOINS_FOR_MINUTES = 60
/** Anonymous messages stored per case. Further ones are only counted. */
export const MAX_UNKNOWN_ENTRIES = 1_000
/** The end of a longer message is stored. */
const MAX_ENTRY_LENGTH = 4_000
/**
 * Past this many messages, texts of low-ranked ones are cut to MAX_LATE_TEXT_LENGTH characters; a phone number is always
 * stored.
 */
const MAX_FULL_TEXT_ENTRIES = 5_000
const MAX_LATE_TEXT_LENGTH = 200

/** Has no account, and either no number and name, or comes from an address with very many reports. */
export const isUnknown = ({ userId, safePhone, name, isExcess }: NewCase) =>
  !userId && (isExcess || !(safePhone || name))

/**
 * Finds and locks the open case that a call for help belongs to: by account, else by number, else by name within the
 * country, else the group of anonymous reports in this language and country. Never joins reports with different
 * accounts or names. An anonymous report of a new danger opens a new group. Runs in the transaction `db` of the
 * service.
 */
export async function findCaseToJoin(db: Db, input: NewCase, now: Date): Promise<Case | undefined> {
  const { userId, name, country, language } = input
  const phoneKey = phoneKeyOf(input.safePhone, country)
  if (userId) return lastOf(db, `user ${userId}`, sql`c.user_id = ${userId}`, now)
  if (phoneKey) {
    const found = await lastOf(db, `phone ${phoneKey}`, sql`c.phone_key = ${phoneKey}`, now)
    // A phone may be shared: a different name is a different person.
    if (found && isSameName(found.name, name)) return found
    if (found && !input.isExcess) return undefined
  } else if (name) {
    const own = sql`c.user_id is null and c.phone_key is null and c.name = ${name} and c.country_code is not distinct from ${country}`
    const found = await lastOf(db, `name ${name} ${country}`, own, now)
    if (found) return found
  }
  if (!isUnknown(input)) return undefined
  // Many reports from one address must not open a group for each kind of danger.
  const fits = input.isLow ? sql`true` : sql`c.dangers @> ${[...input.dangers]}::text[]`
  const group = sql`c.is_group and c.country_code is not distinct from ${country} and c.language = ${language} and ${fits}`
  return lastOf(db, `group ${country} ${language}`, group, now)
}

const isSameName = (before: string | null, name: string | null) => !before || !name || fold(before) === fold(name)

/** The lock prevents two concurrent first messages from opening two cases. */
async function lastOf(db: Db, key: string, fits: ReturnType<typeof sql>, now: Date): Promise<Case | undefined> {
  await sql`select pg_advisory_xact_lock(hashtext(${`case ${key}`}))`.execute(db)
  return db
    .selectFrom('assistant_cases as c')
    .selectAll('c')
    .where('c.status', '<>', 'closed')
    .where(sql<boolean>`${fits}`)
    .where(sql<boolean>`(c.kind <> 'hand_over' or c.dangers <> '{}')`)
    .where(
      sql<boolean>`coalesce(c.last_entry_at, c.created_at) > ${new Date(now.valueOf() - JOINS_FOR_MINUTES * 60_000)}`,
    )
    .orderBy('c.created_at', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
}

/**
 * Adds messages to a locked case and notifies its assignee, or else the coordinators already notified, of all but the
 * first `known`. Past the limit, messages without an account or number are only counted. Returns their references.
 */
export async function addEntries(
  db: Db,
  row: Case,
  inputs: readonly NewCase[],
  now: Date,
  { known = 0 }: { known?: number } = {},
): Promise<string[]> {
  const entries = inputs.map((input) => ({ input, reference: newReference(now) }))
  const stored = entries.filter(({ input }, at) => isStored(input, row.entry_count + at))
  const maxTextLength = row.entry_count < MAX_FULL_TEXT_ENTRIES ? MAX_ENTRY_LENGTH : MAX_LATE_TEXT_LENGTH
  if (stored.length > 0)
    await db
      .insertInto('assistant_case_entries')
      .values(
        stored.map(({ input, reference }) => ({
          case_id: row.id,
          reference,
          kind: input.kind,
          dangers: [...input.dangers],
          user_id: input.userId,
          name: input.name,
          safe_phone: input.safePhone ?? null,
          safe_time: input.safeTime ?? null,
          language: input.language,
          text: endOf(input.originalText, input.isLow ? maxTextLength : MAX_ENTRY_LENGTH),
          is_low: input.isLow,
          split_to: null,
          received_at: now,
        })),
      )
      .execute()
  await db
    .updateTable('assistant_cases')
    .set({
      entry_count: row.entry_count + inputs.length,
      last_entry_at: now,
      dangers: [...new Set([...row.dangers, ...inputs.flatMap(({ dangers }) => dangers)])],
      // Raises the case to danger.
      ...(inputs.some(({ kind }) => kind === 'danger') ? { kind: 'danger' as const } : {}),
    })
    .where('id', '=', row.id)
    .execute()
  if (inputs.length > known) await announceEntries(db, row, entries.slice(known), now)
  return entries.map(({ reference }) => reference)
}

/** A message with a way to call back is always stored. */
const isStored = ({ userId, safePhone }: NewCase, before: number): boolean =>
  Boolean(userId || safePhone) || before < MAX_UNKNOWN_ENTRIES

async function announceEntries(
  db: Db,
  row: Case,
  entries: readonly { input: NewCase; reference: string }[],
  now: Date,
): Promise<void> {
  const { input, reference } = firstOf(entries)
  const rank = row.is_group ? 4 : rankOf({ ...input, phoneKey: phoneKeyOf(input.safePhone, input.country) })
  const users = await takeAlarms(
    db,
    row.taken_by ? [row.taken_by] : row.helpers,
    {
      caseId: row.id,
      country: row.country_code,
      class: alarmClassOf(rank, isUrgent(input)),
      count: entries.length,
    },
    now,
  )
  if (users.length === 0) return
  await announce(db, {
    key: `assistant-case-text ${row.id} ${reference}`,
    kind: 'roll_call',
    priority: 'urgent',
    template: 'assistant-case',
    texts: textsOf((language) => ({
      title: fill(caseTexts[language].title_joined, { reference: row.reference }),
      message: fill(caseTexts[language].message_joined, { reference: row.reference }),
    })),
    actionUrl: `/admin/assistant/cases/${row.id}`,
    audience: { users },
    channels: [...CHANNELS],
  })
}

const endOf = (text: string, max: number) => (text.length > max ? `…${text.slice(1 - max)}` : text)
