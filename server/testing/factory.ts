import { createHash, randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { FeedItem } from '#server/advisories/feeds/feed.ts'
import type { Db } from '#server/db/connection.ts'
import type { AdvisorySourcesTable, TravelAdvisoriesTable } from '#server/db/tables-advisories.ts'

let made = 0

/** Inserts a realistic source; pass only what the test is about. Returns its row. */
export function insertSource(db: Db, source: Partial<Insertable<AdvisorySourcesTable>> = {}) {
  made += 1
  return db
    .insertInto('advisory_sources')
    .values({
      id: `source-${made}`,
      name: 'United States',
      organization: 'U.S. Department of State',
      authority: `authority-${made}`,
      country_code: 'US',
      reader: 'us-rss',
      url: 'https://travel.example/feed.xml',
      homepage: 'https://travel.example/',
      licence: 'Public domain',
      ...source,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Inserts an advisory in force, with a new source unless one is specified. Returns its row. */
export async function insertAdvisory(db: Db, advisory: Partial<Insertable<TravelAdvisoriesTable>> = {}) {
  made += 1
  const source_id = advisory.source_id ?? (await insertSource(db)).id
  const title = advisory.title ?? `Japan: Exercise Normal Precautions ${made}`
  return db
    .insertInto('travel_advisories')
    .values({
      external_id: `entry-${made}`,
      title,
      description: 'Nothing unusual is known.',
      severity_level: 'info',
      affected_countries: ['Japan'],
      country_codes: ['JP'],
      source_organization: 'U.S. Department of State',
      source_url: 'https://travel.example/japan',
      original_level: '1',
      original_wording: 'Level 1: Exercise Normal Precautions',
      last_updated: new Date('2026-01-15T00:00:00Z'),
      date_precision: 'day',
      content_hash: createHash('sha256').update(title).digest('hex'),
      search_text: title.toLowerCase(),
      ...advisory,
      source_id,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** An entry as parsed by a feed reader. */
export function feedItem(item: Partial<FeedItem> = {}): FeedItem {
  const external_id = item.external_id ?? randomUUID()
  return {
    title: 'Japan: Exercise Normal Precautions',
    description: 'Nothing unusual is known.',
    detailed_information: '<p>Nothing unusual is known.</p>',
    recommendations: [],
    severity_level: 'info',
    is_urgent: false,
    advisory_type: 'general',
    original_level: '1',
    original_wording: 'Level 1: Exercise Normal Precautions',
    country_codes: ['JP'],
    unresolved_countries: [],
    affected_regions: [],
    affected_cities: [],
    effective_date: null,
    expiry_date: null,
    last_updated: new Date('2026-01-15T00:00:00Z'),
    date_precision: 'day',
    source_url: `https://travel.example/${external_id}`,
    language: 'en',
    status: 'actual',
    supersedes: [],
    is_cancellation: false,
    ...item,
    external_id,
  }
}
