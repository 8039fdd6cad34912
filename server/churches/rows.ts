import { type RawBuilder, sql } from 'kysely'
import type { FoundLocale } from '#shared/churches/endpoints.ts'
import { fold } from '#shared/countries/fold.ts'
import type { Countries } from '../countries/reference.ts'
import type { Db } from '../db/connection.ts'

/** A public locale as it is held: the answer ready to give, and what it is found by. */
export interface HeldLocale {
  /** Without a distance, as no point was asked for. */
  locale: FoundLocale
  /** The stored search_text. */
  text: string
  city: string
  state: string
  isOnline: boolean
}

// A row of the protocol costs the embedded database more than reading it: rows come as a list in one value.
const BUNDLE = 5_000

interface Bundle {
  rows: StoredLocale[] | null
}
type StoredLocale = Omit<FoundLocale, 'country' | 'photos'> & {
  photos: { file_id: string; description: string }[]
  search_text: string
}

/** Public locales by their ids, or all of them for null, ordered by name and then id. */
export async function loadLocales(db: Db, ids: readonly string[] | null, countries: Countries): Promise<HeldLocale[]> {
  const held: HeldLocale[] = []
  const take = (rows: StoredLocale[]) => {
    for (const row of rows) held.push(holdLocale(row, countries))
  }
  if (ids) {
    for (let at = 0; at < ids.length; at += BUNDLE)
      take(await bundle(db, sql`id = any(${ids.slice(at, at + BUNDLE)}::uuid[])`))
    return held.sort(byName)
  }
  for (let rows = await bundle(db, sql`true`); rows.length > 0; ) {
    take(rows)
    const last = rows.at(-1)!
    rows = rows.length < BUNDLE ? [] : await bundle(db, sql`(name collate "C", id) > (${last.name}, ${last.id})`)
  }
  return held
}

async function bundle(db: Db, condition: RawBuilder<unknown>): Promise<StoredLocale[]> {
  const { rows } = await sql<Bundle>`
    select json_agg(to_json(l)) as rows from (
      select id, 'locale' as source_type, discreet_mode, name, common_name, local_name, local_address, address_line1 as address,
        address_line1, address_line2, city, state_province, postal_code, country_code, latitude, longitude, phone, email,
        website, online_url, has_physical_locale, general_contact_available, 'active' as locale_status, languages, timezone,
        closed_since, closed_until, closed_reason, chapter_name, confirmed_at, confirmed_as, servants,
        schedules as service_schedules, photos, null as distance_km, search_text
      from public_locales where ${condition}
      order by name collate "C", id limit ${BUNDLE}
    ) l`.execute(db)
  return rows[0]!.rows ?? []
}

function holdLocale({ search_text, ...row }: StoredLocale, countries: Countries): HeldLocale {
  const locale: FoundLocale = {
    ...row,
    country: (row.country_code && countries.find(row.country_code)?.name) || 'Unknown',
    confirmed_at: row.confirmed_at && new Date(row.confirmed_at).toISOString(),
    photos: row.photos.map(({ file_id, description }) => ({
      url: `/api/public/locales/${row.id}/photos/${file_id}`,
      description,
    })),
  }
  return {
    locale,
    text: search_text,
    city: fold(row.city ?? ''),
    state: fold(row.state_province ?? ''),
    isOnline: row.online_url !== null || row.service_schedules.some(({ is_online }) => is_online),
  }
}

/** The order of a list: by name, then id, exactly as PostgreSQL has it under the collation "C". */
export function byName(a: HeldLocale, b: HeldLocale): number {
  return compareCodePoints(a.locale.name, b.locale.name) || compareCodePoints(a.locale.id, b.locale.id)
}

/** `<` would put letters outside of the basic plane before some that are in it. */
function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const [one, other] = [a.charCodeAt(i), b.charCodeAt(i)]
    if (one !== other) return rank(one) - rank(other)
  }
  return a.length - b.length
}

const rank = (unit: number) => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit)
