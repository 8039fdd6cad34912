import type { Insertable } from 'kysely'
import { locate } from '#server/churches/locating.ts'
import { projectLocales } from '#server/churches/projection.ts'
import { createCountries } from '#server/countries/reference.ts'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import type { LocaleSchedulesTable, LocalesTable } from '#server/db/tables-churches.ts'
import type { Log } from '#server/log.ts'
import { fold } from '#shared/countries/fold.ts'
import { SAMPLE_CHAPTERS, SAMPLE_COUNTRIES, type SampleLocale } from './locales.ts'

const DAY_MS = 86_400_000
/** The demo login that is responsible for a locale. */
const SERVANT = 'servant@sample.invalid'
const SERVED = 'Shinjuku'

type Schedule = Omit<Insertable<LocaleSchedulesTable>, 'locale_id' | 'position'>

const WEEKLY: Schedule[] = [
  { day_of_week: 3, start_time: '19:00', end_time: '20:30', service_type: 'prayer_meeting' },
  { day_of_week: 6, start_time: '18:00', end_time: '20:00', service_type: 'thanksgiving' },
  { day_of_week: 0, start_time: '10:00', end_time: '12:00', service_type: 'worship_service' },
]
/** Additional schedules of some locales. */
const FURTHER: Record<string, Schedule[]> = {
  Shinjuku: [
    {
      recurrence: 'FREQ=MONTHLY;BYDAY=-1SA',
      starts_on: '2026-01-31',
      start_time: '14:00',
      end_time: '15:30',
      service_type: 'other',
      title: 'Meeting of newcomers',
      language: 'tl',
    },
  ],
  Dubai: [
    {
      day_of_week: 5,
      start_time: '23:00',
      end_time: '01:00',
      service_type: 'prayer_meeting',
      title: 'Night of prayer',
    },
  ],
  Manila: [
    {
      day_of_week: 1,
      start_time: '20:00',
      end_time: '21:00',
      service_type: 'prayer_meeting',
      is_online: true,
      online_url: 'https://example.org/sample-online',
    },
  ],
}
const OWN: Record<string, (now: Date) => Partial<Insertable<LocalesTable>>> = {
  Chiba: () => ({ discreet_mode: 'approximate' }),
  Manila: () => ({ online_url: 'https://example.org/sample-online' }),
  Nagoya: (now) => ({
    closed_since: dayOf(now, -3),
    closed_until: dayOf(now, 25),
    closed_reason: 'Sample: the hall is being repaired.',
  }),
}
/** Locales never confirmed, or last confirmed long ago. */
const NEVER_CONFIRMED = new Set(['Asahikawa', 'Zamboanga City', 'Naples', 'Taveuni'])
const CONFIRMED_DAYS_AGO: Record<string, number> = { Fukuoka: 300, Busan: 400 }

/**
 * Creates sample locales and chapters to try the locator, each named "Sample"; only if there are no locales. Returns
 * how many.
 */
export async function loadSampleChurches(database: Database, log: Log, now = new Date()): Promise<number> {
  const made = await inBackground(database, 'sample', async (db) => {
    if (await db.selectFrom('locales').select('id').limit(1).executeTakeFirst()) return 0
    await db
      .insertInto('country_discretion')
      .values({ country_code: 'SA', discreet_mode: 'contact_only', reason: 'Sample: congregations must not be found.' })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const chapters = await insertChapters(db)
    const values = SAMPLE_COUNTRIES.flatMap((country) =>
      country.locales.map((locale) => ({ country, locale, chapter_id: chapters.get(country.code) ?? null })),
    ).map(({ country, locale, chapter_id }, i) => localeRow(locale, country, chapter_id, i, now))
    const rows = await db.insertInto('locales').values(values).returning(['id', 'city']).execute()
    await insertServants(db, rows, now)
    await insertSchedules(db, rows)
    const countries = createCountries()
    await projectLocales(
      db,
      rows.map(({ id }) => id),
      (code) => countries.find(code)?.name ?? null,
    )
    return rows.length
  })
  if (made > 0) log.info({ locales: made }, 'sample locales made')
  return made
}

async function insertChapters(db: Db): Promise<Map<string, string>> {
  const values = SAMPLE_CHAPTERS.map(({ name, code, city, latitude, longitude, languages }) => ({
    chapter_name: name,
    city,
    country_code: code,
    latitude,
    longitude,
    languages_available: languages,
    is_public: true,
    search_text: fold(`${name} | ${city}`),
  }))
  const rows = await db.insertInto('mfa_local_chapters').values(values).returning(['id', 'country_code']).execute()
  await locate(
    db,
    'mfa_local_chapters',
    rows.map(({ id }) => id),
  )
  return new Map(rows.map(({ id, country_code }) => [country_code ?? '', id]))
}

function localeRow(
  { city, state, address, ...place }: SampleLocale,
  { code, timezone, languages }: (typeof SAMPLE_COUNTRIES)[number],
  chapter_id: string | null,
  i: number,
  now: Date,
): Insertable<LocalesTable> {
  const daysAgo = CONFIRMED_DAYS_AGO[city] ?? 3 + (i % 40)
  return {
    name: `Sample Locale ${city}`,
    ...place,
    city,
    state_province: state ?? null,
    address_line1: address,
    country_code: code,
    timezone,
    languages,
    phone: `+00 00 0000 ${String(i + 1).padStart(4, '0')}`,
    email: `locale-${i + 1}@sample.invalid`,
    general_contact_available: true,
    chapter_id,
    ...(NEVER_CONFIRMED.has(city)
      ? {}
      : { confirmed_at: new Date(now.getTime() - daysAgo * DAY_MS), confirmed_as: 'local_servant' as const }),
    ...OWN[city]?.(now),
  }
}

type Made = { id: string; city: string | null }[]

/** One with consent to publish name and phone, and one without. */
async function insertServants(db: Db, locales: Made, now: Date): Promise<void> {
  const servant = await db.selectFrom('user_profiles').select('id').where('email', '=', SERVANT).executeTakeFirst()
  const values = locales.flatMap(({ id, city }, i) => [
    {
      locale_id: id,
      name: 'Sample servant',
      phone: `+00 00 0001 ${String(i + 1).padStart(4, '0')}`,
      is_name_public: true,
      is_contact_public: i % 3 === 0,
      agreed_at: now,
      user_id: city === SERVED ? (servant?.id ?? null) : null,
    },
    { locale_id: id, name: 'Sample servant who did not agree', role: 'deacon', position: 1 },
  ])
  await db.insertInto('locale_servants').values(values).execute()
}

async function insertSchedules(db: Db, locales: Made): Promise<void> {
  const values = locales.flatMap(({ id, city }) =>
    [...WEEKLY, ...(FURTHER[city ?? ''] ?? [])].map((schedule, position) => ({
      ...schedule,
      locale_id: id,
      position,
    })),
  )
  await db.insertInto('locale_schedules').values(values).execute()
}

const dayOf = (now: Date, days: number) => new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10)
