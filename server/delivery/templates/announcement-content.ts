import { type Selectable, sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import type { AnnouncementsTable } from '#server/db/tables-notifications.ts'
import type { Kind, Priority } from '#shared/delivery/kinds.ts'
import { emergencyUrl } from '#shared/emergency/address.ts'
import { AppError } from '#shared/errors.ts'
import { type Language, languageOf } from '#shared/language.ts'
import { DeliveryFailure } from '../delivery-result.ts'
import { MANDATORY_TEMPLATES } from '../mandatory-templates.ts'
import type { MessageContent } from '../outbound-message.ts'
import { plainLinks, type Writer } from './authored-mail.ts'
import { instructionLine } from './instruction-line.ts'
import { emergencyLabel, render, TEXTS, type Template } from './render.ts'
import { checkValues } from './required-values.ts'

/** What was announced, as far as its words need it. */
export interface Announced {
  id: string
  kind: Kind
  template: string
  texts: Record<Language, Record<string, string>>
  actionUrl: string | null
  advisoryId: string | null
  /** The roll-call it asks for, where it is one. */
  rollCallId: string | null
  priority?: Priority
  /** The one country it is about, where it is about one. */
  countryCode?: string | null
  /** Of a notice: who sends it. */
  writer?: Writer | null
  /** The confirmed number to call there. */
  emergencyPhone?: string | undefined
}

const CACHE_MS = 60_000
const MAX_CACHED = 200
/** Places in the words of an announcement that each reader's message fills. */
export const PLACES = { name: '{{name}}', unsubscribe: '{{unsubscribe}}', answer: '{{answer}}' }

export type ContentCache = ReturnType<typeof createContentCache>

/** Words of announcements, put together once for all who read them in one language, and kept while they go out. */
export function createContentCache(publicUrl: string) {
  const known = new Map<
    string,
    { until: number; announced: Announced; content: Map<string, MessageContent | DeliveryFailure> }
  >()

  return {
    /** Reads those of the announcements that are not at hand. */
    async load(db: Db, ids: Iterable<string>): Promise<void> {
      const now = Date.now()
      const missing = [...new Set(ids)].filter((id) => (known.get(id)?.until ?? 0) < now)
      if (missing.length === 0) return
      if (known.size > MAX_CACHED) known.clear()
      for (const announced of await findAnnounced(db, missing))
        known.set(announced.id, { until: now + CACHE_MS, announced, content: new Map() })
    },

    hasAll: (ids: string[]) => ids.every((id) => (known.get(id)?.until ?? 0) >= Date.now()),

    find: (id: string): Announced | undefined => known.get(id)?.announced,

    /** The same object for the same announcement, language and brand. A failure where they cannot be put together. */
    contentOf(id: string, language: Language, brand: string): MessageContent | DeliveryFailure {
      const entry = known.get(id)
      if (!entry) return new DeliveryFailure('Advisory data not found', { isFinal: true })
      const key = `${language} ${brand}`
      const content = entry.content.get(key) ?? renderAnnouncement(entry.announced, language, { brand, publicUrl })
      entry.content.set(key, content)
      return content
    },
  }
}

async function findAnnounced(db: Db, ids: string[]): Promise<Announced[]> {
  const rows = await db
    .selectFrom('announcements as n')
    .leftJoin('roll_calls as r', (join) =>
      join.on(sql<boolean>`n.id = r.announcement_id or n.id = any(r.reminder_ids)`),
    )
    .select(['n.id', 'n.kind', 'n.template', 'n.texts', 'n.action_url', 'n.advisory_id', 'r.id as roll_call_id'])
    .leftJoin('user_profiles as w', (join) => join.onRef('w.id', '=', 'n.created_by').on('n.template', '=', 'notice'))
    .select(['n.priority', 'n.audience', 'w.display_name as writer_name', 'w.role as writer_role'])
    .where('n.id', 'in', ids)
    .execute()
  const phones = await findEmergencyPhones(db, rows.map(countryCodeOf))
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    template: row.template,
    texts: row.texts,
    actionUrl: row.action_url,
    advisoryId: row.advisory_id,
    rollCallId: row.roll_call_id,
    priority: row.priority,
    countryCode: countryCodeOf(row),
    writer: row.writer_name && row.writer_role ? { name: row.writer_name, role: row.writer_role } : null,
    emergencyPhone: phones.get(countryCodeOf(row) ?? ''),
  }))
}

