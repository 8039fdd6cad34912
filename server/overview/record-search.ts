import { sql } from 'kysely'
import { listManaged } from '#server/advisories/admin/advisory-list.ts'
import type { AdvisoryModel } from '#server/advisories/model.ts'
import { findFacts } from '#server/assistant/facts/queries.ts'
import { findSources } from '#server/assistant/knowledge/upkeep.ts'
import { listManagedRows } from '#server/churches/admin/queries.ts'
import { agesOf } from '#server/churches/care.ts'
import { findMyChurches } from '#server/churches/care-queries.ts'
import { listChapterRows } from '#server/churches/chapters/queries.ts'
import type { Countries } from '#server/countries/reference.ts'
import { asPortal } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { inLanguages, matches, pageOf } from '#server/db/lists.ts'
import type { SignedIn } from '#server/http/session.ts'
import { listAnnouncements } from '#server/notifications/admin/announcements/queries.ts'
import { IN_SCOPE } from '#server/roll-calls/queries.ts'
import type { SettingsModel } from '#server/settings/settings.ts'
import { ManagedQuery } from '#shared/advisories/admin.ts'
import { ChapterQuery } from '#shared/churches/chapters.ts'
import { ManagedLocaleQuery } from '#shared/churches/managed-list.ts'
import { AnnouncementQuery } from '#shared/notifications/announcements.ts'
import { type FoundRecords, MAX_FOUND_RECORDS, RECORD_KINDS, type RecordKind } from '#shared/overview/record-search.ts'
import { type ACCESS, isAdmin, mayPass } from '#shared/roles.ts'

interface SearchDeps {
  advisories: AdvisoryModel
  settings: SettingsModel
  countries: () => Countries
}

interface Search extends SearchDeps {
  search: string
  user: SignedIn
  now: Date
}

type Found = Pick<FoundRecords, 'total' | 'rows'>
type Row = FoundRecords['rows'][number]

const PAGE = { page: 1, per_page: MAX_FOUND_RECORDS }

/**
 * Records that contain a text, of every kind that the caller may list: by the same queries as the lists, in the caller's
 * name, so that the row-level policies hold and the totals are those of the lists. Kinds without a match are left out.
 */
export async function findRecords(db: Db, of: Search): Promise<FoundRecords[]> {
  const found: FoundRecords[] = []
  for (const kind of RECORD_KINDS) {
    if (!mayPass(LISTED_BY[kind], of.user.role)) continue
    const { total, rows } = await FIND[kind](db, of)
    if (total > 0) found.push({ kind, total: Number(total), rows: rows.slice(0, MAX_FOUND_RECORDS) })
  }
  return found
}

/** Row of the table of roles that opens the list of each kind. */
const LISTED_BY = {
  cases: 'takeCases',
  churches: 'careForLocales',
  advisories: 'manageAdvisories',
  announcements: 'composeAnnouncements',
  roll_calls: 'rollCalls',
  chapters: 'readChapters',
  pdos_modules: 'readPdosModules',
  faq: 'manageFaq',
  facts: 'manageAssistant',
  knowledge: 'manageAssistant',
} as const satisfies Record<RecordKind, keyof typeof ACCESS>

const row = (id: string, title: string, detail: string | null = null, country_code: string | null = null): Row => ({
  ...{ id, title, detail, country_code },
})

const FIND: Record<RecordKind, (db: Db, of: Search) => Promise<Found>> = {
  cases: async (db, { search }) => {
    // Their own cases are visible to users too, but are not on the list.
    const matching = db
      .selectFrom('assistant_cases as c')
      .select(['c.id', 'c.reference', 'c.name', 'c.country_code'])
      .where(sql<boolean>`portal_takes_cases(c.country_code, c.chapter_id)`)
      .where(matches(search, ['c.reference', 'c.name', 'c.summary', 'c.original_text']))
    const { rows, total } = await pageOf(matching, PAGE, (q) => q.orderBy('c.created_at', 'desc').orderBy('c.id'))
    return { total, rows: rows.map((found) => row(found.id, found.reference, found.name, found.country_code)) }
  },

  churches: async (db, { search, user, settings }) => {
    const { locales, total } = isAdmin(user.role)
      ? await listManagedRows(db, ManagedLocaleQuery.parse({ ...PAGE, search }))
      : await findMyChurches(db, { search, limit: PAGE.per_page, offset: 0 }, agesOf(settings))
    return { total, rows: locales.map((found) => row(found.id, found.name, found.city, found.country_code)) }
  },

  advisories: async (db, { search, advisories, now }) => {
    const query = ManagedQuery.parse({ ...PAGE, search })
    const { advisories: found, total } = await listManaged(db, query, { model: advisories, now })
    return { total, rows: found.map((of) => row(of.id, of.title, of.source_name, of.country_codes[0] ?? null)) }
  },

  announcements: async (db, { search, user }) => {
    // As on their list: the service counts messages, and coordinators see their own announcements only.
    const query = AnnouncementQuery.parse({ ...PAGE, search })
    const author = isAdmin(user.role) ? undefined : user.id
    const { announcements, total } = await asPortal(db, () => listAnnouncements(db, query, author))
    return { total: Number(total), rows: announcements.map(({ id, title }) => row(id, title)) }
  },

  roll_calls: async (db, { search }) => {
    const matching = db
      .selectFrom('roll_calls as r')
      .select(['r.id', 'r.title', 'r.country_codes'])
      .where(IN_SCOPE)
      .where(matches(search, ['r.title', 'r.message']))
    const { rows, total } = await pageOf(matching, PAGE, (q) => q.orderBy('r.started_at', 'desc').orderBy('r.id'))
    return { total, rows: rows.map(({ id, title, country_codes }) => row(id, title, null, country_codes[0] ?? null)) }
  },

  chapters: async (db, { search, countries }) => {
    const { chapters, total } = await listChapterRows(db, ChapterQuery.parse({ ...PAGE, search }), countries())
    return { total, rows: chapters.map((of) => row(of.id, of.chapter_name, of.city, of.country_code)) }
  },

  pdos_modules: async (db, { search }) => {
    const matching = db
      .selectFrom('pdos_modules')
      .select(['id', 'code', 'title_en'])
      .where(matches(search, ['code', 'title_en', 'title_ar']))
    const { rows, total } = await pageOf(matching, PAGE, (q) => q.orderBy('position').orderBy('id'))
    return { total, rows: rows.map(({ id, title_en, code }) => row(id, title_en, code)) }
  },

  faq: async (db, { search }) => {
    const matching = db
      .selectFrom('faq_entries')
      .select(['id', sql<string>`question ->> 'en'`.as('question')])
      .where(matches(search, ['slug', ...inLanguages('question'), ...inLanguages('answer')]))
    const { rows, total } = await pageOf(matching, PAGE, (q) =>
      // What it is about before what it mentions.
      q
        .orderBy(matches(search, inLanguages('question')), 'desc')
        .orderBy('position')
        .orderBy('id'),
    )
    return { total, rows: rows.map(({ id, question }) => row(id, question)) }
  },

  facts: async (db, { search, countries, now }) => {
    const { facts, total } = await findFacts(db, { search, page: 1 } as never, { now, countries: countries() })
    return { total, rows: facts.map((of) => row(of.id, of.id, of.source_title, of.country_code)) }
  },

  knowledge: async (db, { search }) => {
    const { sources, total } = await findSources(db, { search, page: 1 })
    return { total, rows: sources.map((of) => row(of.id, of.page_title, of.source_domain)) }
  },
}
