import { type Selectable, sql } from 'kysely'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import type { AnnouncementsTable } from '#server/db/tables-notifications.ts'
import type { Kind, Priority } from '#shared/delivery/kinds.ts'
import { emergencyUrl } from '#shared/emergency/address.ts'
import { AppError } from '#shared/errors.ts'
import { inLanguage, type Language, type Localized, languageOf } from '#shared/language.ts'
import { DeliveryError } from '../delivery-result.ts'
import type { MessageContent } from '../outbound-message.ts'
import { MANDATORY_TEMPLATES } from '../outbox.ts'
import { plainLinks, type Writer } from './authored-mail.ts'
import { instructionLine } from './instruction-line.ts'
import { emergencyLabel, renderChecked, TEXTS, type Template } from './render.ts'
import { checkValues } from './required-values.ts'

/** The fields of an announcement needed to render it. */
export interface AnnouncementSource {
  id: string
  kind: Kind
  template: string
  texts: Localized<Record<string, string>>
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

/** An announcement with its content, rendered once per language and brand. */
export interface CachedAnnouncement {
  source: AnnouncementSource
  /** The same object for the same language and brand. An error if it cannot be rendered. */
  contentOf(language: Language, brand: string): MessageContent | DeliveryError
}

/** Announcement content, cached while it is sent. */
export function createContentCache(publicUrl: string) {
  const cache = new Map<string, { until: number; announcement: CachedAnnouncement }>()
  return {
    /** The announcements with these ids; loads those that are not cached. */
    async load(database: Database, ids: readonly string[]): Promise<ReadonlyMap<string, CachedAnnouncement>> {
      const now = Date.now()
      const found = new Map<string, CachedAnnouncement>()
      const missing: string[] = []
      for (const id of new Set(ids)) {
        const entry = cache.get(id)
        if (entry && entry.until >= now) found.set(id, entry.announcement)
        else missing.push(id)
      }
      if (missing.length === 0) return found
      const sources = await inBackground(database, 'messages', (db) => loadAnnouncements(db, missing))
      if (cache.size > MAX_CACHED) cache.clear()
      for (const source of sources) {
        const announcement = withContent(source, publicUrl)
        cache.set(source.id, { until: now + CACHE_MS, announcement })
        found.set(source.id, announcement)
      }
      return found
    },
  }
}

function withContent(source: AnnouncementSource, publicUrl: string): CachedAnnouncement {
  const rendered = new Map<string, MessageContent | DeliveryError>()
  return {
    source,
    contentOf(language, brand) {
      const key = `${language} ${brand}`
      const content = rendered.get(key) ?? renderAnnouncement(source, language, { brand, publicUrl })
      rendered.set(key, content)
      return content
    },
  }
}

async function loadAnnouncements(db: Db, ids: string[]): Promise<AnnouncementSource[]> {
  const rows = await db
    .selectFrom('announcements as n')
    .leftJoin('roll_calls as r', (join) =>
      join.on(sql<boolean>`n.id = r.announcement_id or n.id = any(r.reminder_ids)`),
    )
    .select(['n.id', 'n.kind', 'n.template', 'n.texts', 'n.action_url', 'n.advisory_id', 'r.id as roll_call_id'])
    .leftJoin('user_profiles as w', (join) =>
      join.onRef('w.id', '=', 'n.created_by').on('n.template', '=', 'announcement'),
    )
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
const WITH_EMERGENCY: ReadonlySet<string> = new Set(['advisory', 'announcement', 'roll-call', 'roll-call-taken'])

function emergencyOf({ priority, template, countryCode }: AnnouncementSource, publicUrl: string): string | undefined {
  if (priority !== 'urgent' || !WITH_EMERGENCY.has(template)) return undefined
  return emergencyUrl(countryCode ?? null, publicUrl)
}

/** Renders an announcement; values of the recipient stay placeholders. */
export function renderAnnouncement(
  source: AnnouncementSource,
  wanted: Language,
  { brand, publicUrl }: { brand: string; publicUrl: string },
): MessageContent | DeliveryError {
  const { id, template, actionUrl, advisoryId, rollCallId } = source
  if (!isTemplate(template)) return new DeliveryError('Unsupported notification type', { isFinal: true })
  const texts = Object.fromEntries(
    Object.entries(inLanguage(source.texts, wanted)).map(([name, text]) => [
      name,
      plain(template === 'announcement' ? plainLinks(text) : text),
    ]),
  )
  // If nothing was written in the recipient's language, another is used, for the frame too.
  const language = languageOf(texts.written_in) ?? (source.texts[wanted] ? wanted : 'en')
  const link = rollCallId ? PLACES.answer : actionUrl ? `${publicUrl}${actionUrl}` : undefined
  const unsubscribe = MANDATORY_TEMPLATES.has(template) ? undefined : PLACES.unsubscribe
  const emergency = emergencyOf(source, publicUrl)
  const { emergencyPhone: emergency_phone } = source
  const writer = source.writer && { writer_name: plain(source.writer.name), writer_role: source.writer.role }
  const values = { ...texts, ...writer, brand, link, name: PLACES.name, unsubscribe, emergency, emergency_phone }
  try {
    checkValues(template, values)
    const { subject, text, html } = renderChecked(template, language, values)
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
    return new DeliveryError(reason, { isFinal: true })
  }
}

const isTemplate = (name: string): name is Template => Object.hasOwn(TEXTS.en.templates, name)

/** Author text must never be taken for a placeholder: an invisible word joiner separates the braces. */
const plain = (text: string) => text.replaceAll('{{', '{\u2060{')
