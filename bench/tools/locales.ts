import { sql } from 'kysely'
import { listCities } from '#server/churches/cities.ts'
import { type PublicLocaleRow, publicRow, type WholeLocale } from '#server/churches/projection.ts'
import { createCountries } from '#server/countries/reference.ts'
import { type Database, openPostgres } from '#server/db/connection.ts'
import { mulberry32 } from './seed.ts'

const BATCH = 2_000
const STREETS =
  `Main Street|Church Road|Rizal Avenue|King Street|Calle Mayor|Rue de la Paix|Bahnhofstraße|Via Roma|شارع السلام|Avenida Brasil|中央通り|улица Мира`.split(
    '|',
  )
const SERVICES = [
  { day_of_week: 3, start_time: '19:00:00', service_type: 'prayer_meeting' },
  { day_of_week: 6, start_time: '18:00:00', service_type: 'thanksgiving' },
  { day_of_week: 0, start_time: '10:00:00', service_type: 'worship_service' },
] as const

/**
 * Fills an open, migrated database with generated locales at real cities, so that density is realistic; deterministic.
 * One in a hundred has no coordinates, one in twenty is discreet.
 */
export async function seedLocales(database: Database, count = 100_000): Promise<void> {
  const wholes = makeLocales(count)
  const kysely = database.background.kysely
  // Indexes are created after the rows, and no change notifications are sent.
  const { rows: indexes } = await sql<{ indexname: string; indexdef: string }>`
    select indexname, indexdef from pg_indexes where schemaname = 'public'
      and tablename in ('locales', 'public_locales') and indexdef not like '%UNIQUE%'`.execute(kysely)
  for (const { indexname } of indexes) await sql`drop index ${sql.id(indexname)}`.execute(kysely)
  for (const table of ['locales', 'public_locales'])
    await sql`alter table ${sql.id(table)} disable trigger user`.execute(kysely)
  for (let at = 0; at < wholes.length; at += BATCH) {
    const batch = wholes.slice(at, at + BATCH)
    await insert(
      database,
      'locales',
      batch.map(({ locale }) => locale),
    )
    await insert(
      database,
      'public_locales',
      batch
        .map(publicRow)
        .filter((row) => row !== null)
        .map(withJson),
    )
  }
  for (const table of ['locales', 'public_locales'])
    await sql`alter table ${sql.id(table)} enable trigger user`.execute(kysely)
  for (const { indexdef } of indexes) await sql.raw(indexdef).execute(kysely)
  await sql`analyze locales, public_locales`.execute(kysely)
}

/** The same for a database given by its URL, which is returned. */
export async function withLocales(url: string, count: number): Promise<string> {
  const database = openPostgres(url, { poolSize: 2 })
  await seedLocales(database, count)
  await database.close()
  return url
}

async function insert(database: Database, table: string, rows: object[]): Promise<void> {
  await sql`insert into ${sql.id(table)}
    select * from json_populate_recordset(null::${sql.id(table)}, ${JSON.stringify(rows)}::json)`.execute(
    database.background.kysely,
  )
}

const withJson = ({ servants, schedules, photos, ...row }: PublicLocaleRow) => ({
  ...row,
  servants: JSON.parse(servants as string),
  schedules: JSON.parse(schedules as string),
  photos: JSON.parse(photos as string),
})

function makeLocales(count: number): WholeLocale[] {
  const random = mulberry32(1)
  const int = (n: number) => Math.floor(random() * n)
  const cities = listCities()
  for (let i = cities.length - 1; i > 0; i--) {
    const j = int(i + 1)
    ;[cities[i], cities[j]] = [cities[j]!, cities[i]!]
  }
  const countries = createCountries()
  const now = new Date('2026-01-01T00:00:00Z')
  return Array.from({ length: count }, (_, i): WholeLocale => {
    const city = cities[i % cities.length]!
    const [longitude, latitude] = city.loc.coordinates
    const jitter = () => (random() - 0.5) * 0.02
    const hasPoint = random() >= 0.01
    const id = uuid(int)
    const mode = random() < 0.05 ? 'approximate' : null
    return {
      locale: {
        id,
        external_id: null,
        name: `Locale of ${city.name}`,
        common_name: `${city.name} congregation`,
        local_name: null,
        local_address: null,
        address_line1: `${1 + int(999)} ${STREETS[int(STREETS.length)]}`,
        address_line2: random() < 0.2 ? `Unit ${1 + int(40)}` : null,
        city: city.name,
        state_province: city.adminCode ? `${city.country}-${city.adminCode}` : null,
        postal_code: String(10_000 + int(89_999)),
        country_code: city.country,
        latitude: hasPoint ? Number((latitude + jitter()).toFixed(6)) : null,
        longitude: hasPoint ? Number(Math.min(180, Math.max(-180, longitude + jitter())).toFixed(6)) : null,
        timezone: 'UTC',
        phone: `+00 ${String(int(1e9)).padStart(9, '0')}`,
        email: `locale${i}@bench.invalid`,
        website: random() < 0.3 ? `https://bench.invalid/${i}` : null,
        online_url: null,
        languages: random() < 0.5 ? ['en'] : ['en', 'tl'],
        has_physical_locale: random() < 0.9,
        general_contact_available: true,
        locale_status: 'active',
        is_public: true,
        discreet_mode: mode,
        located_in: city.country,
        closed_since: null,
        closed_until: null,
        closed_reason: null,
        chapter_id: null,
        confirmed_at: now,
        confirmed_by: null,
        confirmed_as: 'local_servant',
        confirmation_requested_at: null,
        created_at: now,
        updated_at: now,
      },
      mode: mode ?? 'exact',
      country_name: countries.find(city.country)?.name ?? null,
      chapter_name: null,
      servants: [
        {
          id: uuid(int),
          locale_id: id,
          user_id: null,
          name: 'Specimen servant',
          role: 'local_servant',
          phone: '+00 000',
          email: null,
          is_name_public: true,
          is_contact_public: true,
          agreed_at: now,
          position: 0,
        },
      ],
      schedules: SERVICES.map((service, position) => ({
        ...service,
        id: uuid(int),
        locale_id: id,
        recurrence: null,
        starts_on: null,
        ends_on: null,
        end_time: null,
        title: null,
        language: null,
        is_online: false,
        online_url: null,
        note: null,
        position,
      })),
      photos: [],
    }
  })
}

function uuid(int: (n: number) => number): string {
  const hex = Array.from({ length: 32 }, () => int(16).toString(16))
  hex[12] = '4'
  hex[16] = '8'
  return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
