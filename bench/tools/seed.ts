import { createHash } from 'node:crypto'
import type { Insertable, Selectable } from 'kysely'
import { inBackground } from '#server/db/claims.ts'
import { type Database, openPostgres } from '#server/db/connection.ts'
import { openPglite } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import type { TravelAdvisoriesTable } from '#server/db/tables-advisories.ts'
import type { Severity } from '#shared/advisories/severity.ts'
import countries from '#shared/countries/countries.json' with { type: 'json' }
import { fold } from '#shared/countries/fold.ts'

const ADVISORIES = 2_000
const BATCH = 100
const DAY_MS = 86_400_000
const SOURCES = ['north', 'east', 'south', 'west']
/** Realistic distribution: most advisories report little danger. */
const SEVERITIES: [Severity, number][] = [
  ['info', 0.35],
  ['caution', 0.25],
  ['warning', 0.2],
  ['critical', 0.13],
  ['emergency', 0.07],
]
const WORDS =
  `travellers should avoid all non-essential movement near the border because armed groups remain active roads may
  close without notice carry a copy of your passport register with the embassy keep emergency numbers at hand follow local news
  and instructions demonstrations can turn violent typhoon flood landslide health measures apply on arrival curfew in force
  between checkpoints`.split(/\s+/)

/** Fills an empty database with the same generated advisories every time. Their content is fictitious. */
export async function seed(database: Database): Promise<void> {
  await migrate(database)
  const random = mulberry32(1)
  const advisories = Array.from({ length: ADVISORIES }, (_, i) => advisory(i, random))
  await inBackground(database, 'bench', async (db) => {
    const now = new Date()
    await db
      .insertInto('advisory_sources')
      .values(SOURCES.map((id, i) => source(id, i, now)))
      .execute()
    for (let i = 0; i < advisories.length; i += BATCH) {
      const batch = advisories.slice(i, i + BATCH)
      const rows = await db.insertInto('travel_advisories').values(batch).returningAll().execute()
      const versions = rows.map((row) => ({ ...firstVersion(row), advisory_id: row.id }))
      await db.insertInto('advisory_versions').values(versions).execute()
    }
  })
}

export async function seedPostgres(url: string): Promise<void> {
  await using(openPostgres(url, { poolSize: 2 }), seed)
}

export async function seedDirectory(directory: string): Promise<void> {
  await using(await openPglite(directory), seed)
}

async function using(database: Database, fn: (database: Database) => Promise<void>): Promise<void> {
  await fn(database).finally(() => database.close())
}

function source(id: string, i: number, now: Date) {
  return {
    id: `bench-${id}`,
    name: `Made-up source ${id}`,
    organization: `Made-up Ministry of the ${id}`,
    authority: `bench-${id}`,
    country_code: null,
    reader: 'us-rss',
    url: `https://feed.invalid/${id}`,
    homepage: 'https://feed.invalid/',
    licence: 'Made up for measuring',
    interval_seconds: 86_400,
    position: 200 + i,
    last_attempt_at: now,
    last_success_at: now,
    next_attempt_at: new Date(now.getTime() + DAY_MS),
  }
}

function advisory(i: number, random: () => number): Insertable<TravelAdvisoriesTable> {
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!
  const words = (n: number) => Array.from({ length: n }, () => pick(WORDS)).join(' ')
  const severity_level = weighted(random())
  const places = Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(countries))
  // Markup and other scripts in the text, as in real feeds, so that escaping and compression do real work.
  const odd = i % 97 === 0 ? ' <b>&"\'</b> 警告 تحذير' : ''
  const title = `${places[0]!.name}: ${words(5)} (specimen ${i})${odd}`
  const description = `${words(45)}${odd}.`
  const names = [...new Set(places.map(({ name }) => name))]
  const organization = SOURCES[i % SOURCES.length]!
  return {
    source_id: `bench-${organization}`,
    external_id: `specimen-${i}`,
    title,
    description,
    detailed_information: `<p>${words(70)}.</p><p>${words(40)}.</p>`,
    severity_level,
    advisory_type: pick(['general', 'security', 'health', 'weather', 'transport'] as const),
    affected_countries: names,
    country_codes: [...new Set(places.map(({ code }) => code))],
    affected_regions: [words(2)],
    recommendations: Array.from({ length: 4 }, () => words(12)),
    source_organization: `Made-up Ministry of the ${organization}`,
    source_url: `https://feed.invalid/${i}`,
    original_level: '1',
    original_wording: `Level of ${severity_level}`,
    last_updated: new Date(Date.UTC(2026, 0, 1) - Math.floor(random() * 120 * DAY_MS)),
    content_hash: createHash('sha256').update(title).digest('hex'),
    is_active: random() < 0.8,
    is_urgent: severity_level === 'emergency' || random() < 0.03,
    search_text: fold([title, description, ...names].join(' \n ')),
  }
}

function firstVersion(row: Selectable<TravelAdvisoriesTable>) {
  const { last_updated, date_precision, severity_level, title, original_wording, description } = row
  const changes = '[]' as never
  return { version: 1, last_updated, date_precision, severity_level, title, original_wording, description, changes }
}

function weighted(share: number): Severity {
  let left = share
  for (const [severity, weight] of SEVERITIES) {
    left -= weight
    if (left < 0) return severity
  }
  return 'info'
}

/** Small, fast, and deterministic. */
export function mulberry32(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
