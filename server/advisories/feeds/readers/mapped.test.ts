import { describe, expect, test } from 'vitest'
import { createCountries } from '#server/countries/reference.ts'
import { type MappedReader, SourceMapping } from '#shared/advisories/mapping.ts'
import { FeedError, type ParsedFeed } from '../feed.ts'
import { harmInItem, hasSharedData, sharedData } from '../testing.ts'
import { levelsIn, mappedReader } from './mapped.ts'

const context = { countries: createCountries(), baseUrl: 'https://gov.example/', now: new Date('2026-11-22T10:00:00Z') }
const mapping = (more: object = {}) =>
  SourceMapping.parse({
    ...{ list: '', country: 'country', level: 'level', text: '', link: '', date: '', id: '' },
    ...{ date_format: 'iso', language: 'en', is_whole_list: false },
    levels: [
      { value: 'Do not travel', severity: 'critical' },
      { value: '1', severity: 'info' },
    ],
    ...more,
  })
const bytes = (document: unknown) => Buffer.from(typeof document === 'string' ? document : JSON.stringify(document))
const read = async (reader: MappedReader, document: unknown, more: object = {}) =>
  mappedReader(reader, mapping(more))(bytes(document), context)

describe('a mapped JSON list', () => {
  test('each field is mapped, its text safe and its link absolute', async () => {
    const { items, isComplete } = await read(
      'mapped-json',
      {
        data: {
          list: [
            {
              who: { name: 'Qatar' },
              alert: ' DO NOT  travel ',
              why: '<p>Risk of <b>war</b>.<script>x()</script></p>',
              page: '/qatar',
              on: '22/11/2026',
            },
          ],
        },
      },
      {
        list: 'data.list',
        country: 'who.name',
        level: 'alert',
        text: 'why',
        link: 'page',
        date: 'on',
        date_format: 'day_month_year',
        is_whole_list: true,
        language: 'fr',
      },
    )
    expect(isComplete).toBe(true)
    expect(items).toMatchObject([
      {
        external_id: 'countries:QA',
        title: 'Qatar: DO NOT travel',
        description: 'Risk of war.',
        detailed_information: '<p>Risk of <strong>war</strong>.</p>',
        severity_level: 'critical',
        country_codes: ['QA'],
        source_url: 'https://gov.example/qatar',
        last_updated: new Date('2026-11-22T00:00:00Z'),
        language: 'fr',
      },
    ])
  })

  test('an unmapped level is refused by name, never treated as harmless', async () => {
    const { items, rejected } = await read('mapped-json', [
      { country: 'Qatar', level: 1 },
      { country: 'Peru', level: 'Leave at once' },
    ])
    expect(items.map(({ severity_level }) => severity_level)).toEqual(['info'])
    expect(rejected).toEqual([{ item: 'Peru', reason: 'Its level "Leave at once" is not in the table of levels' }])
  })

  test.each([
    [{ level: '1' }, 'It has no country in "country"'],
    [{ country: 'Peru' }, 'It has no level in "level"'],
    [{ country: 'Peru', level: '1', on: 'soon' }, 'Its date "soon" cannot be read'],
    [{ country: 'Peru', level: '1', on: '31/12/0001' }, 'Its date "31/12/0001" cannot be read'],
    ['Peru', 'The entry is not an object with fields'],
  ])('%j is refused with its reason', async (entry, reason) => {
    const more = { date: 'on', date_format: 'day_month_year' }
    const { rejected } = await read('mapped-json', [{ country: 'Qatar', level: '1', on: '01/02/2026' }, entry], more)
    expect(rejected.map((refusal) => refusal.reason)).toEqual([reason])
  })

  test('a country that cannot be resolved keeps its name', async () => {
    const { items } = await read('mapped-json', [{ country: 'Atlantis', level: '1' }])
    expect(items).toMatchObject([{ country_codes: [], unresolved_countries: ['Atlantis'] }])
  })

  test("a path reaches only the document's own properties", async () => {
    await expect(read('mapped-json', { a: 1 }, { list: 'constructor' })).rejects.toThrow('There is no list at')
    await expect(read('mapped-json', [{ country: 'Peru', level: '1' }], { level: '__proto__' })).rejects.toThrow(
      'None of its 1 entries can be read',
    )
  })

  test('a document of another kind is identified in the error', async () => {
    await expect(read('mapped-json', '<html><title>Not found</title></html>')).rejects.toThrow('an HTML page titled')
    await expect(read('mapped-json', { entries: [] })).rejects.toThrow('Its fields are: entries')
  })

  test('the levels of a document are counted, mapped or not', () => {
    const list = [{ level: 'High' }, { level: 'High' }, { level: 'Low' }, {}]
    expect([...levelsIn('mapped-json', bytes(list), mapping())]).toEqual([
      ['High', 2],
      ['Low', 1],
    ])
  })
})

