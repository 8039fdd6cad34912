import { describe, expect, test } from 'vitest'
import { FeedError, type FeedItem, type ParsedFeed } from '../feed.ts'
import { bytes, context, counts, fixture, harmInItem, hasSharedData, sharedData } from '../testing.ts'
import { readUs, readUsArchive, readUsJson, readUsRss } from './us.ts'

const at = context('https://travel.state.gov/')
// The readers of this source return synchronously.
const read = (document: Uint8Array) => readUs(document, at) as ParsedFeed
const MONDAY = read(fixture('us-state-rss-2025-10-07.xml'))
const NEXT_DAY = read(fixture('us-state-rss-2025-10-08.xml'))
const nameOf = (item: FeedItem) => item.title.split(':')[0]!
const find = ({ items }: ParsedFeed, name: string) => items.find((item) => nameOf(item) === name)!

describe('the RSS feed on two consecutive days', () => {
  test('all 211 entries are items, none harmful; three islands share one country set', () => {
    for (const day of [MONDAY, NEXT_DAY]) {
      expect(counts(day)).toEqual({ items: 209, rejected: 2, follow: 0 })
      expect(find(day, 'Bonaire').external_id).toBe('set:BQ')
      expect(day.rejected.map(({ reason }) => reason)).toEqual(
        Array(2).fill('Another entry here speaks of the same countries; the more serious entry was kept'),
      )
      expect(day.isComplete).toBe(true)
      expect(day.items.flatMap(harmInItem)).toEqual([])
      expect(day.items.filter((item) => item.unresolved_countries.length > 0)).toEqual([])
    }
  })

  test('every item has the countries of the reviewed table', () => {
    const table = fixture('us-state-rss-2025-10-08.countries.tsv').toString().trim().split('\n')
    for (const document of ['us-state-rss-2025-10-07.xml', 'us-state-rss-2025-10-08.xml']) {
      const { items } = read(fixture(document))
      const names = [
        ...fixture(document)
          .toString()
          .matchAll(/<item>\s*<title>(.*?)\s+- Level \d/g),
      ].map(([, name]) => name)
      const codesByName = new Map(items.map((item) => [nameOf(item), item.country_codes.join(' ')]))
      const rows = names.map((text) => {
        const name = text!.replaceAll('&amp;', '&').trim()
        const shown = name.replace(/ - See Summaries$| Travel Advisory$/, '')
        return `${name}\t${codesByName.get(/^(Saba|Sint Eustatius)$/.test(shown) ? 'Bonaire' : shown)}`
      })
      expect(rows.toSorted()).toEqual(table.toSorted())
    }
  })

  test('the country codes of the feed, which are of another scheme, are ignored', () => {
    const tampered = fixture('us-state-rss-2025-10-08.xml')
      .toString()
      .replace(/"Country-Tag">\w+</g, '"Country-Tag">PH<')
    expect(read(bytes(tampered)).items).toEqual(NEXT_DAY.items)
    expect(find(NEXT_DAY, 'Niger').country_codes).toEqual(['NE'])
    expect(find(NEXT_DAY, 'Austria').country_codes).toEqual(['AT'])
  })

  test('only Sao Tome and Principe differs, from level 1 to 2 under the same identity', () => {
    const before = new Map(MONDAY.items.map((item) => [item.external_id, item]))
    const changed = NEXT_DAY.items.filter(
      (item) => JSON.stringify(item) !== JSON.stringify(before.get(item.external_id)),
    )
    expect(before.size).toBe(209)
    expect(changed.map(nameOf)).toEqual(['Sao Tome and Principe'])
    expect(before.get(changed[0]!.external_id)).toMatchObject({ original_level: '1', severity_level: 'info' })
    expect(changed[0]).toMatchObject({
      external_id: 'set:ST',
      title: 'Sao Tome and Principe: Exercise Increased Caution',
      original_level: '2',
      original_wording: 'Level 2: Exercise Increased Caution',
      severity_level: 'caution',
      last_updated: new Date('2025-10-08T00:00:00Z'),
      date_precision: 'day',
      country_codes: ['ST'],
    })
    expect(changed[0]!.description).toMatch(
      /^Exercise Increased Caution in São Tomé and Príncipe due to health risks\. /,
    )
    expect(changed[0]!.recommendations[0]).toMatch(
      /^Medical services for routine and emergency procedures are limited\./,
    )
    expect(changed[0]!.recommendations).toHaveLength(10)
  })

  test('levels map to the documented severities', () => {
    const levels = new Set(NEXT_DAY.items.map((item) => `${item.original_level} ${item.severity_level}`))
    expect([...levels].sort()).toEqual(['1 info', '2 caution', '3 warning', '4 critical', '4 emergency'])
  })

  test('an emergency is a text that says leave now or mentions ordered departure, and only that', () => {
    const urgent = NEXT_DAY.items.filter((item) => item.is_urgent)
    expect(urgent.map(nameOf).sort()).toEqual([
      'Afghanistan',
      'Belarus',
      'Haiti',
      'Libya',
      'Russia',
      'Sudan',
      'Venezuela',
    ])
    expect(urgent.every((item) => item.severity_level === 'emergency')).toBe(true)
    // Ordered departure lifted; leave the south; be ready to leave; backup plans to leave.
    for (const name of ['Iraq', 'Lebanon', 'Ukraine', 'Syria'])
      expect(find(NEXT_DAY, name).severity_level).toBe('critical')
  })

  test('the reason excludes the note on edits', () => {
    const notes = /reissued|updated to reflect|no changes to the advisory/i
    expect(NEXT_DAY.items.filter((item) => notes.test(item.description)).map(nameOf)).toEqual([])
    expect(find(NEXT_DAY, 'Mexico').description).toBe(
      'Exercise increased caution in Mexico due to terrorism, crime, and kidnapping.',
    )
    expect(find(NEXT_DAY, 'Belarus').description).toMatch(/^Do not travel to Belarus due to: The risk of harassment/)
  })

  test('areas are those the source lists under its own headings', () => {
    expect(find(NEXT_DAY, 'Paraguay').affected_regions).toEqual([
      'Alto Paraná',
      'Amambay',
      'Canindeyu',
      'Concepcion',
      'San Pedro',
    ])
    expect(find(NEXT_DAY, 'Mauritania').affected_regions[0]).toBe('Areas marked off-limits by the Mauritanian military')
    // "Do not travel to Belarus due to:" is followed by reasons.
    expect(find(NEXT_DAY, 'Belarus').affected_regions).toEqual([])
  })
})

