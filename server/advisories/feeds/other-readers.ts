import { readerNames, readerOf } from '../sources.ts'
import { FeedError, type ReadContext } from './feed.ts'

/** Readable names of the readers, for administrators. */
const LOOKS_LIKE: Record<string, string> = {
  'us-rss': 'the RSS feed of the US State Department',
  'us-json': 'the JSON answer of the US State Department',
  uk: 'travel advice of GOV.UK',
  ca: 'travel advice of Canada',
  de: 'travel advice of the German Foreign Office',
  gdacs: 'disaster alerts of GDACS',
  cap: 'alerts in the Common Alerting Protocol',
  au: 'a list of the Australian Smartraveller',
}

/**
 * Adds to a refusal the name of a reader that would accept the document, if there is one: "… This looks like disaster
 * alerts of GDACS (reader gdacs)." Readers are pure, so that trying them costs only their time.
 */
export async function withOtherReader(
  error: unknown,
  document: Uint8Array,
  { reader, context }: { reader: string; context: ReadContext },
): Promise<unknown> {
  if (!(error instanceof FeedError)) return error
  for (const other of readerNames().filter((name) => name !== reader)) {
    if (!(await takes(other, document, context))) continue
    const looks = `This looks like ${LOOKS_LIKE[other] ?? 'a document of another kind'} (reader ${other}).`
    return new FeedError(`${error.message.replace(/[.\s]+$/, '')}. ${looks}`)
  }
  return error
}

async function takes(reader: string, document: Uint8Array, context: ReadContext): Promise<boolean> {
  try {
    const read = await readerOf({ id: reader, reader })
    const { items, follow, rejected } = await read(document, context)
    // Every link reader accepts a list of links; only a document that is mostly understood counts as a match.
    return items.length > 0 ? items.length >= rejected.length : follow.length > rejected.length && reader === 'uk'
  } catch {
    return false
  }
}
