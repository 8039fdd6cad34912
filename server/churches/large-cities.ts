import anyAscii from 'any-ascii'
import { sql } from 'kysely'
import { withClaims } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import type { Box } from '#shared/churches/box.ts'
import type { City, CityLabel } from '#shared/churches/endpoints.ts'
import { fold } from '#shared/countries/fold.ts'
import type { Language } from '#shared/language.ts'
import { OTHER_CITY_NAMES } from './city-names.ts'
import { tokenize } from './question.ts'
import { buildSpelling, type Spelling } from './spelling.ts'

/** Largest first. Enough for a label in most districts of the world; 4 MB. */
const MAX_CITIES = 40_000
/** Misspellings are only recognised of these: among all names nearly every word is the misspelling of some village. */
const SPELLED = 9_000
const MAX_GUESSES = 3
/** An incomplete list is read again after this time: the first start loads the cities in the background. */
const RELOAD_MS = 30_000
const ARABIC = /\p{Script=Arabic}/u

interface LargeCity extends City {
  searchText: string
}

export type LargeCities = ReturnType<typeof createLargeCities>

/** The larger cities in memory, read on first use: for names on maps and for misspelt names. */
export function createLargeCities(database: Database) {
  let loaded: { cities: Promise<LargeCity[]>; at: number; isWhole: boolean } | null = null
  let spelling: { of: LargeCity[]; made: Promise<Spelling> } | null = null

  function cities(): Promise<LargeCity[]> {
    if (loaded && (loaded.isWhole || performance.now() - loaded.at < RELOAD_MS)) return loaded.cities
    const reading = withClaims(database, { as: 'anonymous' }, readCities)
    const now = { cities: reading, at: performance.now(), isWhole: false }
    loaded = now
    reading.then(
      (all) => {
        now.isWhole = all.length === MAX_CITIES
      },
      () => {
        loaded = null
      },
    )
    return reading
  }

  async function spellingOf(all: LargeCity[]): Promise<Spelling> {
    if (spelling?.of !== all)
      spelling = { of: all, made: buildSpelling(all.slice(0, SPELLED).map(({ searchText }) => searchText)) }
    return spelling.made
  }

  return {
    /** The largest in a part of the world, named in a language where that name is known. */
    async inView(box: Box, count: number, language: Language): Promise<CityLabel[]> {
      const labels: CityLabel[] = []
      for (const city of await cities()) {
        if (!isIn(city, box)) continue
        labels.push({ name: nameIn(language, city), latitude: city.latitude, longitude: city.longitude })
        if (labels.length === count) break
      }
      return labels
    },

    /** Cities of a similar name, to be asked about. None if the name is right or like no other. */
    async guess(text: string, codes: readonly string[] | null): Promise<City[]> {
      const all = await cities()
      const { correct } = await spellingOf(all)
      const words = tokenize(text)
      for (const spelt of [words, tokenize(fold(anyAscii(words.join(' '))))]) {
        const meant = spelt.map((word) => correct(word)?.word ?? word).join(' ')
        if (meant === words.join(' ') || !meant) continue
        const found = all.filter(
          ({ searchText, country_code }) =>
            searchText.includes(`|${meant}|`) && (!codes || codes.includes(country_code)),
        )
        if (found.length > 0) return found.slice(0, MAX_GUESSES).map(({ searchText: _, ...city }) => city)
      }
      return []
    },
  }
}

/** As one value: on the embedded database a row costs more than reading it. */
async function readCities(db: Db): Promise<LargeCity[]> {
  const { rows } = await sql<{ rows: [number, string, string, string | null, number, number, string][] | null }>`
    select json_agg(json_build_array(c.id, c.name, c.country_code, c.state_province, c.latitude, c.longitude,
      c.search_text)) as rows
    from (select * from cities order by population desc, id limit ${MAX_CITIES}) c`.execute(db)
  return (rows[0]?.rows ?? []).map(([id, name, country_code, state_province, latitude, longitude, searchText]) => ({
    ...{ id, name, country_code, state_province, latitude, longitude, searchText },
  }))
}

function isIn({ latitude, longitude }: City, { south, north, west, east }: Box): boolean {
  if (latitude < south || latitude > north) return false
  return west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east
}

function nameIn(language: Language, { name, country_code }: City): string {
  if (language !== 'ar') return name
  return OTHER_CITY_NAMES[`${country_code} ${name}`]?.find((other) => ARABIC.test(other)) ?? name
}
