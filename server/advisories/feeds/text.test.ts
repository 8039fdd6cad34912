import { describe, expect, test } from 'vitest'
import { isTestTitle } from '#shared/advisories/test-title.ts'
import { FeedError } from './feed.ts'
import { bytes } from './testing.ts'
import * as text from './text.ts'

describe('decode', () => {
  test.each([
    ['UTF-8', bytes('<a>é</a>'), undefined],
    ['UTF-8 with a mark', new Uint8Array([0xef, 0xbb, 0xbf, ...bytes('<a>é</a>')]), 'iso-8859-1'],
    ['the XML declaration', latin1('<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>'), undefined],
    ['the response', latin1('<a>é</a>'), 'windows-1252'],
    ['the response, but wrongly', bytes('<a>é</a>'), 'utf-16le'],
    ['a declared name nobody knows', bytes('<?xml version="1.0" encoding="x-none"?><a>é</a>'), undefined],
    ['UTF-16 with a mark', new Uint8Array([0xff, 0xfe, ...Buffer.from('<a>é</a>', 'utf16le')]), undefined],
    ['UTF-16 without', new Uint8Array(Buffer.from('<a>é</a>', 'utf16le')), undefined],
    ['UTF-16 declared in single bytes', bytes('<?xml version="1.0" encoding="UTF-16"?><a>é</a>'), undefined],
  ])('by %s', (_, document, charset) => expect(text.decode(document, charset)).toMatch(/<a>é<\/a>$/))

  test('bytes that are not text in the declared charset are rejected', () =>
    expect(() => text.decode(new Uint8Array([0x3c, 0xff, 0xfe, 0xc3, 0x28, 0x01]))).toThrow(FeedError))

  test.each([
    ['', 'is empty'],
    ['<!DOCTYPE html><html><title>Page not found</title>', 'an HTML page titled "Page not found"'],
    ['<rss version="2.0">', 'an XML document <rss>'],
    ['{"a":', 'the beginning of it'],
    ['Bad gateway', 'plain text'],
  ])('the error for %j says what came instead of JSON', (document, message) =>
    expect(() => text.decodeJson(bytes(document))).toThrow(message),
  )
})

function latin1(value: string): Uint8Array {
  return new Uint8Array(Buffer.from(value, 'latin1'))
}

describe('dates', () => {
  test.each([
    ['Wed, 08 Oct 2025', '2025-10-08T00:00:00.000Z', 'day'],
    ['8 Oct 25', '2025-10-08T00:00:00.000Z', 'day'],
    ['Wed, 08 Oct 2025 17:36:06 GMT', '2025-10-08T17:36:06.000Z', 'minute'],
    ['Wed, 8 October 2025 17:36 -0400', '2025-10-08T21:36:00.000Z', 'minute'],
    ['Wed, 08 Oct 2025 23:00 EST', '2025-10-09T04:00:00.000Z', 'minute'],
  ])('RFC 822: %s', (written, expected, precision) =>
    expect(text.rfc822Date(written)).toEqual({ date: new Date(expected), precision }),
  )

  test.each([
    '',
    'yesterday',
    '32 Oct 2025',
    '30 Feb 2025',
    '08 Oct 2025 24:00 GMT',
    '08 Oct 2025 17:36',
    '08 Oct 2025 17:36 IST',
    '01 Jan 0001',
    '08 Okt 2025',
  ])('RFC 822: %j is not a date', (written) => expect(text.rfc822Date(written)).toBeUndefined())

  test.each([
    ['2026-09-14', '2026-09-14T00:00:00.000Z', 'day'],
    ['2026-09-14T20:00:00-04:00', '2026-09-15T00:00:00.000Z', 'minute'],
    ['2026-07-30T11:36:13+01:00', '2026-07-30T10:36:13.000Z', 'minute'],
    ['2026-09-24T08:53:35.8663187-04:00', '2026-09-24T12:53:35.866Z', 'minute'],
    ['2017-02-14T15:42:21.000+00:00', '2017-02-14T15:42:21.000Z', 'minute'],
    ['2026-09-14T20:00Z', '2026-09-14T20:00:00.000Z', 'minute'],
  ])('ISO: %s', (written, expected, precision) =>
    expect(text.isoDate(written)).toEqual({ date: new Date(expected), precision }),
  )

  test.each([
    '',
    '2026-09-14T20:00:00',
    '2026-13-01',
    '2026-02-30',
    '2026-09-14T25:00Z',
    '0001-01-01T00:00:00Z',
    '2026-09-14T20:00:00+99:00',
    '20260914',
  ])('ISO: %j is not a date', (written) => expect(text.isoDate(written)).toBeUndefined())

  test('a time without a zone is read as UTC only where the source says so', () => {
    expect(text.isoDate('2014-08-06T13:35:35', { withoutZone: 'utc' })?.date).toEqual(new Date('2014-08-06T13:35:35Z'))
    expect(text.rfc822Date('06 Aug 2014 13:35', { withoutZone: 'utc' })?.date).toEqual(new Date('2014-08-06T13:35Z'))
  })

  test('epoch seconds, not milliseconds', () => {
    expect(text.epochSeconds(1407346535)?.date).toEqual(new Date('2014-08-06T17:35:35Z'))
    expect(text.epochSeconds('1407346535')?.date).toEqual(new Date('2014-08-06T17:35:35Z'))
    for (const value of [1407346535000, 0, -1, Number.NaN, null, undefined, 'soon', {}])
      expect(text.epochSeconds(value)).toBeUndefined()
  })
})

