import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createCountries } from '#server/countries/reference.ts'
import { FeedError } from '../feed.ts'
import { readCap } from './cap.ts'

const SHARED = new URL('../../../../../shared/data/', import.meta.url)
const context = {
  countries: createCountries(),
  baseUrl: 'https://alerts.example.org/feeds/list.atom',
  now: new Date('2012-05-03'),
}
const fixture = (name: string) => readFileSync(new URL(`../../../../fixtures/advisories/cap/${name}`, import.meta.url))
const readFixture = (name: string) => readCap(fixture(name), context)
const read = (document: string) => readCap(new TextEncoder().encode(document), context)
const readFirst = (name: string) => readFixture(name).items[0]!

describe('real documents', () => {
  test.each([
    ['amber.atom', 1, 0, true],
    ['australia.cap', 1, 0, false],
    ['canada.cap', 1, 0, false],
    ['earthquake-iso8859-1.cap', 1, 0, false],
    ['ny_index.rss', 0, 2, false],
    ['wcatwc-warning.cap', 1, 0, false],
    ['weather.atom', 1, 0, true],
    ['weather.cap', 1, 0, false],
    ['weather_index.atom', 0, 2, false],
  ])('%s: %i items, %i to follow', (name, items, follow, isComplete) => {
    const parsed = readFixture(name)
    expect([parsed.items.length, parsed.follow.length, parsed.isComplete]).toEqual([items, follow, isComplete])
    expect(parsed.rejected).toEqual([])
  })

  test('a tsunami warning: Extreme and Immediate, but not Observed', () => {
    expect(readFirst('wcatwc-warning.cap')).toMatchObject({
      external_id: 'PAAQ-2-lqw6d6',
      severity_level: 'critical',
      is_urgent: true,
      original_level: 'Extreme',
      original_wording: 'Tsunami Warning (severity Extreme, urgency Immediate, certainty Likely)',
      effective_date: new Date('2011-09-02T11:36:50Z'),
      expiry_date: new Date('2011-09-02T12:36:50Z'),
      last_updated: new Date('2011-09-02T11:36:50Z'),
      // The reference calls the sender PAAQ, the alert calls it by a web address.
      supersedes: ['PAAQ-1-lqw6d6'],
      is_cancellation: false,
      status: 'actual',
      language: 'en-US',
    })
    expect(readFirst('wcatwc-warning.cap').recommendations).toHaveLength(6)
    expect(readFirst('wcatwc-warning.cap').recommendations[2]).toBe(
      'Persons in tsunami warning coastal areas should move inland to higher ground.',
    )
  })

  test('an all-clear in two languages: the English text is read, and the French one is mentioned', () => {
    expect(readFirst('canada.cap')).toMatchObject({
      title: 'All clear: severe thunderstorm watch',
      language: 'en-CA',
      severity_level: 'info',
      is_urgent: false,
      advisory_type: 'weather',
      recommendations: ['Monitor local conditions and take appropriate precautions'],
      supersedes: ['2.49.0.1.124.a3f342a4.2012', '2.49.0.1.124.60f31a3a.2012'],
      // Its text says that it is a test; its status says that it is not, and the status decides.
      status: 'actual',
      affected_regions: ['Windsor - Leamington - Essex County', 'Chatham-Kent - Rondeau Park'],
      source_url: 'http://www.weatheroffice.gc.ca/warnings/warnings_e.html',
    })
    expect(readFirst('canada.cap').detailed_information).toContain('Also published in: fr-CA.')
  })

  test('a duplicate, once with an ISO code: one item, its country known', () => {
    expect(readFirst('australia.cap')).toMatchObject({
      title: 'Australia: Yerong Creek Structure Fire',
      country_codes: ['AU'],
      unresolved_countries: [],
      affected_regions: ['Yerong Creek Structure Fire'],
      effective_date: new Date('2011-10-05T13:04:00Z'),
      // "Not Applicable" recommends no action.
      recommendations: [],
    })
    expect(readFirst('australia.cap').description).toMatch(/^ALERT LEVEL: Not Applicable LOCATION: 12 Cox Street/)
    expect(readFirst('australia.cap').detailed_information).toContain('<br>LOCATION: 12 Cox Street')
  })

  test('ISO 8859-1; distances to towns of El Salvador do not make it an alert of that country', () => {
    expect(readFirst('earthquake-iso8859-1.cap')).toMatchObject({
      title: 'EQ 4.6 Usulután, Usulután, El Salvador - PRELIMINARY REPORT',
      severity_level: 'info',
      country_codes: [],
      unresolved_countries: [expect.stringMatching(/^47 miles \(76 km\) SSW of Usulután.*SAN SALVADOR, El Salvador$/)],
    })
    expect(readFirst('earthquake-iso8859-1.cap').affected_regions).toHaveLength(5)
  })

  test('lines wrapped at 69 characters are joined into whole sentences', () => {
    const item = readFirst('weather.cap')
    expect(item.recommendations).toEqual([
      'A FLASH FLOOD WATCH MEANS THAT CONDITIONS MAY DEVELOP THAT LEAD TO FLASH FLOODING.',
      'FLASH FLOODING IS A VERY DANGEROUS SITUATION.',
      'YOU SHOULD MONITOR LATER FORECASTS AND BE PREPARED TO TAKE ACTION SHOULD FLASH FLOOD WARNINGS BE ISSUED.',
    ])
    expect(item.detailed_information).toContain('<li>UNTIL NOON MDT TODAY</li>')
    expect(item.country_codes).toEqual([])
  })

  test('lists of links are followed', () => {
    expect(readFixture('ny_index.rss').follow[1]).toEqual({
      url: 'http://www.nyalert.gov/Public/News/GetCapAlert.aspx?capID=NYAlert-ALLHAZALERT-3162202',
      external_id: 'NYAlert-ALLHAZALERT-3162202',
      changed_at: new Date('2011-01-28T16:13:00Z'),
    })
    expect(readFixture('weather_index.atom').follow[0]!.changed_at).toEqual(new Date('2010-08-31T03:04:00Z'))
  })
})

