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

/** The fields of an announcement needed to render it. */
export interface Announced {
  id: string
  kind: Kind
  template: string
  texts: Record<Language, Record<string, string>>
  actionUrl: string | null
  advisoryId: string | null
  /** The roll call, if it is one. */
  rollCallId: string | null
  priority?: Priority
  /** The country it concerns, if there is exactly one. */
  countryCode?: string | null
  /** Author of a manual announcement. */
  writer?: Writer | null
  /** The confirmed emergency number of that country. */
  emergencyPhone?: string | undefined
}

const CACHE_MS = 60_000
const MAX_CACHED = 200
/** Placeholders in announcement content, filled per recipient. */
export const PLACES = { name: '{{name}}', unsubscribe: '{{unsubscribe}}', answer: '{{answer}}' }

export type ContentCache = ReturnType<typeof createContentCache>

/** Announcement content, rendered once per language and cached while it is sent. */
export function createContentCache(publicUrl: string) {
  const known = new Map<
    string,
    { until: number; announced: Announced; content: Map<string, MessageContent | DeliveryFailure> }
  >()

  return {
    /** Loads announcements that are not cached. */
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

    /** The same object for the same announcement, language and brand. A failure if it cannot be rendered. */
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

/** Per country: the general emergency number, else the police, if confirmed and not expired. */
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

/** The country whose emergency numbers belong in an announcement: that of its advisory, or of its whole audience. */
export function countryCodeOf({ texts, audience }: Pick<Selectable<AnnouncementsTable>, 'texts' | 'audience'>) {
  const [code, ...others] = audience?.countries ?? []
  return texts.en?.emergency_country ?? (others.length === 0 ? (code ?? null) : null)
}

/** Urgent messages of these templates end with a link to emergency numbers; the others go to helpers. */
const WITH_EMERGENCY: ReadonlySet<string> = new Set(['advisory', 'notice', 'roll-call', 'roll-call-taken'])

function emergencyOf({ priority, template, countryCode }: Announced, publicUrl: string): string | undefined {
  if (priority !== 'urgent' || !WITH_EMERGENCY.has(template)) return undefined
  return emergencyUrl(countryCode ?? null, publicUrl)
}

/** Renders an announcement; values of the recipient stay placeholders. */
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
  // If nothing was written in the recipient's language, the other language is used, for the frame too.
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
      // The reply keywords stay with the link, which is never cut.
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

/** Author text must never be taken for a placeholder: an invisible word joiner separates the braces. */
const plain = (text: string) => text.replaceAll('{{', '{\u2060{')
