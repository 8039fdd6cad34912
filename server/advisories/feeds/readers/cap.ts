import { FeedError, type FeedItem, type FollowUp, type ParsedFeed, type ReadContext } from '../feed.ts'
import { cleanText, decode, isoDate, kindOfDocument, rfc822Date } from '../text.ts'
import { isAlert, readAlert } from './cap-alert.ts'
import { Refusal, readEntries } from './entries.ts'
import { parseXml, type XmlElement } from './xml.ts'

/**
 * The Common Alerting Protocol, 1.1 and 1.2: one alert, an Atom feed whose entries contain alerts or link to them, or
 * an RSS list of links. An invalid alert is refused alone; a document that is none of these throws.
 */
export function readCap(document: Uint8Array, context: ReadContext): ParsedFeed {
  const text = decode(document)
  const root = parseXml(text)
  if (isAlert(root))
    return readEntries([root], {
      label: labelOfAlert,
      read: (alert) => readAlert(alert, context, context.baseUrl),
      isComplete: false,
    })
  const parsed = readEntries(entriesOf(root, text), {
    label: (entry) => labelOfAlert(alertIn(entry)) || idOf(entry) || cleanText(entry.textOf('title')) || 'An entry',
    read: (entry) => readEntry(entry, context),
    isComplete: true,
  })
  // A list of links identifies its entries by other ids than the alerts behind them; those expire by their own times.
  return { ...parsed, isComplete: parsed.follow.length === 0 }
}

const ATOM = 'http://www.w3.org/2005/Atom'

function entriesOf(root: XmlElement, text: string): XmlElement[] {
  if (root.name === 'feed' && root.namespace === ATOM) return root.all('entry')
  const channel = root.name === 'rss' ? root.first('channel') : undefined
  if (channel) return channel.all('item')
  if (root.name === 'alert')
    throw new FeedError(`The alert is of the namespace "${root.namespace}", not of CAP 1.1 or 1.2`)
  throw new FeedError(`The document is ${kindOfDocument(text)}, not a CAP alert, an Atom feed or an RSS channel`)
}

function readEntry(entry: XmlElement, context: ReadContext): FeedItem | FollowUp {
  const url = linkOf(entry, context.baseUrl)
  const alert = alertIn(entry)
  if (alert) return readAlert(alert, context, url ?? context.baseUrl)
  if (!url) throw new Refusal('It holds neither an alert nor a link to one')
  return { url, external_id: idOf(entry) || url, changed_at: changedAt(entry) }
}

function alertIn(entry: XmlElement): XmlElement | undefined {
  const holders = [entry, ...entry.all('content')]
  return holders.flatMap((element) => element.children).find(isAlert)
}

function labelOfAlert(alert: XmlElement | undefined): string {
  return alert ? cleanText(alert.textOf('identifier')) || 'An alert without an identifier' : ''
}

function idOf(entry: XmlElement): string {
  return cleanText(entry.textOf('id') || entry.textOf('guid'))
}

/** The link marked as the alert itself if there is one, otherwise the entry's own. */
function linkOf(entry: XmlElement, baseUrl: string): string | undefined {
  const links = entry.all('link')
  const marked = links.find((link) => link.attributes.get('type') === 'application/cap+xml')
  const own = links.find((link) => (link.attributes.get('rel') ?? 'alternate') === 'alternate')
  const href = (marked ?? own)?.attributes.get('href') ?? (marked ?? own)?.text
  const url = href?.trim() ? URL.parse(href.trim(), baseUrl) : null
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined
}

function changedAt(entry: XmlElement): Date | null {
  const date = isoDate(entry.textOf('updated')) ?? rfc822Date(entry.textOf('pubDate'))
  return date?.date ?? null
}
