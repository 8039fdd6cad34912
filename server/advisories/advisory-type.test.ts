import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createCountries } from '#server/countries/reference.ts'
import { inBackground } from '#server/db/claims.ts'
import { testDatabase } from '#server/testing/database.ts'
import { insertAdvisory, insertSource } from '#server/testing/factory.ts'
import { type ClassifiableText, typeColumns } from './advisory-type.ts'
import type { FeedItem } from './feeds/feed.ts'
import { context, fixture } from './feeds/testing.ts'
import { readerOf } from './sources.ts'
import { typeUntyped } from './type-backfill.ts'

const text = (description: string, more: { title?: string; detailed_information?: string; wording?: string } = {}) => ({
  title: more.title ?? 'Peru: Exercise Increased Caution',
  description,
  detailed_information: more.detailed_information ?? null,
  original_wording: more.wording ?? 'Level 2: Exercise Increased Caution',
})

const typesIn = (text: ClassifiableText) => typeColumns({ ...text, advisory_type: 'general' }).advisory_types

describe('types found in a text', () => {
  test.each([
    ['Exercise increased caution in Gabon due to crime, civil unrest, and health.', ['security', 'health']],
    ['Reconsider travel due to wrongful detention and other risks.', ['security']],
    ['Dangers of the continuing war between two countries.', ['security']],
    ['Exercise increased caution due to environmental hazards posed by extreme weather conditions.', ['weather']],
    ['Latest update: The Advisories and Health tabs were updated – Ebola.', ['health']],
    ['A Green earthquake occurred with magnitude 5.1.', ['weather']],
    ['Parliamentary elections are held on Sunday.', ['political']],
    ['All visitors now need a visa before arrival.', ['entry_requirements']],
    ['The airport is closed and flights are cancelled.', ['transport']],
    ['Reisewarnung wegen Krieg und Erdbeben.', ['security', 'weather']],
    ['Exercise normal precautions in Estonia.', []],
    ['Warsaw, Healthcote and Protestant churches are worth a visit.', []],
    ['', []],
  ])('%s', (description, types) => expect(typesIn(text(description))).toEqual(types))

  test('level wording and country names are not types', () => {
    const wording = 'Exercise normal security situation precautions'
    expect(typesIn(text(`${wording}.`, { title: `Storm Island: ${wording}`, wording }))).toEqual([])
  })

  test('of a long text only the reasons count: every text mentions a hospital and a visa somewhere', () => {
    const detailed_information =
      '<p>Medical care is good. You need a visa.</p><p>Reconsider travel here <b>due to</b> landmines and floods.</p>'
    expect(typesIn(text('Some areas have increased risk.', { detailed_information }))).toEqual(['security', 'weather'])
  })

  test('a type from the source stays; further types in the text are added', () => {
    expect(typeColumns({ ...text('Ebola is spreading after the floods.'), advisory_type: 'weather' })).toEqual({
      advisory_type: 'weather',
      advisory_types: ['health', 'weather'],
    })
    expect(typeColumns({ ...text('Be careful.'), advisory_type: 'general' })).toEqual({
      advisory_type: 'general',
      advisory_types: [],
    })
  })

  test.each([
    ['Avoid all travel. Latest update: The Health section was updated - travel health information.', ['health']],
    ['FCDO advises against all travel. Latest update: New information on the cyclone season.', ['weather']],
    ['Latest update: Info about the cold.', ['weather']],
  ])('a note on an edit does not say why the level is what it is: %s', (description, advisory_types) => {
    const [wording] = description.split(/\.? ?Latest/)
    const columns = typeColumns({ ...text(description, { wording: wording ?? '' }), advisory_type: 'general' })
    expect(columns).toEqual({ advisory_type: 'general', advisory_types })
  })

  test('after the note, sentences of the text itself count', () => {
    const paragraph = 'Do not travel here because of gang violence.'
    const advisory = text(`Latest update: Health section edited. ${paragraph}`, {
      detailed_information: `<h3>Summary</h3><p>${paragraph}</p>`,
    })
    expect(typeColumns({ ...advisory, advisory_type: 'general' })).toEqual({
      advisory_type: 'security',
      advisory_types: ['security', 'health'],
    })
  })

  test('a subject at the start of a long text is not the reason for the level', () => {
    const advisory = text('Flights are cancelled this week.', {
      detailed_information: `<p>Flights are cancelled this week.</p><p>${'The country is large. '.repeat(100)}</p>`,
    })
    expect(typeColumns({ ...advisory, advisory_type: 'general' })).toEqual({
      advisory_type: 'general',
      advisory_types: ['transport'],
    })
  })

  test('a text of any length is classified quickly', () => {
    const long = 'due to risk of '.repeat(50_000)
    expect(typesIn(text(long, { detailed_information: `<p>${long}</p>` }))).toEqual([])
  })

  test('in the real US list, nothing above normal caution is left without a type', async () => {
    const read = await readerOf({ id: 'us', reader: 'us-rss' })
    const document = readFileSync('fixtures/advisories/us-state-rss-2025-10-08.xml')
    const { items } = await read(document, {
      countries: createCountries(),
      baseUrl: 'https://travel.state.gov/',
      now: new Date('2025-10-08'),
    })
    const serious = items.filter(({ severity_level }) => severity_level !== 'info')
    expect(serious.length).toBeGreaterThan(100)
    expect(serious.filter((item) => typesIn(item).length === 0)).toEqual([])
    // "Consider crime and limited medical services" is no reason for a level.
    const untyped = serious.filter((item) => typeColumns(item).advisory_type === 'general').map(({ title }) => title)
    expect(untyped).toEqual(['Jamaica: Exercise Increased Caution'])
    expect(serious.filter((item) => typesIn(item).includes('security')).length).toBeGreaterThan(110)
  })
})

