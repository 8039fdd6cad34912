import { describe, expect, test } from 'vitest'
import type { Advisory, AdvisorySource } from '#shared/advisories/endpoints.ts'
import type { Severity } from '#shared/advisories/severity.ts'
import type { SourceOnCountry } from '#shared/countries/endpoints.ts'
import { countryPage, whatChanged } from './country-page.ts'

const reader = {
  sourceName: ({ name }: AdvisorySource) => name,
  titleOf: ({ title, language }: Advisory) => ({ title, title_language: language }),
}

describe('page of a country', () => {
  test('puts the most serious source first and unconfirmed ones last', () => {
    const { columns, highest, doDiffer } = page([
      speaking('us', 'emergency', 'not_confirmed'),
      speaking('ca', 'caution'),
      speaking('gdacs', 'warning'),
    ])
    expect(columns.map(({ source }) => source.id)).toEqual(['gdacs', 'ca', 'us'])
    // The level is not lowered because its source is late.
    expect(highest).toMatchObject({ severity_level: 'emergency', isDoubtful: true })
    expect(doDiffer).toBe(true)
  })

  test('prefers a confirmed source among equal levels', () => {
    const { highest } = page([speaking('us', 'warning', 'captured'), speaking('uk', 'warning')])
    expect(highest).toMatchObject({ title: 'Notice of uk', isDoubtful: false })
  })

  test('separates sources that list nothing from unknown ones; manually maintained sources are neither', () => {
    const { silent, unknown } = page(
      [speaking('us', 'info')],
      [
        source('us-json', { authority: 'us' }),
        source('uk'),
        source('ca', { state: 'captured' }),
        source('de', { state: 'not_confirmed' }),
        source('dfa', { state: 'manual' }),
      ],
    )
    expect(silent.map(({ id }) => id)).toEqual(['uk'])
    expect(unknown.map(({ id }) => id)).toEqual(['ca', 'de'])
  })

  test('without any advisory has no highest level', () => {
    expect(page([], [source('us')])).toMatchObject({ highest: null, columns: [], doDiffer: false })
  })

  test('shows three advisories of a source and counts the others', () => {
    const many = speaking('gdacs', 'warning')
    many.advisories = Array.from({ length: 5 }, (_, i) => ({ ...many.advisories[0]!, id: `${i}` }))
    expect(page([many]).columns[0]).toMatchObject({ advisories: { length: 3 }, moreCount: 2 })
  })
})

describe('what changed, in one sentence', () => {
  test.each([
    [
      [change('severity_level', 'caution', 'warning'), change('original_wording', 'Level 2', 'Level 3')],
      'level_raised',
      'Level 3',
    ],
    [
      [change('severity_level', 'critical', 'warning'), change('original_wording', 'Level 4', 'Level 3')],
      'level_lowered',
      'Level 3',
    ],
    [
      [change('description', 'a', 'b'), change('original_wording', 'Level 2', 'Level 2 (with regions)')],
      'wording',
      'Level 2 (with regions)',
    ],
    [[change('title', 'Old', 'New'), change('description', 'a', 'b')], 'title_text', 'New'],
    [[change('description', 'a', 'b'), change('expiry_date', null, 'x')], 'fields', ''],
  ])('%j', (changes, kind, after) => {
    expect(whatChanged(changes)).toMatchObject({ kind, after })
  })
})

function page(sources: SourceOnCountry[], others: AdvisorySource[] = []) {
  return countryPage(
    { sources, timeline: [], timeline_total: 0 } as never,
    [...sources.map(({ source }) => source), ...others],
    reader,
  )
}

function speaking(id: string, severity_level: Severity, state: AdvisorySource['state'] = 'confirmed'): SourceOnCountry {
  const advisory = {
    id,
    title: `Notice of ${id}`,
    description: '',
    severity_level,
    original_wording: '',
    language: 'en',
  }
  return {
    source: source(id, { state }),
    advisories: [{ ...advisory, last_updated: '2026-09-01', affected_countries: [] } as never],
  }
}

function source(id: string, overrides: Partial<AdvisorySource> = {}): AdvisorySource {
  return { id, name: id, authority: id, state: 'confirmed', ...overrides } as AdvisorySource
}

function change(field: string, before: string | null, after: string) {
  return { field, before, after }
}