describe('invalid documents are refused with the reason', () => {
  test.each([
    ['canada_errors.cap', /msgType is Update, but it refers to no earlier/],
    ['invalid.cap', /has no scope/],
    ['noaa_errors.cap', /has no severity/],
    ['no_link.atom', /neither an alert nor a link/],
    ['weather_invalid.atom', /identifier has a space, comma/],
  ])('%s', (name, reason) => {
    const parsed = readFixture(name)
    expect(parsed.items).toEqual([])
    expect(parsed.rejected).toEqual([{ item: expect.any(String), reason: expect.stringMatching(reason) }])
  })

  test('an alert beside the entries of a list is not one of them', () => {
    expect(readFixture('no_entries.atom')).toMatchObject({ items: [], rejected: [], follow: [] })
  })
})

test.each([
  ['Actual', 'actual'],
  ['Exercise', 'exercise'],
  ['System', 'system'],
  ['Test', 'test'],
  ['Draft', 'draft'],
])('status %s', (status, expected) => {
  expect(read(alert({ status })).items[0]?.status).toBe(expected)
})

test.each([
  ['Extreme', 'Immediate', 'Observed', 'emergency', true],
  ['Extreme', 'Expected', 'Observed', 'critical', false],
  ['Severe', 'Immediate', 'Observed', 'warning', true],
  ['Moderate', 'Future', 'Likely', 'caution', false],
  ['Minor', 'Past', 'Possible', 'info', false],
  ['Unknown', 'Unknown', 'Unknown', 'info', false],
  ['Severe', 'Expected', 'Very Likely', 'warning', false],
])('%s, %s, %s: %s, urgent %s', (severity, urgency, certainty, severity_level, is_urgent) => {
  expect(read(alert({}, { severity, urgency, certainty })).items[0]).toMatchObject({ severity_level, is_urgent })
})

