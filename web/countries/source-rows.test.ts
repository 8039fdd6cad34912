import { describe, expect, test } from 'vitest'
import type { Advisory, AdvisorySource } from '#shared/advisories/endpoints.ts'
import type { Severity } from '#shared/advisories/severity.ts'
import type { SourceOnCountry } from '#shared/countries/endpoints.ts'
import '#web/lib/messages.server.ts'
import { doubtLine, doubtOf } from './doubt.ts'
import { shownRows } from './shown-rows.server.ts'
import { sourceRows } from './source-rows.ts'

const reader = {
  sourceName: ({ name }: AdvisorySource) => name,
  titleOf: ({ title, language }: Advisory) => ({ title, title_language: language }),
  glossOf: () => null,
}
const source = (id: string, more: Partial<AdvisorySource> = {}): AdvisorySource =>
  ({ id, name: id, authority: id, country_code: 'CA', state: 'confirmed', reading: 'confirmed', ...more }) as never
const late = { state: 'not_confirmed', reading: 'late' } as const
const dfa = source('ph-dfa', { country_code: 'PH', state: 'manual', reading: 'manual' })
const says = (
  id: string,
  severity_level: Severity,
  more: Partial<Advisory> = {},
  of: Partial<AdvisorySource> = {},
): SourceOnCountry => ({
  source: source(id, of),
  advisories: [
    {
      id,
      title: `Qatar: ${id}`,
      description: '',
      severity_level,
      original_wording: 'Do Not Travel',
      language: 'en',
      last_updated: '2026-09-01',
      country_codes: ['QA'],
      unresolved_countries: [],
      affected_regions: [],
      affected_cities: [],
      captured_on: null,
      ...more,
    } as never,
  ],
})
const rowsOf = (speaking: SourceOnCountry[], others: AdvisorySource[] = [dfa]) =>
  sourceRows(speaking, [...speaking.map(({ source }) => source), ...others], reader)
const kinds = (speaking: SourceOnCountry[], others?: AdvisorySource[]) =>
  rowsOf(speaking, others).map(({ source: { id }, kind }) => `${id} ${kind}`)

describe('rows of sources', () => {
  test('those that speak come first, most serious first; every other source has its row', () => {
    const speaking = [says('ca', 'caution'), says('us', 'emergency', {}, late), says('uk', 'warning')]
    const others = [source('us-rss', { authority: 'us' }), source('gdacs'), dfa, source('de', late)]
    expect(kinds(speaking, others)).toEqual([
      'us says',
      'uk says',
      'ca says',
      'gdacs silent',
      'ph-dfa written',
      'de unknown',
    ])
  })

  test('a confirmed source comes before one of the same level that is not', () => {
    expect(kinds([says('us', 'warning', {}, late), says('uk', 'warning')]).slice(0, 2)).toEqual(['uk says', 'us says'])
  })

  test.each([
    ['switched off', [source('ph-dfa', { ...dfa, state: 'off', reading: 'off' })]],
    ['removed', []],
  ])('the Philippine source has its row although it is %s', (_, others) => {
    expect(rowsOf([], others)).toMatchObject([{ kind: 'unknown', source: { id: 'ph-dfa', reading: 'off' } }])
  })

  test('a Philippine source with a feed replaces the one without', () => {
    expect(kinds([], [source('ph-feed', { country_code: 'PH' }), { ...dfa, state: 'off' }])).toEqual(['ph-feed silent'])
  })

  test.each([
    [{}, {}, { kind: 'whole' }],
    [{ original_wording: 'FCDO advises against all travel to parts of the country' }, {}, null],
    [{ original_wording: 'Avoid all travel (with regional advisories)' }, {}, null],
    [{ language: 'de', original_wording: 'Teilreisewarnung' }, {}, null],
    [{}, { country_code: null }, null],
    [
      { affected_regions: ['A', 'B'], affected_cities: ['B', 'C', 'D', 'E'] },
      {},
      { names: ['A', 'B', 'C', 'D'], more: 1 },
    ],
    [{ country_codes: Array.from({ length: 60 }, (_, i) => `A${i}`) }, {}, { kind: 'countries', count: 60 }],
  ])('says where an advisory applies only as far as its source does: %j %j', (more, of, area) => {
    const [row] = rowsOf([says('us', 'warning', more as never, of)])
    expect(row!.advisories[0]!.area).toEqual(area && expect.objectContaining(area))
  })
})

