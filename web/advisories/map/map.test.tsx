import { brotliCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { CountryLevel } from '#shared/advisories/endpoints.ts'
import { SEVERITIES } from '#shared/advisories/severity.ts'
import countries from '#shared/countries/countries.json' with { type: 'json' }
import type { CallEndpoint } from '#web/lib/visitor.ts'
import '#web/lib/messages.server.ts'
import { markupOf, textOf } from '../markup.tsx'
import { AdvisoryMap } from './AdvisoryMap.tsx'
import { fromLines } from './listed.ts'
import { advisoryMap } from './map.server.ts'
import { type MapView, REGIONS } from './view.ts'
import file from './views.json' with { type: 'json' }

const views = file as unknown as Record<string, MapView>
const level = (code: string, severity_level: CountryLevel['severity_level'], is_confirmed = true) => ({
  code,
  severity_level,
  is_confirmed,
})
const mapOf = (levels: CountryLevel[], region: string | null = null, language: 'en' | 'ar' | 'tl' = 'en') =>
  advisoryMap((async () => ({ countries: levels, has_read_sources: true })) as CallEndpoint, language, region)
const ALL = countries.map(({ code }, i) => level(code, SEVERITIES[i % 5]!, i % 7 > 0))

describe('the drawings', () => {
  test('every country is on the world, and once', () => {
    const { paths, dots } = views.world!
    expect([...Object.keys(paths), ...Object.keys(dots)].sort()).toEqual(countries.map(({ code }) => code).sort())
  })

  // Antarctica, and islands in the southern oceans that nobody lives on.
  const NOWHERE = ['AQ', 'BV', 'GS', 'HM', 'TF', 'SH', 'GL', 'SJ', 'IO', 'UM', 'CC', 'CX']
  test('every country where people live is in a region', () => {
    const shown = new Set(
      REGIONS.slice(1).flatMap((r) => [...Object.keys(views[r]!.paths), ...Object.keys(views[r]!.dots)]),
    )
    expect(countries.map(({ code }) => code).filter((code) => !shown.has(code) && !NOWHERE.includes(code))).toEqual([])
  })

  test.each(REGIONS)('%s lies within its frame', (region) => {
    const { width, height, paths, dots, names } = views[region]!
    for (const [x, y] of [...Object.values(dots), ...Object.values(names)]) {
      expect(x > 0 && x < width && y > 0 && y < height).toBe(true)
    }
    for (const code of Object.keys(names)) expect(paths[code]).toBeDefined()
    // No shape is a stripe across the whole map.
    for (const path of Object.values(paths)) expect(path).not.toMatch(new RegExp(`[l ]-?${width}[ -]`))
  })
})

test('each country is a link with its level, and the list says the same', async () => {
  const map = await mapOf([level('IR', 'emergency'), level('QA', 'warning'), level('SG', 'warning', false)])
  expect(map?.picture).toContain('<a href="/countries/QA" tabindex=-1><title>Qatar: Warning</title><path d="M')
  expect(map?.picture).toContain('<title>Singapore: Warning, not confirmed</title>')
  expect(map?.picture).toContain('<title>France: not listed</title>')
  expect(map?.levels.map((of) => ({ ...of, countries: fromLines(of.countries) }))).toEqual([
    { severity: 'emergency', countries: [{ code: 'IR', name: 'Iran', isDoubtful: false }] },
    {
      severity: 'warning',
      countries: [
        { code: 'QA', name: 'Qatar', isDoubtful: false },
        { code: 'SG', name: 'Singapore', isDoubtful: true },
      ],
    },
  ])
  const groupOf = (code: string) =>
    map!.picture
      .slice(0, map!.picture.indexOf(`/countries/${code}"`))
      .split('<g ')
      .at(-1)
  expect(groupOf('IR')).toContain('fill="url(#map-emergency)"')
  expect(groupOf('SG')).toContain('fill="url(#map-doubt-warning)"')
  expect(groupOf('FR')).not.toContain('fill=')
})

test('the text form has every country with a level once, as a link, with the counts of the list', async () => {
  const map = await mapOf(ALL)
  const markup = markupOf(<AdvisoryMap map={map!} confirmed={{ confirmed: 4, total: 5 }} />)
  const list = markup.slice(markup.indexOf('</figure>'))
  for (const { code } of ALL) expect(list.split(`href="/countries/${code}"`)).toHaveLength(2)
  expect(textOf(list).match(/50 countries/g)).toHaveLength(5)
  expect(textOf(markup)).toContain('No advisory here does not mean a place is safe.')
})

test('without any level there is no map: an empty one would look like a safe world', async () => {
  expect(await mapOf([])).toBeNull()
})

test.each(['', 'GULF', 'mars', '__proto__', 'constructor', '"><script>'])(
  'the region %j shows the world',
  async (name) => {
    expect((await mapOf([level('QA', 'info')], name))?.region).toBe('world')
  },
)

test('codes that are no country change nothing, and nothing of theirs is written', async () => {
  const map = await mapOf([level('ZZ', 'critical'), level('"><script>', 'emergency'), level('QA', 'info')])
  expect(map?.picture).not.toContain('script')
  const markup = markupOf(<AdvisoryMap map={map!} confirmed={{ confirmed: 0, total: 0 }} />)
  expect(markup).not.toContain('<script>')
})

test('names and levels are in the language of the reader, and names of regions too', async () => {
  const map = await mapOf([level('QA', 'warning')], 'gulf', 'ar')
  expect(map?.picture).toContain('<title>قطر: ')
  expect(map?.picture).toContain('>السعودية</text>')
})

test.each(REGIONS)('%s is at most 40 kB, also with a level that is not confirmed for every country', async (region) => {
  const map = await mapOf(
    countries.map(({ code }) => level(code, 'emergency', false)),
    region,
  )
  expect(map!.picture.length).toBeLessThanOrEqual(40_000)
  expect(brotliCompressSync(map!.picture).length).toBeLessThanOrEqual(9_000)
})