describe('other documents of the same source', () => {
  test('the JSON API: a day in Washington time is the day of the RSS feed', () => {
    const feed = read(fixture('us/api-2026-09.json'))
    expect(counts(feed)).toEqual({ items: 7, rejected: 0, follow: 0 })
    expect(feed.items.map((item) => [item.title, item.country_codes.join(), item.severity_level])).toEqual([
      ['Saudi Arabia: Reconsider Travel', 'SA', 'warning'],
      ['Suriname: Exercise Normal Precautions', 'SR', 'info'],
      ['China: Exercise Increased Caution', 'CN', 'caution'],
      ['Mainland China, Hong Kong & Macau: Reconsider Travel', 'CN,HK,MO', 'warning'],
      ['Bangladesh: Exercise Increased Caution', 'BD', 'caution'],
      ['Mexico: Exercise Increased Caution', 'MX', 'caution'],
      ['Côte d’Ivoire: Exercise Increased Caution', 'CI', 'caution'],
    ])
    expect(feed.items[1]).toMatchObject({ last_updated: new Date('2026-09-08T00:00:00Z'), date_precision: 'day' })
    const rss = read(fixture('us/rss-namespace-undeclared-2026-09.xml'))
    expect(counts(rss)).toEqual({ items: 4, rejected: 0, follow: 0 })
    expect(rss.items[0]!.last_updated).toEqual(feed.items[1]!.last_updated)
    expect(find(rss, 'Bangladesh').severity_level).toBe('warning')
  })

  test('the JSON API with its summaries', () => {
    const { items, rejected } = read(fixture('us/api-with-summary-2026-07.json'))
    expect(rejected).toEqual([])
    expect(items.map((item) => item.description)).toEqual([
      'Exercise normal precaution in Japan. U.S. citizens should always exercise caution when traveling abroad.',
      'Exercise increased caution in Mexico due to terrorism, crime, and kidnapping.',
      'Exercise normal precautions in Switzerland.',
    ])
  })

  test('the archive: texts are matched to entries by link; one text is no longer listed', () => {
    const feed = read(fixture('us/archive-2026-02-15-extract.json'))
    // China is listed three times.
    expect(counts(feed)).toEqual({ items: 9, rejected: 3, follow: 0 })
    expect(feed.rejected.at(-1)).toEqual({
      item: 'Sao Tome and Principe - Level 2: Exercise Increased Caution',
      reason: 'Not in the list of current advisories, only its text is here',
      isUnderstood: true,
    })
    expect(find(feed, 'Guinea')).toMatchObject({ country_codes: ['GN'], original_level: '2' })
    expect(find(feed, 'Guinea').detailed_information).toContain('Conakry')
    expect(find(feed, 'Guinea-Bissau')).toMatchObject({
      country_codes: ['GW'],
      original_level: '3',
      detailed_information: null,
    })
    expect(feed.items.filter((item) => item.is_urgent).map(nameOf)).toEqual(['Niger', 'Iran', 'Haiti'])
    expect(find(feed, 'Niger').description).toMatch(
      /^Do not travel to Niger for any reason due to crime, unrest, terrorism, health, and kidnapping\./,
    )
    expect(find(feed, 'Kenya').detailed_information).toContain(
      '<p><strong>Do Not Travel to:</strong></p>\n<ul><li>Kenya-Somalia border',
    )
    expect(feed.items.flatMap(harmInItem)).toEqual([])
  })
})