describe('updates and cancellations', () => {
  const references = 'a@b.ph,one,2026-01-01T00:00:00+08:00\n a@b.ph,two,2026-01-02T00:00:00+08:00'

  test('a cancellation ends the alerts it refers to, and needs no info', () => {
    const [item] = read(alert({ msgType: 'Cancel', references }, null)).items
    expect(item).toMatchObject({ is_cancellation: true, supersedes: ['one', 'two'], title: 'Cancellation by a@b.ph' })
    expect(read(alert({ msgType: 'Cancel', references }, { urgency: 'Immediate' })).items[0]!.is_urgent).toBe(false)
  })

  test.each([
    [{ msgType: 'Cancel' }, /msgType is Cancel, but it refers to no earlier/],
    [{ msgType: 'Update', references: 'only-a-word' }, /not of the form sender,identifier,sent/],
    [{ msgType: 'Ack' }, /msgType is "Ack"/],
    [{ scope: 'Private' }, /scope is not Public/],
    [{ status: 'Real' }, /status is "Real", none of Actual/],
    [{ sent: '2026-01-03T00:00:00' }, /"sent" cannot be read or has no zone/],
    [{ sent: '2026-01-03' }, /"sent" cannot be read or has no zone/],
    [{ sender: '' }, /has no sender/],
  ])('%o is refused', (change, reason) => {
    expect(read(alert(change)).rejected).toEqual([{ item: 'three', reason: expect.stringMatching(reason) }])
  })
})

test('an alert without info is refused', () => {
  expect(read(alert({}, null)).rejected[0]!.reason).toMatch(/no info block/)
})

test('of several areas the most severe counts, and the last expiry', () => {
  const end = { expires: '2026-01-05T00:00:00+08:00' }
  const infos = [info({ severity: 'Minor', ...end }), info({ severity: 'Extreme', expires: '2026-01-04T00:00:00Z' })]
  const item = read(alert({}, infos.join(''))).items[0]!
  expect(item.severity_level).toBe('critical')
  expect(item.expiry_date).toEqual(new Date('2026-01-04T16:00:00Z'))
  expect(read(alert({}, infos.join('') + info({}))).items[0]!.expiry_date).toBeNull()
})

test('without English the first language is read, and its language code is set', () => {
  const infos = info({ language: 'fr-CA', headline: 'Orages' }) + info({ language: 'de', headline: 'Gewitter' })
  expect(read(alert({}, infos)).items[0]).toMatchObject({ title: 'Orages', language: 'fr-CA' })
  expect(read(alert({}, info({ language: 'no such language' }))).items[0]!.language).toBe('und')
})

describe('the country', () => {
  const iso = '<geocode><valueName>ISO 3166-2</valueName><value>AU_SA</value></geocode>'
  const zone = '<geocode><valueName>UGC</valueName><value>PAC075</value></geocode>'
  test.each([
    ['the name of a country', 'Philippines', '', 'x@pagasa.dost.gov.ph', ['PH']],
    ['a country from a sender of no country', 'Philippines', '', 'alerts@example.org', ['PH']],
    ['an ISO code', 'Adelaide', iso, 'x@cfs.sa.gov.au', ['AU']],
    ['a county called Lebanon', 'Lebanon', zone, 'w-nws.webmaster@noaa.gov', []],
    ['the state of Georgia', 'Georgia', '', 'w-nws.webmaster@noaa.gov', []],
    ['a district with a country in parentheses', 'Central (Jordan)', '', 'alerts@example.org', []],
    ['a code of no country', 'Adelaide', iso.replace('AU_SA', 'XX-1'), 'x@cfs.sa.gov.au', []],
    ['a FIPS code', 'Niamey', iso.replace('ISO 3166-2', 'FIPS').replace('AU_SA', 'NG'), 'x@meteo.ne', []],
  ])('%s', (_, name, geocode, sender, codes) => {
    const area = `<areaDesc>${name}</areaDesc>${geocode}`
    const item = read(alert({ sender }, { area })).items[0]!
    expect(item.country_codes).toEqual(codes)
    expect(item.unresolved_countries).toEqual(codes.length > 0 ? [] : [name])
  })
})

