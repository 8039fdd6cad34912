import { describe, expect, test } from 'vitest'
import { FeedError, type FeedReader, type ParsedFeed } from '../feed.ts'
import { bytes, context, fixture, harmIn, harmInFeed, hasSharedData, sharedData } from '../testing.ts'
import { readCa } from './ca.ts'
import { readUk } from './uk.ts'
import { readUs } from './us.ts'

const at = context('https://www.gov.uk/')
const READERS = { readUs, readUk, readCa }

/**
 * Harmful content in what a reader makes of a document: none when it is refused as a whole. Any other error is a bug.
 */
function harmOf(reader: FeedReader, document: string | Uint8Array): string[] {
  try {
    return harmInFeed(reader(typeof document === 'string' ? bytes(document) : document, at) as ParsedFeed)
  } catch (error) {
    if (error instanceof FeedError) return []
    throw error
  }
}

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')
const cdata = (text: string) => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`

const rss = (field: (text: string) => string, bad: string) => `<?xml version="1.0"?><rss version="2.0"><channel>
  <item><title>${field(bad)} - Level 4: ${field(bad)}</title><link>${field(bad)}</link><guid>${field(bad)}</guid>
  <pubDate>Wed, 08 Oct 2025</pubDate><description>${field(bad)}</description><category domain="Keyword">${field(bad)}</category></item>
  <item><title>Japan - Level 1: ${field(bad)}</title><link>https://travel.state.gov/japan</link><pubDate>${field(bad)}</pubDate>
  <description>${field(bad)}</description></item>
  <item><title>Peru - Level 2: Exercise Increased Caution</title><link>https://travel.state.gov/peru</link>
  <pubDate>Wed, 08 Oct 2025</pubDate><description>${field(`<p>If you decide to travel:</p><ul><li>${bad}</li></ul>
  <p>Do not travel to:</p><ul><li>${bad}</li></ul><a href="${bad}">${bad}</a>`)}</description></item></channel></rss>`

/** One hostile text in every field of every format. */
function documents(bad: string): [keyof typeof READERS, string][] {
  const level2 = `${bad} - Level 2: ${bad}`
  const day = '2026-01-14T00:00:00Z'
  const link = 'https://travel.state.gov/x'
  const details = {
    alert_status: [],
    country: { name: bad },
    change_description: bad,
    parts: [{ title: bad, body: bad }],
  }
  const page = { base_path: '/foreign-travel-advice/x', public_updated_at: day, details }
  const eng = {
    name: bad,
    'url-slug': 'x',
    'advisory-text': bad,
    'recent-updates': bad,
    advisories: bad,
    security: bad,
  }
  const dates = { 'date-published': { asp: day }, 'friendly-date': 'September 24, 2026 08:53 EDT' }
  const entry = { 'country-iso': bad, 'advisory-state': 1, ...dates, eng: { ...eng, ...dates } }
  const values: [keyof typeof READERS, unknown][] = [
    [
      'readUs',
      [
        { Title: level2, Link: link, Updated: day, Summary: bad, id: bad },
        { Title: bad, Link: bad, Updated: bad },
      ],
    ],
    [
      'readUs',
      {
        current_advisories: [{ full_title: level2, level: 2, remote_link: link, date: '14 Jan 2026' }],
        advisories: [{ remote_link: link, content_md: `**${bad}** [${bad}](${bad})\n\n  * ${bad}` }],
      },
    ],
    ['readUk', page],
    ['readUk', { ...page, base_path: bad, details: { ...details, alert_status: [bad] } }],
    [
      'readUk',
      { links: { children: [{ base_path: bad, title: bad }, { base_path: `/foreign-travel-advice/x${bad}` }] } },
    ],
    [
      'readUk',
      [
        { name: bad, slug: 'x', all_alerts: [] },
        { name: bad, slug: bad, all_alerts: [bad] },
      ],
    ],
    ['readCa', { data: { [bad]: entry } }],
    ['readCa', { data: entry }],
  ]
  return [
    ['readUs', rss(escaped, bad)],
    ['readUs', rss(cdata, bad)],
    ['readUs', rss((text) => text, bad)],
    ...values.map(([reader, value]): [keyof typeof READERS, string] => [reader, JSON.stringify(value)]),
  ]
}

const harmOfText = (bad: string) =>
  documents(bad).flatMap(([reader, document]) => harmOf(READERS[reader], document).map((harm) => `${reader}: ${harm}`))
const harmOfDocument = (document: string | Uint8Array) =>
  Object.values(READERS).flatMap((reader) => harmOf(reader, document))

const lines = (file: Uint8Array) =>
  [...new Set(Buffer.from(file).toString().split(/\r?\n/))].filter((line) => line !== '')

interface TestFeed {
  text?: string
  base64?: string
}
const feeds = (file: Uint8Array) =>
  lines(file).map((line) => {
    const { text, base64 } = JSON.parse(line) as TestFeed
    return text === undefined ? new Uint8Array(Buffer.from(base64!, 'base64')) : bytes(text)
  })

describe('scripts in every field become plain text or are dropped', () => {
  test('lines that try to run', () => {
    for (const line of lines(fixture('hostile/xss-extract.txt'))) expect(harmOfText(line)).toEqual([])
  })

  test('feeds with scripts, handlers and styles, alone and inside an item', () => {
    for (const feed of feeds(fixture('hostile/feedparser-sanitize-extract.jsonl'))) {
      expect(harmOfDocument(feed)).toEqual([])
      expect(harmOfText(Buffer.from(feed).toString())).toEqual([])
    }
  })

  test('control characters and direction overrides', () => {
    for (const bad of ['\u0000', '\u001b[31mred', '\u202eevil', '\ufeff', '\ud800', '\u{e0041}', '&#0;', '&#x202e;'])
      expect(harmOfText(`a${bad}b`)).toEqual([])
  })

  test('the checker itself detects harm', () => {
    const refused = [{ item: '\u001b[31m', reason: '' }]
    expect(harmOf(() => ({ items: [], rejected: refused, follow: [], isComplete: true }), '')).toHaveLength(1)
    const markup = [
      '<script>',
      '<p onclick="x">',
      '<a href="javascript:x">',
      '<img src="x">',
      '<P>',
      '<p',
      '<p style="x">',
      'a\u202eb',
    ]
    for (const html of markup) expect(harmIn(html)).not.toEqual([])
    expect(harmIn('<p>a <a href="https://example.org/" rel="noopener noreferrer">b</a></p>')).toEqual([])
  })
})

describe('XML that expands or refers to external files is refused at once', () => {
  const declarations = Array.from({ length: 30 }, (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`)
  const bomb = `<!DOCTYPE rss [<!ENTITY e0 "boom">${declarations.join('')}]>`
  const feed = (doctype: string, text: string) =>
    `<?xml version="1.0"?>${doctype}<rss version="2.0"><channel><item><title>Japan - Level 1: ${text}</title></item></channel></rss>`

  test.each([
    ['entities of entities', feed(bomb, '&e30;')],
    ['one long entity many times', feed(`<!DOCTYPE rss [<!ENTITY a "${'x'.repeat(100_000)}">]>`, '&a;'.repeat(10_000))],
    ['a file of the server', feed('<!DOCTYPE rss [<!ENTITY a SYSTEM "file:///etc/passwd">]>', '&a;')],
    ['another document', feed('<!DOCTYPE rss SYSTEM "http://192.0.2.1/x.dtd">', 'x')],
    ['very deep nesting', `<rss><channel>${'<item>'.repeat(100_000)}`],
  ])('%s', (_, document) => {
    // The heap of this thread: the resident memory of the process also grows with tests of other files.
    const before = process.memoryUsage().heapUsed
    expect(() => readUs(bytes(document), at)).toThrow(FeedError)
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100_000_000)
  })

  test('HTML that is long or deep ends in bounded text', () => {
    for (const html of [
      '<p>'.repeat(300_000),
      '<b>'.repeat(300_000),
      '<table>'.repeat(100_000),
      '<ul><li>x'.repeat(100_000),
      'x'.repeat(5_000_000),
    ]) {
      const entry = {
        Title: 'Peru - Level 4: Do Not Travel',
        Link: 'https://travel.state.gov/peru',
        Updated: '2026-01-14',
      }
      const { items } = readUs(bytes(JSON.stringify([{ ...entry, Summary: html }])), at) as ParsedFeed
      expect(items).toHaveLength(1)
      expect(items.every((item) => (item.detailed_information ?? '').length < 500_000)).toBe(true)
    }
  })
})

