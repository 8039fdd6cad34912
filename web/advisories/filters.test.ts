import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { activeFilters, addressOf, apiQuery, NO_FILTERS, pagesOf, readFilters, without } from './filters.ts'

const read = (query: string) => readFilters(new URLSearchParams(query))

describe('list URL', () => {
  test('filters are parsed', () => {
    const { filters, ignored } = read(
      'search=%20Japan &severity_level=critical,emergency&country=JP&source=us-state-rss&page=3',
    )
    expect(filters).toEqual({
      search: 'Japan',
      severities: ['emergency', 'critical'],
      country: 'JP',
      source: 'us-state-rss',
      mine: false,
      page: 3,
    })
    expect(ignored).toEqual([])
    expect(apiQuery(filters)).toEqual({
      search: 'Japan',
      severity_level: 'emergency,critical',
      country: 'JP',
      source: 'us-state-rss',
      limit: 25,
      offset: 50,
    })
  })

  test('own countries are requested by code, and only if there are any (ADV-PAGE-34, -35, F-06)', () => {
    const { filters } = read('mine=1&search=visa')
    expect(filters.mine).toBe(true)
    expect(apiQuery(filters, ['NE', 'OM']).countries).toBe('NE,OM')
    expect(apiQuery(filters, [])).not.toHaveProperty('countries')
    expect(apiQuery(NO_FILTERS, ['NE'])).not.toHaveProperty('countries')
    expect(activeFilters(filters)).toEqual(['search', 'mine'])
    expect(addressOf(filters)).toBe('/travel-advisories?search=visa&mine=1')
    expect(without(filters, 'mine')).toBe('/travel-advisories?search=visa')
    expect(read('mine=yes').ignored).toEqual(['mine'])
  })

  test.each([
    ['severity=warning', ['warning']],
    ['severity_level=all', []],
    ['severity_level=', []],
    ['severity_level=WARNING', ['warning']],
  ])('%s', (query, severities) => {
    expect(read(query)).toMatchObject({ filters: { severities }, ignored: [] })
  })

  test.each([
    ['severity_level=deadly', 'severity_level'],
    ['severity_level=warning,x', 'severity_level'],
    ['page=-1', 'page'],
    ['page=1e9', 'page'],
    ['page=0', 'page'],
    ['source=../etc', 'source'],
    ['highlight=1', 'highlight'],
  ])('%s is ignored and named', (query, name) => {
    expect(read(query)).toMatchObject({ filters: NO_FILTERS, ignored: [name], highlight: null })
  })

  test('a highlight is an id', () => {
    expect(read('highlight=0B0C7F0E-8b1e-4a55-9d5e-1f2a3b4c5d6e').highlight).toBe(
      '0b0c7f0e-8b1e-4a55-9d5e-1f2a3b4c5d6e',
    )
  })

  test('no URL causes an error, and queries stay within limits', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom('search', 'severity_level', 'country', 'source', 'page', 'highlight', 'x'),
          fc.string({ unit: 'binary', maxLength: 400 }),
        ),
        (query) => {
          const { filters } = readFilters(new URLSearchParams(query as Record<string, string>))
          expect([...filters.search].length).toBeLessThanOrEqual(200)
          expect(filters.search).not.toContain('\0')
          expect(apiQuery(filters).offset).toBeGreaterThanOrEqual(0)
          expect(readFilters(new URL(addressOf(filters), 'http://x').searchParams).filters.severities).toEqual(
            filters.severities,
          )
        },
      ),
    )
  })

  test('link URLs', () => {
    const filters = { ...NO_FILTERS, search: 'a b', severities: ['emergency' as const, 'critical' as const], page: 2 }
    expect(addressOf(NO_FILTERS)).toBe('/travel-advisories')
    expect(addressOf(filters)).toBe('/travel-advisories?search=a+b&severity_level=emergency,critical')
    expect(addressOf(filters, { page: 3 })).toBe(
      '/travel-advisories?search=a+b&severity_level=emergency,critical&page=3',
    )
    expect(without(filters, 'search')).toBe('/travel-advisories?severity_level=emergency,critical')
    expect(activeFilters(filters)).toEqual(['search', 'severities'])
    expect([0, 1, 25, 26].map(pagesOf)).toEqual([1, 1, 1, 2])
  })
})