test('markup in every field is harmless', () => {
  const hostile = '<![CDATA[<script>alert(1)</script><img src=x onerror=alert(1)><a href="javascript:x">Flood</a>]]>'
  const fields = { event: hostile, headline: hostile, description: hostile, instruction: hostile, contact: hostile }
  const change = { ...fields, web: 'javascript:alert(1)', area: `<areaDesc>${hostile}</areaDesc>` }
  const item = read(alert({ sender: hostile, note: hostile }, change)).items[0]!
  expect(item).toMatchObject({ title: 'Flood', description: 'Flood', recommendations: ['Flood'] })
  expect(item.affected_regions).toEqual(['Flood'])
  expect(item.source_url).toBe(context.baseUrl)
  expect(JSON.stringify(item)).not.toMatch(/<script|onerror|javascript/)
})

describe('entries of a list', () => {
  const feed = (entries: string) => read(`<feed xmlns="http://www.w3.org/2005/Atom">${entries}</feed>`)

  test('links are completed, a link to CAP is preferred, and only web addresses are followed', () => {
    const marked = '<link href="/page"/><link type="application/cap+xml" href="../alerts/1.cap"/>'
    expect(feed(`<entry><id>1</id>${marked}</entry>`).follow).toEqual([
      { url: 'https://alerts.example.org/alerts/1.cap', external_id: '1', changed_at: null },
    ])
    expect(feed('<entry><id>1</id><link href="file:///etc/passwd"/></entry>').rejected).toHaveLength(1)
  })

  test('one bad alert does not stop the others, and a duplicate is imported once', () => {
    const good = alert({})
    const bad = alert({ identifier: 'bad' }, { severity: 'Awful' })
    const newer = alert({ sent: '2026-01-09T00:00:00+08:00' })
    const entries = [good, bad, newer].map((content) => `<entry><content type="text/xml">${content}</content></entry>`)
    const parsed = feed(entries.join(''))
    expect(parsed.items.map((item) => item.last_updated)).toEqual([new Date('2026-01-08T16:00:00Z')])
    expect(parsed.rejected.map(({ item }) => item)).toEqual(['bad', 'three'])
  })
})

test.each([
  ['an HTML page', '<!DOCTYPE html><html><title>Sign in</title></html>', /HTML page titled "Sign in"/],
  ['another alert', '<alert xmlns="urn:oasis:names:tc:emergency:cap:9.9"/>', /not of CAP 1.1 or 1.2/],
  ['a picture', '<svg xmlns="http://www.w3.org/2000/svg"/>', /<svg>, not a CAP alert/],
  ['entities', `<!DOCTYPE x [<!ENTITY a "b">]>${alert({})}`, /document type or entities/],
  ['a document cut short', alert({}).slice(0, -20), /not well-formed/],
])('%s is not CAP', (_, document, reason) => {
  expect(() => read(document)).toThrow(FeedError)
  expect(() => read(document)).toThrow(reason)
})

describe.skipIf(!existsSync(SHARED))('hostile documents', () => {
  const files = ['adversarial/feeds/cap/', 'adversarial/xml/', 'adversarial/feeds/feedsmith/'].flatMap((folder) =>
    existsSync(new URL(folder, SHARED)) ? readdirSync(new URL(folder, SHARED)).map((file) => folder + file) : [],
  )
  test.each(files)('%s gives no alert', (file) => {
    try {
      expect(readCap(readFileSync(new URL(file, SHARED)), context).items).toEqual([])
    } catch (error) {
      expect(error).toBeInstanceOf(FeedError)
    }
  })
})

function alert(change: Record<string, string>, infos: Record<string, string> | string | null = {}): string {
  const fields = {
    ...{ identifier: 'three', sender: 'a@b.ph', sent: '2026-01-03T00:00:00+08:00' },
    ...{ status: 'Actual', msgType: 'Alert', scope: 'Public', ...change },
  }
  const inner = typeof infos === 'string' ? infos : infos ? info(infos) : ''
  return `<alert xmlns="urn:oasis:names:tc:emergency:cap:1.2">${elements(fields)}${inner}</alert>`
}

function info(change: Record<string, string>): string {
  const fields = {
    ...{ language: 'en-PH', category: 'Met', event: 'Typhoon', urgency: 'Expected', severity: 'Severe' },
    ...{ certainty: 'Likely', headline: 'Signal No. 3', description: 'Winds of 121 km/h.', ...change },
  }
  return `<info>${elements(fields)}</info>`
}

function elements(fields: Record<string, string>): string {
  return Object.entries(fields)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('')
}