describe('input that slows down patterns is read in time', () => {
  test.each([
    ...[
      '.',
      ' ',
      '[',
      '(',
      '**',
      '_a ',
      '**a ',
      '<',
      '&',
      '"',
      '- ',
      ': ',
      'a. ',
      'a.b. ',
      '<br>',
      '<p>',
      '</p>',
      '\n\n',
      '\n  * ',
    ],
    ...[
      'do not travel to ',
      'ordered ',
      'if you ',
      'you should ',
      'in these ',
      'advises against all travel to ',
      'due to ',
      'test ',
    ],
    ...[
      'Exercise increased caution ',
      'Level 2 - ',
      'parts of the country, ',
      'a and ',
      '<a href="',
      '<b>',
      '<ul><li>',
    ],
  ])('%j many times', (piece) => {
    const start = performance.now()
    for (const bad of [piece.repeat(30_000 / piece.length), `x:${piece.repeat(30_000 / piece.length)}x`])
      expect(harmOfText(bad)).toEqual([])
    expect(performance.now() - start).toBeLessThan(10_000)
  })
})

describe.skipIf(!hasSharedData)('the whole collection of hostile input', () => {
  test('every test feed of feedparser, alone and inside an item', { timeout: 300_000 }, () => {
    for (const kind of ['sanitize', 'illformed', 'encoding', 'entities', 'base'])
      for (const feed of feeds(sharedData(`adversarial/feeds/feedparser-${kind}.jsonl`))) {
        expect(harmOfDocument(feed)).toEqual([])
        expect(harmOfText(Buffer.from(feed).toString())).toEqual([])
      }
  })

  test('every line of the payload lists', { timeout: 300_000 }, () => {
    const strings = JSON.parse(Buffer.from(sharedData('adversarial/strings/blns.json')).toString()) as string[]
    const files = ['BRUTELOGIC-XSS-STRINGS', 'IntrudersXSS', 'RSNAKE_XSS', 'XSS_Polyglots', 'xss_payloads_quick']
    const lists = [...files.map((name) => `xss-${name}`), 'right-to-left', 'open-redirect', 'crlf']
    const all = [...strings, ...lists.flatMap((name) => lines(sharedData(`adversarial/strings/${name}.txt`)))]
    expect(all.length).toBeGreaterThan(1_000)
    for (const bad of all) expect(harmOfText(bad)).toEqual([])
  })

  test('hostile XML, alone and with its declarations before a feed', () => {
    const names = ['dtd', 'dtd_element', 'external', 'quadratic', 'simple-ns', 'simple', 'xmlbomb', 'xmlbomb2']
    for (const name of names) {
      const xml = Buffer.from(sharedData(`adversarial/xml/${name}.xml`)).toString()
      expect(harmOfDocument(xml)).toEqual([])
      const doctype = /<!DOCTYPE[\s\S]*?\]?>\s*(?=<\w)/.exec(xml)?.[0] ?? ''
      const body = xml.replace(/<\?xml.*?\?>/, '').replace(doctype, '')
      expect(harmOfDocument(doctype + rss((text) => text, body).replace(/^<\?xml.*?\?>/, ''))).toEqual([])
    }
    for (const line of lines(sharedData('adversarial/xml/xml-attack-lines.txt'))) expect(harmOfText(line)).toEqual([])
  })
})