describe('a mapped CSV table', () => {
  const table = 'country;level;why\r\n"Qatar";1;"Two\nlines; and a ""quote"""\r\nPeru;Do not travel;x\r\nChad;1\r\n'

  test('is read with its own delimiter; a row of another length is refused', async () => {
    const { items, rejected } = await read('mapped-csv', `\uFEFF${table}`, { text: 'why' })
    expect(items.map(({ title }) => title)).toEqual(['Qatar: 1', 'Peru: Do not travel'])
    expect(items[0]!.description).toContain('and a "quote"')
    expect(rejected).toMatchObject([{ reason: 'The row has more or fewer cells than there are columns' }])
  })

  test('cells that a spreadsheet would execute stay text', async () => {
    const { items } = await read('mapped-csv', 'country,level,why\nPeru,1,"=cmd|\' /C calc\'!A0"', { text: 'why' })
    expect(items[0]!.description).toBe("=cmd|' /C calc'!A0")
  })
})

describe('a news feed', () => {
  const rss = (items: string) => `<?xml version="1.0"?><rss version="2.0"><channel>${items}</channel></rss>`
  const item = (title: string, more = '') =>
    `<item><title>${title}</title><link>https://gov.example/a</link><guid>${title}</guid><pubDate>Wed, 08 Oct 2025 10:00:00 GMT</pubDate>${more}</item>`
  const levels = [
    { value: 'Level 1', severity: 'info' },
    { value: 'Level 4', severity: 'critical' },
    { value: 'evacuate', severity: 'emergency' },
  ]

  test('takes the country from the title and the most severe level that is mentioned', async () => {
    const { items, rejected } = await read(
      'rss',
      rss(
        item('Qatar - Level 1: normal') +
          item('Travel notice: Peru', '<category>Level 4</category>') +
          item('Chad: Level 1, evacuate the north') +
          item('Qatar - Level 14') +
          item('Atlantis - Level 1'),
      ),
      { levels },
    )
    expect(
      items.map(({ severity_level, country_codes, unresolved_countries }) => [
        severity_level,
        country_codes,
        unresolved_countries,
      ]),
    ).toEqual([
      ['info', ['QA'], []],
      ['critical', ['PE'], []],
      ['emergency', ['TD'], []],
      ['info', [], ['Atlantis']],
    ])
    expect(rejected).toEqual([
      { item: 'Qatar - Level 14', reason: 'No word of the table of levels stands in its title or categories' },
    ])
  })

  test('Atom as well, by either name', async () => {
    const atom =
      '<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>urn:1</id><title>Peru: Level 4</title><link href="/peru"/><updated>2026-01-02T03:04:05Z</updated><summary>Because of floods.</summary></entry></feed>'
    for (const reader of ['rss', 'atom'] as const)
      expect((await read(reader, atom, { levels })).items).toMatchObject([
        { external_id: 'urn:1', source_url: 'https://gov.example/peru', description: 'Because of floods.' },
      ])
  })

  test('an entity bomb is refused before parsing, and a script in a title is text', async () => {
    await expect(read('rss', '<!DOCTYPE x [<!ENTITY a "b">]><rss/>', { levels })).rejects.toThrow('document type')
    const { items } = await read('rss', rss(item('Peru: Level 4 &lt;script&gt;x&lt;/script&gt;')), { levels })
    expect(items[0]!.title).not.toContain('<')
  })
})