/** By country: the general emergency number, else that of the police, where it is confirmed and not past its date. */
async function findEmergencyPhones(db: Db, codes: (string | null)[]): Promise<Map<string, string>> {
  const countries = codes.filter((code) => code !== null)
  if (countries.length === 0) return new Map()
  const { rows } = await sql<{ country_code: string; phone: string }>`
    select distinct on (country_code) country_code, value ->> 'phone' as phone from assistant_facts
    where kind = 'hotline' and code in ('emergency', 'police') and is_active and valid_until >= current_date
      and country_code = any(${countries})
    order by country_code, code, position, id`.execute(db)
  return new Map(rows.map(({ country_code, phone }) => [country_code, phone]))
}

/** The country whose emergency numbers belong under an announcement: that of its advisory, or of all who get it. */
export function countryCodeOf({ texts, audience }: Pick<Selectable<AnnouncementsTable>, 'texts' | 'audience'>) {
  const [code, ...others] = audience?.countries ?? []
  return texts.en?.emergency_country ?? (others.length === 0 ? (code ?? null) : null)
}

/** Urgent messages of these end with the way to emergency numbers; others go to those who help. */
const WITH_EMERGENCY: ReadonlySet<string> = new Set(['advisory', 'notice', 'roll-call', 'roll-call-taken'])

function emergencyOf({ priority, template, countryCode }: Announced, publicUrl: string): string | undefined {
  if (priority !== 'urgent' || !WITH_EMERGENCY.has(template)) return undefined
  return emergencyUrl(countryCode ?? null, publicUrl)
}

/** Puts an announcement into words; what is the reader's own stays a place. */
export function renderAnnouncement(
  announced: Announced,
  wanted: Language,
  { brand, publicUrl }: { brand: string; publicUrl: string },
): MessageContent | DeliveryFailure {
  const { id, template, actionUrl, advisoryId, rollCallId } = announced
  if (!isTemplate(template)) return new DeliveryFailure('Unsupported notification type', { isFinal: true })
  const texts = Object.fromEntries(
    Object.entries(announced.texts[wanted] ?? {}).map(([name, text]) => [
      name,
      plain(template === 'notice' ? plainLinks(text) : text),
    ]),
  )
  // Who reads a language in which nothing was written gets the other, in a frame of that one.
  const language = languageOf(texts.written_in) ?? wanted
  const link = rollCallId ? PLACES.answer : actionUrl ? `${publicUrl}${actionUrl}` : undefined
  const unsubscribe = MANDATORY_TEMPLATES.has(template) ? undefined : PLACES.unsubscribe
  const emergency = emergencyOf(announced, publicUrl)
  const { emergencyPhone: emergency_phone } = announced
  const writer = announced.writer && { writer_name: plain(announced.writer.name), writer_role: announced.writer.role }
  const values = { ...texts, ...writer, brand, link, name: PLACES.name, unsubscribe, emergency, emergency_phone }
  try {
    checkValues(template, values)
    const { subject, text, html } = render(template, language, values as never)
    const { title = '', message = '', news = message, reply } = texts
    const foot = emergency && `${emergencyLabel(language, emergency_phone)} ${emergency}`
    return {
      language,
      subject,
      text,
      html,
      // The words to reply stay with the link, which is never cut.
      short: {
        instruction: instructionLine(texts, language),
        title,
        message: news,
        link: reply && link ? `${reply} ${link}` : (link ?? null),
        foot,
      },
      push: {
        title,
        body: [message, foot].filter(Boolean).join('\n'),
        url: link ?? publicUrl,
        tag: advisoryId ?? id,
        id,
      },
    }
  } catch (error) {
    const details = error instanceof AppError ? Object.values(error.fields ?? {}) : []
    const reason = [(error as Error).message, details.join(', ')].filter(Boolean).join(': ')
    return new DeliveryFailure(reason, { isFinal: true })
  }
}

const isTemplate = (name: string): name is Template => Object.hasOwn(TEXTS.en.templates, name)

/** What somebody wrote is never taken for a place: the braces get a sign between them that is not seen. */
const plain = (text: string) => text.replaceAll('{{', '{\u2060{')