describe('what a row says', () => {
  const entryOf = (speaking: SourceOnCountry[], others?: AdvisorySource[]) =>
    shownRows(rowsOf(speaking, others), 'en', 'Qatar')[0]!.entries[0]!
  const copy = { state: 'captured', reading: 'copy', captured_on: '2026-05-20' } as const

  test.each([
    ['silent', source('ca'), 'Nothing listed', /^It lists nothing about .Qatar. now\.$/],
    ['copy', source('ca', copy), '', /^Our copy lists nothing about .Qatar.\. That may have changed\.$/],
    ['late', source('ca', late), '', /^Last known: nothing about .Qatar.\. That may have changed\.$/],
    ['failed', source('ca', { ...late, reading: 'failed' }), '', /^We could not read it\./],
    ['not read', source('ca', { ...late, reading: 'not_read' }), '', /^Not read yet\./],
    [
      'written',
      dfa,
      'Nothing entered',
      /^It publishes no feed\. Our team enters what it says, and has entered nothing/,
    ],
    ['off', { ...dfa, state: 'off', reading: 'off' } as const, '', /^We do not read it at the moment\.$/],
  ])('without an advisory, why: %s', (_, of, label, text) => {
    // The Philippine row is there in any case.
    const rows = shownRows(rowsOf([], of.country_code === 'PH' ? [of] : [of, dfa]), 'en', 'Qatar')
    const [entry] = rows.find(({ id }) => id === of.id)!.entries
    expect(entry).toMatchObject({ label, lines: [expect.stringMatching(text)] })
  })

  test('an advisory that is only a copy is the last known wording, although its source was confirmed', () => {
    expect(entryOf([says('us', 'warning')])).toMatchObject({ prefix: '', isConfirmed: true })
    expect(entryOf([says('us', 'warning', { captured_on: '2026-05-20' })])).toMatchObject({
      prefix: 'Last known:',
      isConfirmed: false,
      times: [{}, { label: 'Copy from 20 May 2026, not re-checked' }],
    })
  })
})

describe('the line of doubt', () => {
  const doubt = (sources: AdvisorySource[], speaking: SourceOnCountry[] = []) =>
    doubtOf([...speaking.map(({ source }) => source), ...sources], rowsOf(speaking, sources), ({ name }) => name)
  const at = (last_success_at: string) => ({ last_success_at, not_confirmed_since: last_success_at })

  test('counts the authorities, names those not confirmed, and gives the oldest confirmation', () => {
    const sources = [
      source('uk', at('2026-09-01T10:00:00Z')),
      source('ca', at('2026-09-01T09:00:00Z')),
      source('de', { ...late, ...at('2026-08-30T00:00:00Z') }),
      dfa,
    ]
    expect(doubt(sources)).toMatchObject({
      confirmed: 2,
      total: 3,
      confirmed_at: '2026-09-01T09:00:00Z',
      unconfirmed: ['de'],
      since: '2026-08-30T00:00:00Z',
    })
  })

  test('without any confirmed source, gives the oldest copy quoted, or the last answer', () => {
    const copy = { state: 'captured', reading: 'copy', captured_on: '2026-05-20' } as const
    const older = { ...copy, captured_on: '2026-02-15' }
    expect(doubt([], [says('uk', 'info', {}, copy), says('us', 'info', {}, older)])).toMatchObject({
      confirmed: 0,
      captured_on: '2026-02-15',
      since: null,
    })
    const answered = ['2026-08-30T00:00:00Z', '2026-08-31T00:00:00Z'].map((time, i) =>
      source(`${i}`, { ...late, ...at(time) }),
    )
    expect(doubt(answered)).toMatchObject({ confirmed: 0, captured_on: null, last_success_at: '2026-08-31T00:00:00Z' })
  })

  test('names at most three sources', () => {
    const t = (key: string, values = {}) => `${key} ${Object.values(values).join(' ')}`
    const others = ['de', 'fr', 'it', 'es', 'nl'].map((id) => source(id, late))
    const { text, isDoubtful } = doubtLine(
      doubt([source('uk', at('2026-09-01T10:00:00Z')), ...others]),
      t as never,
      String,
    )
    expect(text).toMatch(/doubt_confirmed \n 1 6 doubt_sources_more \u2068de\u2069comma .*it\u2069 2/)
    expect(isDoubtful).toBe(true)
  })
})
