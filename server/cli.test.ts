import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { table } from '#server/cli/table.ts'
import { commandLine } from '#server/testing/command-line.ts'
import { usRss } from '#server/testing/feed-server.ts'

const { folder, portal } = await commandLine({ hasDatabase: false })
const feed = fileURLToPath(new URL('../fixtures/advisories/us-state-rss-2025-10-07.xml', import.meta.url))

test('help lists every command; an unknown command is refused with that list', async () => {
  const help = await portal('--help')
  expect(help.code).toBe(0)
  for (const name of ['migrate', 'feeds:fetch', 'sources:list', 'sample:load', 'countries:alias', 'cities:load'])
    expect(help.out).toContain(name)
  expect(await portal('feeds:fetch', '--help')).toMatchObject({ code: 0, out: expect.stringContaining('--from') })
  expect(await portal('frobnicate')).toMatchObject({
    code: 2,
    err: expect.stringContaining('Unknown command "frobnicate"'),
  })
  expect((await portal()).code).toBe(2)
})

test('a new database is created, then reported as up to date', async () => {
  expect((await portal('migrate')).out).toContain('Applied: 0001_foundation.sql')
  expect((await portal('migrate')).out).toBe('Nothing to do: the database is up to date.')
})

test('a saved feed is parsed, as text and as JSON', async () => {
  const text = await portal('feeds:fetch', '--source', 'us-state-rss', '--from', feed)
  expect(text.code).toBe(0)
  expect(text.out.split('\n').filter((line) => line !== '')).toEqual([
    'source        result  fetched  added  updated  unchanged  missing  unresolved  refused',
    'us-state-rss  ok          211    209        0          0        0           0        2',
    // Three islands belong to one country set.
    expect.stringMatching(/refused "Sint Eustatius .*: Another entry here speaks of the same countries/),
    expect.stringMatching(/refused "Saba .*: Another entry here speaks of the same countries/),
  ])
  const json = await portal('feeds:fetch', '--source', 'us-state-rss', '--from', feed, '--json')
  expect(JSON.parse(json.out)).toMatchObject({
    runs: [{ source: 'us-state-rss', status: 'ok', fetchStats: { total_fetched: 211, unchanged: 209 } }],
  })
})

test('a rejected document reports the reason and the command fails', async () => {
  const file = fileURLToPath(import.meta.url)
  const refused = await portal('feeds:fetch', '--source', 'us-state-rss', '--from', file)
  expect(refused.code).toBe(1)
  expect(refused.out).toMatch(/refused .*\n\nus-state-rss: /)
})

test('every source is listed with its state', async () => {
  const { out } = await portal('sources:list')
  expect(out).toMatch(/us-state-rss\s+United States\s+not_confirmed\s+209/)
  expect(JSON.parse((await portal('sources:list', '--json')).out).sources).toHaveLength(9)
})

test('an alias maps a name to its country, also in existing advisories', async () => {
  const atlantis = path.join(folder, 'atlantis.xml')
  await writeFile(atlantis, usRss([{ country: 'Atlantis' }]))
  const read = () => portal('feeds:fetch', '--source', 'us-state-json', '--from', atlantis)
  expect((await read()).out).toContain('us-state-json: no country matches "Atlantis" (Atlantis: Exercise')
  expect((await portal('countries:alias', 'Atlantis', 'pt')).out).toMatch(/Portugal \(PT\)\. .*: 1\.$/)
  expect((await read()).out).not.toContain('no country matches')
  const { code, out } = await portal('countries:alias', 'Pearl of the Orient', 'ph')
  expect({ code, out }).toEqual({
    code: 0,
    out: '"Pearl of the Orient" now stands for Philippines (PH). Advisories that got a country: 0.',
  })
  expect((await portal('countries:alias', 'Nowhere', 'QQ')).code).toBe(2)
  expect(await portal('countries:alias', 'Japan', 'CN')).toMatchObject({
    code: 2,
    err: expect.stringContaining('Japan'),
  })
})

test.each([
  [['feeds:fetch', '--sorce', 'x'], "Unknown option '--sorce'"],
  [['feeds:fetch', '--source', 'nowhere'], 'Unknown source "nowhere"'],
  [['feeds:fetch', '--from', 'x.xml'], '--from also needs --source'],
  [['feeds:fetch', '--source', 'us-state-rss', '--force'], 'only be used with --from'],
  [['feeds:fetch', '--source', 'us-state-rss', '--from', 'x', '--captured-on', '2026-02-31'], 'YYYY-MM-DD'],
  [['countries:alias', 'Japan'], 'It needs 2 arguments'],
  [['migrate', 'now'], 'It needs no arguments'],
] as const)('portal %j is refused', async (argv, message) => {
  expect(await portal(...argv)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(message) })
})

test('columns are aligned, numbers to the right', () => {
  expect(
    table(
      ['name', 'n'],
      [
        ['a', 1],
        ['long name', 1000],
      ],
    ),
  ).toBe('name          n\na             1\nlong name  1000')
})