describe('a subscription to security', () => {
  const read = async (reader: string, path: string) =>
    (await (await readerOf({ id: reader, reader }))(fixture(path), context('https://example.org/'))).items
  const reaches = (item: FeedItem) => {
    const { advisory_type, advisory_types } = typeColumns(item)
    return advisory_type === 'general' || advisory_types.includes('security')
  }

  test.each([
    ['uk', 'uk/full-country.json', 1],
    ['uk', 'uk/no-parts.json', 1],
    ['uk', 'uk/pages-2026-09.json', 4],
    ['uk', 'uk/alert-status-2026-05-20-extract.json', 17],
    ['ca', 'ca/index-2026-09.json', 6],
    ['ca', 'ca/index-2014-10-02-extract.json', 14],
    ['de', 'de/warnings-2026-09.json', 10],
  ])('receives every advisory of %s whose reason is not stated (%s)', async (reader, path, count) => {
    const items = await read(reader, path)
    expect(items.filter(reaches)).toHaveLength(count)
    expect(items).toHaveLength(count)
  })

  test('receives no events of GDACS that are floods, storms or droughts', async () => {
    const items = await read('gdacs', 'gdacs/search-2026-09.json')
    expect(items.length).toBeGreaterThan(0)
    expect(items.filter(reaches)).toEqual([])
  })
})

test('a backfill types stored advisories once, and administrators’ choices stay', async () => {
  const database = await testDatabase()
  const inside = <T>(fn: Parameters<typeof inBackground<T>>[2]) => inBackground(database, 'test', fn)
  const old = await inside((db) => insertAdvisory(db, { description: 'Do not travel due to armed conflict.' }))
  const { id: source_id } = await inside((db) => insertSource(db, { reader: 'manual', url: null }))
  const manual = await inside((db) => insertAdvisory(db, { source_id, description: 'Do not travel due to war.' }))
  expect(await inside(typeUntyped)).toBe(1)
  expect(await inside(typeUntyped)).toBe(0)
  const rows = await inside((db) =>
    db.selectFrom('travel_advisories').select(['id', 'advisory_type', 'advisory_types', 'version']).execute(),
  )
  expect(rows.find(({ id }) => id === old.id)).toMatchObject({
    advisory_type: 'security',
    advisory_types: ['security'],
    version: 1,
  })
  expect(rows.find(({ id }) => id === manual.id)).toMatchObject({ advisory_type: 'general', advisory_types: null })
})
