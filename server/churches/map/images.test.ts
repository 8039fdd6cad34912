import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import { createLog } from '#server/log.ts'
import { loadSampleChurches } from '#server/sample/churches.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import type { LocaleList } from '#shared/churches/endpoints.ts'
import { readOutlines } from './outlines.ts'
import { viewOf } from './view.ts'

const database = await testDatabase()
await loadSampleChurches(database, createLog('silent'))
await inBackground(database, 'test', (db) =>
  db
    .insertInto('cities')
    .values(
      (
        [
          [1, 'Doha', 'QA', 25.28545, 51.53096, 344_939],
          [2, 'Tokyo', 'JP', 35.6895, 139.6917, 8_336_599],
          [3, 'A <b>"city"</b>', 'QA', 25.21, 51.44, 9_000],
          [4, 'Somosomo', 'FJ', -17.2, 179.97, 27_949],
        ] as const
      ).map(([id, name, country_code, latitude, longitude, population]) => ({
        ...{ id, name, country_code, latitude, longitude, population },
        ...{ state_province: null, search_text: `|${name.toLowerCase()}|` },
      })),
    )
    .execute(),
)
const app = await testApp(database)
const get = (path: string) => app.request(`http://portal.test${path}`)
const idOf = async (search: string) => {
  const { locales } = (await (await get(`/api/public/locales?search=${search}`)).json()) as LocaleList
  return locales[0]!.id
}
const svgOf = async (path: string) => {
  const response = await get(path)
  expect([path, response.status, response.headers.get('content-type')]).toEqual([
    path,
    200,
    'image/svg+xml; charset=utf-8',
  ])
  return response.text()
}

test('the map of a church has its pin, the coast, names of cities and the scale', async () => {
  const svg = await svgOf(`/church-locator/${await idOf('doha')}/map.svg`)
  expect(svg.match(/class="p"/g)).toHaveLength(1)
  expect(svg).toMatch(/<path class="l" d="M[^"]{20,}"/)
  expect(svg).toContain('>Doha</text>')
  expect(svg).toContain('A &#60;b&#62;&#34;city&#34;&#60;/b&#62;')
  expect(svg).toMatch(/>\d+ km<\/text>/)
  expect(svg.length).toBeLessThan(12_000)
  expect(await svgOf(`/church-locator/${await idOf('doha')}/map.svg?in=ar`)).toContain('>الدوحة</text>')
})

test('a church that hides its place has no map for any user', async () => {
  for (const search of ['chiba', 'saudi arabia', '']) {
    const { locales } = (await (await get(`/api/public/locales?search=${search}&limit=1000`)).json()) as LocaleList
    const discreet = locales.filter(({ discreet_mode }) => discreet_mode !== 'exact')
    for (const { id } of discreet) expect((await get(`/church-locator/${id}/map.svg`)).status).toBe(404)
  }
  for (const id of ['nonsense', '00000000-0000-4000-8000-000000000000'])
    expect((await get(`/church-locator/${id}/map.svg`)).status).toBe(404)
})

test('the map of the results numbers churches as the list does, and of a group shows only its area', async () => {
  const svg = await svgOf('/church-locator/map.svg?near=Tokyo&radius=50&limit=20&offset=20')
  const all = await svgOf('/church-locator/map.svg?near=Tokyo&radius=50&limit=20')
  expect(svg).not.toBe(all)
  const pins = all.match(/class="p"/g)!.length
  expect(all.match(/class="a"/g)).toHaveLength(1)
  // The group has the last number, after all churches with an address.
  expect(all).toMatch(new RegExp(`class="t"[^>]*>${pins + 1}</text>`))
  expect(all).toContain('class="h"')
})

test('what has no place has no map, and a wrong query says so', async () => {
  expect((await get('/church-locator/map.svg?country=SA')).status).toBe(404)
  expect((await get('/church-locator/map.svg?search=qqqqwwww')).status).toBe(404)
  expect((await get('/church-locator/map.svg?radius=-1')).status).toBe(422)
  expect((await get('/church-locator/map.svg?nonsense=1')).status).toBe(422)
})

test('a view across the 180th meridian is as narrow as its churches', async () => {
  const view = viewOf(
    [
      { latitude: -18.14, longitude: 178.44 },
      { latitude: -16.8, longitude: -179.95 },
    ],
    { width: 720, height: 640 },
    60,
  )
  expect(view.box.west).toBeGreaterThan(view.box.east)
  expect(view.toPixels({ latitude: -16.8, longitude: -179.95 }).x).toBeLessThan(720)
  const { south, north, west, east } = view.box
  const response = await get(`/api/public/cities/labels?south=${south}&north=${north}&west=${west}&east=${east}`)
  const { labels } = (await response.json()) as { labels: { name: string }[] }
  expect(labels.map(({ name }) => name)).toEqual(['Somosomo'])
})

test('the outlines are read once and have land on every continent', async () => {
  const { land } = await readOutlines()
  const isOn = (lng: number, lat: number) =>
    land.some(({ box: [west, south, east, north] }) => west <= lng && lng <= east && south <= lat && lat <= north)
  for (const [lng, lat] of [
    [51.5, 25.3],
    [121, 14.6],
    [-99, 19],
    [18, -33],
    [150, -33],
  ] as const)
    expect(isOn(lng, lat)).toBe(true)
})
