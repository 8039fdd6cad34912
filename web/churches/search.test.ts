import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressOf, apiQuery, hasFilters, NO_SEARCH, pagesOf, readSearch, rounded } from './search.ts'

const read = (query: string) => readSearch(new URLSearchParams(query))

test.each([
  ['', {}],
  ['search=Tokyo&country=JP', { search: 'Tokyo', country: 'JP' }],
  ['countries=JP,IT,JP', { countries: ['JP', 'IT'] }],
  ['countries=JP,nowhere,%3Cscript%3E,,it', { countries: ['JP'] }],
  // One country that is chosen replaces them.
  ['countries=JP,IT&country=FJ', { country: 'FJ' }],
  ['search=%20%20%00', {}],
  ['near=Kushiro&radius=100', { near: 'Kushiro', radius: 100 }],
  ['near=Kushiro&radius=7', { near: 'Kushiro' }],
  ['lat=0&lon=0', { point: { lat: 0, lng: 0 } }],
  ['lat=35.68951&lon=139.69171', { point: { lat: 35.69, lng: 139.692 } }],
  ['lat=91&lon=0', {}],
  ['lat=35.7', {}],
  ['lat=NaN&lon=1e3', {}],
  ['page=-1', {}],
  ['page=3', { page: 3 }],
  ['online=true&language=tl', { online: true, language: 'tl' }],
  ['language=%3Cscript%3E', {}],
])('the URL "%s" requests %j and nothing else', (query, expected) => {
  expect(read(query)).toEqual({ ...NO_SEARCH, ...expected })
})

test('a search survives its URL', () => {
  const search = fc.record({
    search: fc.constantFrom('', 'Tokyo', 'ساو باولو', 'a&b=c'),
    country: fc.constantFrom('', 'JP', 'Korea'),
    countries: fc.constantFrom([], ['JP', 'IT']),
    state_province: fc.constantFrom('', 'Chiba'),
    city: fc.constantFrom('', 'Kyoto'),
    near: fc.constantFrom('', 'Kushiro', 'São Tomé'),
    point: fc.option(
      fc.record({
        lat: fc.integer({ min: -90_000, max: 90_000 }).map((n) => n / 1_000),
        lng: fc.integer({ min: -180_000, max: 180_000 }).map((n) => n / 1_000),
      }),
    ),
    radius: fc.constantFrom(10, 25, 50, 100),
    language: fc.constantFrom('', 'tl', 'pt-BR'),
    online: fc.boolean(),
    page: fc.integer({ min: 1, max: 500 }),
  })
  fc.assert(
    fc.property(search, (input) => {
      const again = readSearch(new URL(addressOf(input, { page: input.page }), 'http://x').searchParams)
      // A distance needs an origin.
      const radius = input.point || input.near ? input.radius : NO_SEARCH.radius
      expect(again).toEqual({ ...input, radius, countries: input.country ? [] : input.countries })
    }),
  )
})

test('no URL breaks the page or sends a query that the API rejects', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...Object.keys(NO_SEARCH), 'lat', 'lon'), fc.string())), (pairs) => {
      const query = apiQuery(readSearch(new URLSearchParams(pairs)))
      expect(query.limit).toBe(20)
      if ('lat' in query) expect(Math.abs(query.lat as number)).toBeLessThanOrEqual(90)
    }),
  )
})

test('a long text is cut to what the API takes, without half an emoji', () => {
  for (const text of ['x'.repeat(5_000), '🙏'.repeat(150), `x${'🙏'.repeat(150)}`]) {
    const { near } = read(new URLSearchParams({ near: text }).toString())
    expect(near.length).toBeLessThanOrEqual(200)
    expect(near.isWellFormed()).toBe(true)
  }
})

test('a distance applies only together with a place', () => {
  expect(apiQuery(read('search=x&radius=10'))).not.toHaveProperty('radius')
  expect(apiQuery(read('near=x&radius=10'))).toMatchObject({ near: 'x', radius: 10 })
  // A place chosen among several of its name: the point identifies it.
  expect(apiQuery(read('near=x&lat=1&lon=2'))).toEqual({ lat: 1, lng: 2, radius: 50, limit: 20, offset: 0 })
})

test('without scripts the point of the last search is sent along: it holds only for the place it was of', () => {
  expect(read('near=San+Jose&lat=9.9&lon=-84&at=San+Jose')).toMatchObject({ near: 'San Jose', point: { lat: 9.9 } })
  expect(read('near=Doha&lat=9.9&lon=-84&at=San+Jose')).toMatchObject({ near: 'Doha', point: null })
  expect(read('near=&lat=9.9&lon=-84&at=San+Jose')).toMatchObject({ near: '', point: null })
  expect(read('near=Doha&lat=9.9&lon=-84&at=*')).toMatchObject({ near: 'Doha', point: null })
  // The own location has no name.
  expect(read('near=&lat=9.9&lon=-84&at=*')).toMatchObject({ near: '', point: { lat: 9.9 } })
})

test('a changed search resets to page 1', () => {
  const third = read('search=x&page=3')
  expect(addressOf(third, { country: 'JP' })).toBe('/church-locator?search=x&country=JP')
  expect(hasFilters(NO_SEARCH)).toBe(false)
  expect(hasFilters(third)).toBe(true)
  expect([0, 20, 21].map(pagesOf)).toEqual([1, 1, 2])
})

test("the user's location is shared to about 100 m only", () => {
  expect(rounded(35.6895123)).toBe(35.69)
  expect(rounded(-0.00049)).toBe(-0)
})