describe.skipIf(!hasSharedData)('real documents', () => {
  const AU_LEVELS = [
    { value: '1', severity: 'info' },
    { value: '2', severity: 'caution' },
    { value: '3', severity: 'warning' },
    { value: '4', severity: 'critical' },
  ]
  const auList = () =>
    JSON.parse(Buffer.from(sharedData('advisories/au-smartraveller-2025-02-20.json')).toString()).advisories as {
      country: { name: string }
      level: number
      page_url: string
    }[]

  test('the Australian list as JSON and, made from it, as CSV: the same entries', async () => {
    const json = await read(
      'mapped-json',
      Buffer.from(sharedData('advisories/au-smartraveller-2025-02-20.json')).toString(),
      {
        ...{ list: 'advisories', country: 'country.name', level: 'level', link: 'page_url', levels: AU_LEVELS },
      },
    )
    const csv = await read(
      'mapped-csv',
      [
        'name,level,page',
        ...auList().map(({ country, level, page_url }) => `"${country.name}",${level},${page_url}`),
      ].join('\n'),
      { country: 'name', level: 'level', link: 'page', levels: AU_LEVELS },
    )
    expect(json.items.length).toBeGreaterThan(170)
    expect(csv.items).toEqual(json.items)
    // Every entry is an item or a refusal with its reason.
    expect(json.items.length + json.rejected.length).toBe(auList().length)
    expect(json.items.filter(({ unresolved_countries }) => unresolved_countries.length > 0)).toEqual([])
  })

  test('the Canadian list, keyed by country, and the British list of alerts', async () => {
    const ca = await read(
      'mapped-json',
      Buffer.from(sharedData('advisories/ca-index-alpha-eng-2014-full.json')).toString(),
      {
        ...{ list: 'data', country: 'eng.name', level: 'advisory-state', text: 'eng.recent-updates' },
        ...{ date: 'date-published.timestamp', date_format: 'epoch_seconds' },
        levels: [
          { value: '0', severity: 'info' },
          { value: '1', severity: 'caution' },
          { value: '2', severity: 'warning' },
          { value: '3', severity: 'critical' },
        ],
      },
    )
    expect(ca.items.length).toBeGreaterThan(220)
    expect(ca.items.find(({ country_codes }) => country_codes[0] === 'AF')).toMatchObject({
      severity_level: 'critical',
    })
    const document = Buffer.from(sharedData('advisories/uk-fcdo-alert-status-2026-05.json'))
    const uk = { country: 'name', level: 'alert', link: 'url' }
    const seen = levelsIn('mapped-json', document, mapping(uk))
    expect([...seen.keys()]).toContain('avoid_all_but_essential_travel_to_parts')
    const levels = [...seen.keys()].map((value) => ({ value, severity: 'warning' }))
    expect((await read('mapped-json', document.toString(), { ...uk, levels })).items.length).toBeGreaterThan(200)
  })

  test('the feed of GDACS, by the names of its levels', async () => {
    const document = Buffer.from(sharedData('advisories/gdacs-rss-2019-12-30.xml')).toString()
    const levels = [
      { value: 'Green', severity: 'info' },
      { value: 'Orange', severity: 'warning' },
      { value: 'Red', severity: 'critical' },
    ]
    const { items, rejected } = await read('rss', document, { levels })
    // Most titles of that day name no colour: those are refused by name, not treated as harmless.
    expect([items.length, rejected.length]).toEqual([5, 11])
    expect(new Set(rejected.map(({ reason }) => reason))).toEqual(
      new Set(['No word of the table of levels stands in its title or categories']),
    )
  })

  test('hostile feeds and tables produce no harmful output', { timeout: 120_000 }, async () => {
    const documents = ['sanitize', 'illformed', 'encoding', 'entities', 'base'].flatMap((kind) =>
      Buffer.from(sharedData(`adversarial/feeds/feedparser-${kind}.jsonl`))
        .toString()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as { text?: string; base64?: string })
        .map(({ text, base64 }) => text ?? Buffer.from(base64 ?? '', 'base64').toString()),
    )
    const levels = [{ value: 'Level 1', severity: 'info' as const }]
    const cells = Buffer.from(sharedData('adversarial/csv/csv-injection.txt')).toString().split('\n')
    const table = ['country,level,why', ...cells.map((cell) => `Peru,Level 1,"${cell.replaceAll('"', '""')}"`)].join(
      '\n',
    )
    const inTitles = documents.map((feed) => {
      const field = `<item><title>Peru: Level 1</title><guid>x</guid><pubDate>Wed, 08 Oct 2025</pubDate><description><![CDATA[${feed.replaceAll(']]>', '')}]]></description></item>`
      return `<rss version="2.0"><channel>${field}</channel></rss>`
    })
    expect(documents.length).toBeGreaterThan(300)
    for (const [reader, document] of [
      ...[...documents, ...inTitles].map((text) => ['rss', text] as const),
      ['mapped-csv', table] as const,
    ]) {
      let parsed: ParsedFeed
      try {
        parsed = await read(reader, document, { levels, text: 'why' })
      } catch (error) {
        expect(error).toBeInstanceOf(FeedError)
        continue
      }
      expect(parsed.items.flatMap(harmInItem)).toEqual([])
    }
  })
})
