import type { Insertable, Selectable } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import type { AdvisorySourcesTable } from '#server/db/tables-advisories.ts'
import type { FeedReader } from './feeds/feed.ts'

export type Source = Selectable<AdvisorySourcesTable>

/**
 * Increment when a reader, or the mapping of a level, reads the same document differently than before: then every
 * document is read again although its source reports it unchanged.
 */
export const READING_VERSION = 2

const US = { organization: 'U.S. Department of State', authority: 'us-state', country_code: 'US' } as const
const US_LICENCE = {
  homepage: 'https://travel.state.gov/content/travel/en/traveladvisories/traveladvisories.html',
  licence: 'Work of the U.S. Government, in the public domain.',
  licence_url: 'https://travel.state.gov/content/travel/en/copyright-disclaimer.html',
} as const

/** The built-in sources. Lists of all the world's countries have a high minimum_items. */
export const SOURCES: Insertable<AdvisorySourcesTable>[] = [
  {
    id: 'ph-dfa',
    name: 'Philippines',
    organization: 'Department of Foreign Affairs',
    authority: 'ph-dfa',
    country_code: 'PH',
    // It publishes statements and no feed: an administrator writes its advisories.
    reader: 'manual',
    url: null,
    homepage: 'https://dfa.gov.ph/',
    licence: 'Work of the Government of the Philippines, without copyright (Republic Act 8293, section 176).',
    licence_url: 'https://lawphil.net/statutes/repacts/ra1997/ra_8293_1997.html',
    interval_seconds: 86_400,
    minimum_items: 0,
    position: 10,
  },
  {
    ...US,
    ...US_LICENCE,
    id: 'us-state-rss',
    name: 'United States',
    reader: 'us-rss',
    url: 'https://travel.state.gov/_res/rss/TAsTWs.xml',
    minimum_items: 150,
    position: 20,
  },
  {
    ...US,
    ...US_LICENCE,
    id: 'us-state-json',
    name: 'United States',
    reader: 'us-json',
    url: 'https://cadataapi.state.gov/api/TravelAdvisories',
    minimum_items: 150,
    position: 21,
  },
  {
    id: 'uk-fcdo',
    name: 'United Kingdom',
    organization: 'Foreign, Commonwealth & Development Office',
    authority: 'uk-fcdo',
    country_code: 'GB',
    reader: 'uk',
    url: 'https://www.gov.uk/api/content/foreign-travel-advice',
    homepage: 'https://www.gov.uk/foreign-travel-advice',
    licence: 'Contains public sector information licensed under the Open Government Licence v3.0.',
    licence_url: 'https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/',
    minimum_items: 150,
    position: 30,
  },
  {
    id: 'ca-travel',
    name: 'Canada',
    organization: 'Government of Canada',
    authority: 'ca-travel',
    country_code: 'CA',
    reader: 'ca',
    url: 'https://data.international.gc.ca/travel-voyage/index-alpha-eng.json',
    homepage: 'https://travel.gc.ca/travelling/advisories',
    licence: 'Contains information licensed under the Open Government Licence - Canada.',
    licence_url: 'https://open.canada.ca/en/open-government-licence-canada',
    minimum_items: 150,
    position: 40,
  },
  {
    id: 'de-auswaertiges-amt',
    name: 'Germany',
    organization: 'Auswärtiges Amt',
    authority: 'de-auswaertiges-amt',
    country_code: 'DE',
    reader: 'de',
    url: 'https://www.auswaertiges-amt.de/opendata/travelwarning',
    homepage: 'https://www.auswaertiges-amt.de/de/reiseundsicherheit/reise-und-sicherheitshinweise',
    language: 'de',
    licence: 'Source: Auswärtiges Amt, under the terms of its open data interface.',
    licence_url: 'https://www.auswaertiges-amt.de/de/open-data-schnittstelle',
    minimum_items: 100,
    position: 50,
  },
  {
    id: 'gdacs',
    name: 'GDACS disaster alerts',
    organization: 'Global Disaster Alert and Coordination System',
    authority: 'gdacs',
    country_code: null,
    reader: 'gdacs',
    url: 'https://www.gdacs.org/xml/rss.xml',
    homepage: 'https://www.gdacs.org/',
    licence: 'Source: GDACS, under its terms of use.',
    licence_url: 'https://www.gdacs.org/About/termofuse.aspx',
    // It asks clients to poll no more often than every six minutes.
    interval_seconds: 360,
    // Small earthquakes are listed every day: a list without any entry is a fault.
    minimum_items: 1,
    position: 60,
  },
  {
    id: 'au-smartraveller',
    name: 'Australia',
    organization: 'Department of Foreign Affairs and Trade',
    authority: 'au-smartraveller',
    country_code: 'AU',
    reader: 'au',
    // The site blocks programs and documents no list, so only saved documents are read.
    url: 'https://www.smartraveller.gov.au/destinations-export',
    homepage: 'https://www.smartraveller.gov.au/destinations',
    licence: 'Commonwealth of Australia, Creative Commons Attribution 4.0 International.',
    licence_url: 'https://creativecommons.org/licenses/by/4.0/',
    minimum_items: 100,
    is_enabled: false,
    position: 70,
  },
  {
    id: 'cap',
    name: 'CAP alerts',
    organization: 'Common Alerting Protocol',
    authority: 'cap',
    country_code: null,
    reader: 'cap',
    // Accepts saved alerts. An administrator adds each warning service that has a feed as a source of its own.
    url: 'https://feed.invalid/cap',
    homepage: 'https://docs.oasis-open.org/emergency/cap/v1.2/CAP-v1.2.html',
    licence: 'Each alert is under the terms of its sender.',
    licence_url: null,
    minimum_items: 0,
    is_enabled: false,
    position: 80,
  },
]

/** Inserts missing sources. Existing ones retain an administrator's changes. */
export async function registerSources(db: Db): Promise<void> {
  await db
    .insertInto('advisory_sources')
    .values(SOURCES)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

// Imported lazily: the parsers take longer to load than everything else at start.
const READERS: Record<string, () => Promise<FeedReader>> = {
  'us-rss': async () => (await import('./feeds/readers/us.ts')).readUsRss,
  'us-json': async () => (await import('./feeds/readers/us.ts')).readUs,
  uk: async () => (await import('./feeds/readers/uk.ts')).readUk,
  ca: async () => (await import('./feeds/readers/ca.ts')).readCa,
  de: async () => (await import('./feeds/readers/de.ts')).readDe,
  gdacs: async () => (await import('./feeds/readers/gdacs.ts')).readGdacs,
  cap: async () => (await import('./feeds/readers/cap.ts')).readCap,
  au: async () => (await import('./feeds/readers/au.ts')).readAu,
}

/** The names of all readers. */
export const readerNames = (): string[] => Object.keys(READERS)

/** The reader for the documents of a source. Throws when there is none ('manual' has none). */
export async function readerOf(
  source: Pick<Source, 'id' | 'reader'> & Partial<Pick<Source, 'mapping'>>,
): Promise<FeedReader> {
  if (source.mapping) return (await import('./feeds/readers/mapped.ts')).mappedReader(source.reader, source.mapping)
  const load = READERS[source.reader]
  if (!load) throw new Error(`The source ${source.id} has no reader "${source.reader}": people write its advisories.`)
  return load()
}
