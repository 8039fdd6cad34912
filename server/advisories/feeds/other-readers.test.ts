import { expect, test } from 'vitest'
import { readerOf } from '../sources.ts'
import { FeedError } from './feed.ts'
import { withOtherReader } from './other-readers.ts'
import { bytes, context, fixture } from './testing.ts'

const at = context('https://example.org/')

async function refusalOf(document: Uint8Array, reader: string): Promise<string> {
  const read = await readerOf({ id: 'x', reader })
  try {
    await read(document, at)
  } catch (error) {
    return ((await withOtherReader(error, document, { reader, context: at })) as FeedError).message
  }
  return 'taken'
}

test.each([
  ['us/api-2026-09.json', 'us-rss', 'reader us-json'],
  ['us-state-rss-2025-10-08.xml', 'ca', 'reader us-rss'],
  ['uk/index-2026-09.json', 'us-json', 'travel advice of GOV.UK (reader uk)'],
  ['uk/full-country.json', 'de', 'reader uk'],
  ['ca/index-2026-09.json', 'uk', 'travel advice of Canada (reader ca)'],
  ['de/warnings-2026-09.json', 'us-json', 'travel advice of the German Foreign Office (reader de)'],
  ['gdacs/rss-2019-12-30-extract.xml', 'us-rss', 'reader gdacs'],
  ['cap/weather.cap', 'gdacs', 'alerts in the Common Alerting Protocol (reader cap)'],
  ['au/levels-2024-11-30-extract.json', 'ca', 'reader au'],
])('%s, refused by the reader %s, is attributed to the reader that accepts it', async (file, reader, hint) => {
  const message = await refusalOf(fixture(file), reader)
  if (message !== 'taken') expect(message).toContain(hint)
  else expect(hint).toBe('reader gdacs')
})

test.each([
  ['<!doctype html><html><title>Not found</title></html>'],
  [''],
  ['{"error":"no"}'],
  [
    '<rss version="2.0"><channel><item><title>News of the day</title><link>https://example.org/1</link></item></channel></rss>',
  ],
])('a document no reader accepts keeps its own reason only: %j', async (document) => {
  const error = new FeedError('The document is not a list')
  const same = await withOtherReader(error, bytes(document), { reader: 'de', context: at })
  expect((same as FeedError).message).toBe('The document is not a list')
})

test('any other error is passed on unchanged', async () => {
  const error = new TypeError('x')
  expect(await withOtherReader(error, fixture('us/api-2026-09.json'), { reader: 'uk', context: at })).toBe(error)
})
