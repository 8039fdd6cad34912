import type { SourceMapping } from '#shared/advisories/mapping.ts'
import { SEVERITY_RANK } from '#shared/advisories/severity.ts'
import { fold } from '#shared/countries/fold.ts'
import { ADVICE_DEFAULTS, FeedError, type FeedItem, type FeedReader, type ReadContext } from '../feed.ts'
import { plainLine, plainText, sanitizeDetail } from '../html.ts'
import { cleanText, decode, isoDate, kindOfDocument, rfc822Date, summary, webAddress } from '../text.ts'
import { Refusal, readEntries } from './entries.ts'
import { parseXml, type XmlElement } from './xml.ts'

const ATOM = 'http://www.w3.org/2005/Atom'
const CONTENT = 'http://purl.org/rss/1.0/modules/content/'

/**
 * RSS 2.0, RSS 1.0 and Atom of any publisher: the country from the title, the level from words in title or category.
 */
export function newsReader(mapping: SourceMapping): FeedReader {
  return (document, context) => {
    const text = decode(document)
    return readEntries(entriesOf(parseXml(text), text), {
      label: (entry) => lineOf(entry, 'title') || lineOf(entry, 'link') || 'An entry without a title',
      read: (entry) => toItem(entry, mapping, context),
      isComplete: mapping.is_whole_list,
    })
  }
}

function entriesOf(root: XmlElement, text: string): XmlElement[] {
  if (root.name === 'feed' && root.namespace === ATOM) return root.all('entry')
  const channel = root.name === 'rss' ? root.first('channel') : undefined
  if (channel) return channel.all('item')
  if (root.name === 'RDF') return root.children.filter(({ name }) => name === 'item')
  throw new FeedError(`The document is ${kindOfDocument(text)}, neither RSS nor Atom`)
}

function toItem(entry: XmlElement, mapping: SourceMapping, context: ReadContext): FeedItem {
  const title = lineOf(entry, 'title').slice(0, 300)
  if (!title) throw new Refusal('It has no title')
  const level = levelOf([title, ...categoriesOf(entry)], mapping)
  if (!level) throw new Refusal('No word of the table of levels stands in its title or categories')
  const written = entry.textOf('updated') || entry.textOf('published') || entry.textOf('pubDate')
  const date = isoDate(written) ?? rfc822Date(written)
  if (!date)
    throw new Refusal(written ? `Its date "${cleanText(written).slice(0, 60)}" cannot be read` : 'It has no date')
  const html =
    entry.textOf('encoded', CONTENT) ||
    entry.textOf('content') ||
    entry.textOf('description') ||
    entry.textOf('summary')
  const link = linkOf(entry)
  const id = cleanText(entry.textOf('guid') || entry.textOf('id') || link).slice(0, 300)
  if (!id) throw new Refusal('It has neither an id nor a link')
  const { codes, unresolved } = countriesOf(title, categoriesOf(entry), context)
  return {
    ...ADVICE_DEFAULTS,
    external_id: id,
    title,
    description: summary(plainText(html)) || title,
    detailed_information: sanitizeDetail(html, context.baseUrl) || null,
    recommendations: [],
    severity_level: level.severity,
    is_urgent: false,
    advisory_type: 'general',
    original_level: level.value,
    original_wording: level.value,
    country_codes: codes,
    unresolved_countries: unresolved,
    last_updated: date.date,
    date_precision: date.precision,
    source_url: webAddress(link, context.baseUrl) ?? context.baseUrl,
    language: mapping.language,
  }
}

/** The most severe of the levels mentioned: a lower one beside it refers to a part of the country. */
function levelOf(texts: string[], { levels }: SourceMapping) {
  const named = texts.map((text) => ` ${normalizeText(text)} `)
  return levels
    .filter(({ value }) => named.some((text) => text.includes(` ${normalizeText(value)} `)))
    .sort((a, b) => SEVERITY_RANK[b.severity] - SEVERITY_RANK[a.severity])[0]
}

const normalizeText = (text: string) =>
  fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .join(' ')

/** A part of the title that is a country's full name, else such a category; else the title is listed as unresolved. */
function countriesOf(title: string, categories: string[], { countries }: ReadContext) {
  const segments = title.split(/\s*[:|]\s+|\s+[-–—]\s+/).filter(Boolean)
  for (const segment of [...segments, ...categories]) {
    const found = countries.resolveAll(segment)
    if (found.codes.length > 0 && found.unresolved.length === 0) return found
  }
  return { codes: [], unresolved: [segments[0] ?? title] }
}

const lineOf = (entry: XmlElement, name: string) => cleanText(plainLine(entry.textOf(name)))

const categoriesOf = (entry: XmlElement) =>
  entry.all('category').map((category) => cleanText(category.attributes.get('term') ?? category.text))

function linkOf(entry: XmlElement): string {
  const links = entry.all('link')
  const own = links.find((link) => (link.attributes.get('rel') ?? 'alternate') === 'alternate')
  return (own?.attributes.get('href') ?? own?.text ?? '').trim()
}