describe('leaving now', () => {
  const level4 = (text: string) => {
    const entry = {
      Title: 'Iran - Level 4: Do Not Travel',
      Link: 'https://travel.state.gov/iran',
      Updated: '2026-01-14',
      Summary: text,
    }
    return read(bytes(JSON.stringify([entry]))).items[0]!.is_urgent
  }

  test.each([
    'U.S. citizens in Iran should leave immediately.',
    'U.S. citizens should depart Iran now.',
    'U.S. citizens who are in Libya are urged to depart as soon as possible via commercial means if possible.',
    'All U.S. citizens are strongly advised to depart immediately.',
    'U.S. citizens who require consular services should leave the country immediately.',
    'Leave Iran now.',
    'If you are in Iran, leave immediately.',
    'The U.S. Embassy urges U.S. citizens in Iran to depart while commercial flights are available.',
    'On January 30, 2026, the Department of State ordered non-emergency government employees and their family members to leave Niger due to safety risks.',
    'On February 28, 2022, the U.S. Department of State ordered the departure of U.S. government employees.',
  ])('is found in: %s', (text) => expect(level4(`<p>${text}</p>`)).toBe(true))

  test.each([
    'Travelers should be prepared to depart immediately with little to no warning.',
    'Make contingency plans to leave.',
    'Have a plan for departing Iran that does not rely on U.S. government help.',
    'The U.S. Embassy strongly urges U.S. citizens to avoid southern Lebanon and to depart if you are there.',
    'If you are being followed as you leave the airport, drive to the nearest police station immediately.',
    'If the security situation worsens, you should leave immediately.',
    'You should leave the area immediately when you see a demonstration.',
    'Leave DNA samples with your medical provider.',
    'Updated to reflect the lifting of ordered departure of non-emergency U.S. government personnel.',
    'Updated to reflect the end of ordered departure of eligible family members.',
    'On October 30, 2025, the Department of State ordered employees to leave Mali. As of January 9, the Department of State has lifted its ordered departure mandate.',
    'The Thai government has ordered the evacuation of certain areas.',
    'Reissued with updates to the security situation and post departure status.',
  ])('is not found in: %s', (text) => expect(level4(`<p>${text}</p>`)).toBe(false))
})