describe('sentences', () => {
  test.each([
    ['Do not travel. Crime is common.', 'Do not travel.'],
    ['The U.S. Embassy in St. John’s is closed. Call.', 'The U.S. Embassy in St. John’s is closed.'],
    ['Within 3.5 km of the border. Stay away.', 'Within 3.5 km of the border.'],
    ['Ab dem 15. Mai gilt es. Danach nicht.', 'Ab dem 15. Mai gilt es.'],
    ['They said “leave.” Then they left.', 'They said “leave.”'],
    ['Advisory summary\nCrime is common.', 'Advisory summary'],
    ['', ''],
  ])('the first of %j', (whole, first) => expect(text.firstSentence(whole)).toBe(first))

  test('a summary ends with a whole sentence', () => {
    expect(text.summary('One is short. Two is longer than it. Three.', 20)).toBe('One is short.')
    expect(text.summary('One.\nTwo.', 600)).toBe('One. Two.')
    expect(text.summary('word '.repeat(200)).length).toBeLessThanOrEqual(600)
    expect(text.summary('word '.repeat(200))).toMatch(/ word…$/)
    expect(text.summary('')).toBe('')
  })
})

describe('test messages', () => {
  test.each([
    ...[
      'Test',
      'TEST',
      'test 2',
      'Test advisory',
      'Test advisory for Lima',
      'TEST: Japan - Level 3: Reconsider Travel',
      '[Test] Japan',
    ],
    ...[
      'Test - please ignore',
      'This is a test',
      'THIS IS ONLY A TEST MESSAGE.',
      'Required weekly test',
      'Monthly test alert',
      'Test alert 17',
    ],
    ...[
      'Japan: volcano warning (TEST)',
      'system: connectivity check',
      'System: Test advisory',
      'Please ignore this test',
      '*** TEST ***',
    ],
  ])('%j is one', (title) => expect(isTestTitle(title)).toBe(true))

  test.each([
    ...[
      'Protests in Paris',
      'Protests in Lima',
      'Latest security update',
      'Contested election in Kenya',
      'PCR testing rules',
      'COVID testing rules',
    ],
    ...[
      'COVID test required',
      'Test required before entry',
      'Missile test: avoid the area',
      'Nuclear test in North Korea',
      'Emergency alert test on 23 April',
    ],
    ...[
      'Test match in Lahore: expect crowds',
      'Tests required on arrival',
      'Testing advisory: new entry rules',
      'Detest',
      'Attestation forms',
      'Greatest risk',
    ],
    ...[
      'Siren test in Honolulu',
      'Health system: hospitals overwhelmed',
      'HIV test certificate for residents',
      'Testour, Tunisia: flooding',
      'Entry rules (PCR test)',
    ],
    '',
  ])('%j is not', (title) => expect(isTestTitle(title)).toBe(false))
})

test('web addresses', () => {
  expect(text.webAddress('/a', 'https://www.gov.uk/b')).toBe('https://www.gov.uk/a')
  for (const address of ['javascript:alert(1)', 'data:,x', 'https://gov.uk@example.org', '', undefined])
    expect(text.webAddress(address)).toBeUndefined()
})