test.skipIf(!hasSharedData)('no real title of any file is taken for a test message', () => {
  const files: [FeedReader, string][] = [
    ...['us-state-rss-2025-10-07.xml', 'us-state-rss-2025-10-08.xml', 'us-state-archive-2026-02-15.json'].map(
      (name): [FeedReader, string] => [readUs, name],
    ),
    ...['us-api.json', 'us-api-with-summary.json', 'us-rss-namespace-undeclared.xml'].map(
      (name): [FeedReader, string] => [readUs, `recent-2026-09/${name}`],
    ),
    ...['full-country', 'no-parts', 'index'].map((name): [FeedReader, string] => [
      readUk,
      `uk-fcdo-content-api/${name}.json`,
    ]),
    ...['uk-fcdo-alert-status-2026-05.json', 'recent-2026-09/uk-index.json', 'recent-2026-09/uk-pages.json'].map(
      (name): [FeedReader, string] => [readUk, name],
    ),
    ...[
      'ca-index-alpha-eng-2014-full.json',
      'recent-2026-09/ca-index-alpha-eng.json',
      'recent-2026-09/ca-cta-cap-HT.json',
    ].map((name): [FeedReader, string] => [readCa, name]),
  ]
  for (const [reader, name] of files) {
    const { rejected } = reader(sharedData(`advisories/${name}`), at) as ParsedFeed
    expect(rejected.filter(({ reason }) => reason.includes('test message'))).toEqual([])
  }
})