describe('entries that cannot be read are refused with the reason', () => {
  const good = {
    Title: 'Japan - Level 1: Exercise Normal Precautions',
    Link: 'https://travel.state.gov/japan',
    Updated: '2026-01-14',
  }
  const readItem = (change: object) => read(bytes(JSON.stringify([{ ...good, ...change }])))

  test.each([
    [{ Title: 'Worldwide Caution' }, /names no country and level/],
    [{ Title: 'Japan - Level 5: Flee' }, /Level 5 is not one of 1 to 4/],
    [{ Title: undefined }, /^Title: /],
    [{ Title: 'TEST: Japan - Level 1: Exercise Normal Precautions' }, /test message/],
    [{ Updated: 'soon' }, /The date "soon" cannot be read/],
    [{ Updated: '2026-01-14T10:00:00' }, /cannot be read/],
    [{ Updated: undefined }, /Has no date/],
  ])('%j', (change, reason) => {
    const feed = readItem(change)
    expect(counts(feed)).toEqual({ items: 0, rejected: 1, follow: 0 })
    expect(feed.rejected[0]!.reason).toMatch(reason)
  })

  test('a name that is not a country is preserved and reported', () => {
    expect(readItem({ Title: 'Ruritania - Level 1: Exercise Normal Precautions' }).items[0]).toMatchObject({
      title: 'Ruritania: Exercise Normal Precautions',
      country_codes: [],
      unresolved_countries: ['Ruritania'],
    })
  })

  test('of two entries with one identity the newer stays, the other is refused', () => {
    const entries = [{ ...good, Title: good.Title.replace('1', '2') }, { ...good, Updated: '2026-01-15' }, null, 7]
    const feed = read(bytes(JSON.stringify(entries)))
    expect(counts(feed)).toEqual({ items: 1, rejected: 3, follow: 0 })
    expect(feed.items[0]).toMatchObject({ original_level: '1', last_updated: new Date('2026-01-15T00:00:00Z') })
  })

  test('title and category disagree on the level', () => {
    const rss = fixture('us/rss-namespace-undeclared-2026-09.xml')
      .toString()
      .replace('"Threat-Level">Level 4', '"Threat-Level">Level 2')
    const feed = read(bytes(rss))
    expect(counts(feed)).toEqual({ items: 3, rejected: 1, follow: 0 })
    expect(feed.rejected[0]!.reason).toBe('The title says Level 4, the entry also says "Level 2: Do Not Travel"')
  })
})

describe('other documents throw', () => {
  const rss = fixture('us-state-rss-2025-10-08.xml').toString()
  test.each([
    ['an empty list', '[]', 'The list is empty'],
    ['an empty feed', '<rss version="2.0"><channel><title>x</title></channel></rss>', 'The list is empty'],
    ['an empty archive', '{"current_advisories":[],"advisories":[]}', 'The list is empty'],
    [
      'an HTML page',
      '<!DOCTYPE html><html><head><title>404 - Page Not Found</title>',
      'an HTML page titled "404 - Page Not Found"',
    ],
    ['nothing', '', 'empty'],
    ['plain text', 'Service Unavailable', 'plain text'],
    ['an Atom feed', '<feed xmlns="http://www.w3.org/2005/Atom"><title>x</title></feed>', '<feed>, not an RSS feed'],
    ['other JSON', '{"error":"no"}', 'neither a list of advisories nor their archive'],
    ['half a JSON list', '[{"Title":"Japan', 'not JSON'],
    // A lenient parser reads 66 of the 211 items here, and 145 countries would look safe.
    ['a feed cut off between two items', rss.slice(0, rss.indexOf('</item>', 300_000) + 7), 'not well-formed'],
  ])('%s', (_, document, message) => {
    expect(() => read(bytes(document))).toThrow(FeedError)
    expect(() => read(bytes(document))).toThrow(message)
  })

  test('also when the format is specified', () => {
    expect(() => readUsRss(fixture('us/api-2026-09.json'), at)).toThrow(FeedError)
    expect(() => readUsJson(fixture('us/rss-namespace-undeclared-2026-09.xml'), at)).toThrow(FeedError)
    expect(() => readUsArchive(fixture('us/api-2026-09.json'), at)).toThrow(FeedError)
  })
})

test.skipIf(!hasSharedData)('the whole archive: every entry accounted for, every name a country', () => {
  const feed = read(sharedData('advisories/us-state-archive-2026-02-15.json'))
  // 211 texts and two without; China is listed three times, and three islands share one country set.
  expect(counts(feed)).toEqual({ items: 209, rejected: 5, follow: 0 })
  expect(feed.items.flatMap((item) => item.unresolved_countries)).toEqual([])
  expect(feed.items.flatMap(harmInItem)).toEqual([])
})
