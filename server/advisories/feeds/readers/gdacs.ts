import * as z from 'zod'
import type { AdvisoryType, Severity } from '#shared/advisories/severity.ts'
import { ADVICE_DEFAULTS, FeedError, type FeedItem, type ParsedFeed, type ReadContext } from '../feed.ts'
import { plainText } from '../html.ts'
import { cleanText, decode, decodeJson, firstSentence, isoDate, kindOfDocument, rfc822Date, summary } from '../text.ts'
import { inShape, Refusal, readEntries, withItems } from './entries.ts'
import { parseXml, type XmlElement } from './xml.ts'

/**
 * The Global Disaster Alert and Coordination System: events as RSS (rss.xml) or as GeoJSON (its search). An event has
 * the same identity in both. `alertlevel` is the event's, `episodealertlevel` the latest episode's, often lower: the
 * severity follows the event, and the text says when the latest episode is lower.
 */
export function readGdacs(document: Uint8Array, context: ReadContext): ParsedFeed {
  const text = decode(document)
  const isJson = kindOfDocument(text).startsWith('JSON')
  return withItems(isJson ? readGeoJson(document, context) : readRss(text, context))
}

const GDACS = 'http://www.gdacs.org'

function readRss(text: string, context: ReadContext): ParsedFeed {
  const root = parseXml(text)
  const channel = root.name === 'rss' ? root.first('channel') : undefined
  if (!channel) throw new FeedError(`The document is XML <${root.name}>, not an RSS channel of events`)
  return readEntries(channel.all('item'), {
    label: (item) => item.textOf('guid') || cleanText(item.textOf('title')) || 'an item without a title',
    read: (item) => toItem(eventOfRss(item), context),
    isComplete: true,
  })
}

function eventOfRss(item: XmlElement): Event {
  const gdacs = (name: string) => item.textOf(name, GDACS)
  const title = plainText(item.textOf('title'))
  const description = plainText(item.textOf('description'))
  const alertlevel = gdacs('alertlevel')
  const severity = item.first('severity', GDACS)
  const eventtype = gdacs('eventtype')
  // The severity of a cyclone is the latest episode's, which contradicts the description of the whole event.
  const hasSeverity = eventtype !== 'TC' && severity?.attributes.get('value') !== '0'
  return {
    eventtype,
    eventid: gdacs('eventid'),
    eventname: plainText(gdacs('eventname')),
    alertlevel,
    episodealertlevel: gdacs('episodealertlevel'),
    iscurrent: gdacs('iscurrent'),
    countries: [...gdacs('country').split(','), ...countriesOfCyclone(description)],
    from: rfc822Date(gdacs('fromdate'))?.date,
    to: rfc822Date(gdacs('todate'))?.date,
    modified: rfc822Date(gdacs('datemodified') || item.textOf('pubDate'))?.date,
    // Titles of droughts do not give the level; their description does.
    wording: title.includes(alertlevel) ? firstSentence(title) : cleanText(`${title}. ${description}`),
    description,
    severityText: hasSeverity ? plainText(severity?.text ?? '') : '',
  }
}

/** The country field of a cyclone names one country; the description names all that GDACS counts as affected. */
function countriesOfCyclone(description: string): string[] {
  return /affects these countries: ([^()]{1,2000}) \(vulnerability/.exec(description)?.[1]?.split(',') ?? []
}

/** The search returns at most this many events; a full response may have left some out. */
const SEARCH_LIMIT = 100

function readGeoJson(document: Uint8Array, context: ReadContext): ParsedFeed {
  const list = z.object({ features: z.array(z.unknown()) }).safeParse(decodeJson(document))
  if (!list.success) throw new FeedError('The document is JSON, but has no list of features')
  const { features } = list.data
  return readEntries(features, {
    label: labelOfFeature,
    read: (feature) => toItem(eventOfFeature(inShape(Feature, feature)), context),
    isComplete: features.length < SEARCH_LIMIT,
  })
}

function labelOfFeature(feature: unknown): string {
  const known = Feature.shape.properties.pick({ eventtype: true, eventid: true })
  const properties = z.object({ properties: known }).safeParse(feature).data?.properties
  return properties ? properties.eventtype + properties.eventid : cleanText(JSON.stringify(feature))
}

const text = z.string().default('')
const Feature = z.object({
  properties: z.object({
    eventtype: z.string(),
    eventid: z.union([z.string(), z.number()]).transform(String),
    eventname: text,
    htmldescription: text,
    alertlevel: z.string(),
    episodealertlevel: text,
    iscurrent: z.union([z.string(), z.boolean()]).transform(String),
    country: text,
    affectedcountries: z.array(z.object({ countryname: z.string() })).default([]),
    fromdate: z.string(),
    todate: z.string(),
    datemodified: z.string(),
    severitydata: z.object({ severity: z.number().default(0), severitytext: text }).optional(),
  }),
})

function eventOfFeature({ properties }: z.infer<typeof Feature>): Event {
  const { affectedcountries, severitydata, fromdate, todate, datemodified, htmldescription, ...rest } = properties
  const description = plainText(htmldescription).replace(/,? +\.$/, '.')
  return {
    ...rest,
    eventname: plainText(rest.eventname),
    // Ends with a comma; the list of objects beside it has the same content, so either may be missing.
    countries: [...rest.country.split(','), ...affectedcountries.map((country) => country.countryname)],
    from: utc(fromdate),
    to: utc(todate),
    modified: utc(datemodified),
    wording: description.replace(/,? from: .*$/, ''),
    description,
    // GDACS writes "Magnitude 0" when it measured none.
    severityText: severitydata?.severity ? plainText(severitydata.severitytext) : '',
  }
}

/** All GDACS times are UTC: the same event is "15:36:35 GMT" in the RSS and "15:36:35" in the JSON. */
function utc(time: string): Date | undefined {
  return isoDate(time, { withoutZone: 'utc' })?.date
}

/** The fields that both forms of the feed share. */
interface Event {
  eventtype: string
  eventid: string
  eventname: string
  alertlevel: string
  episodealertlevel: string
  iscurrent: string
  countries: string[]
  from: Date | undefined
  to: Date | undefined
  modified: Date | undefined
  wording: string
  description: string
  severityText: string
}

function toItem(event: Event, { countries }: ReadContext): FeedItem {
  const { eventtype, eventid, alertlevel, from, to, modified } = event
  if (!/^[A-Z]{2}$/.test(eventtype) || !/^\d{1,12}$/.test(eventid))
    throw new Refusal(`"${eventtype}" and "${eventid}" are not a type and number of an event`)
  if (!Object.hasOwn(RANK, alertlevel))
    throw new Refusal(`The alert level "${alertlevel}" is none of Green, Orange and Red`)
  if (!/^(true|false)$/i.test(event.iscurrent)) throw new Refusal('It is not said whether the event is current')
  if (!from || !to || !modified) throw new Refusal('A date of the event is missing or cannot be read')

  const isCurrent = /^true$/i.test(event.iscurrent)
  const named = namedCountries(event.countries)
  const { codes, unresolved } = resolveEach(named, countries)
  return {
    ...ADVICE_DEFAULTS,
    external_id: eventtype + eventid,
    title: titleOf(event, named),
    description: summary(describe(event)),
    detailed_information: null,
    recommendations: [],
    severity_level: severityOf(alertlevel, isCurrent),
    // GDACS reports and estimates; it never gives advice.
    is_urgent: false,
    advisory_type: TYPES[eventtype]?.advisory_type ?? 'other',
    original_level: alertlevel,
    original_wording: summary(event.wording, 300).replace(/\.$/, ''),
    country_codes: codes,
    unresolved_countries: unresolved,
    effective_date: from,
    // While an event is current its end is the time of the last report.
    expiry_date: isCurrent ? null : to,
    last_updated: modified,
    date_precision: 'minute',
    // Without the episode, so that the address is stable while the event goes on.
    source_url: `https://www.gdacs.org/report.aspx?eventtype=${eventtype}&eventid=${eventid}`,
    language: 'en',
  }
}

const RANK: Record<string, number> = { Green: 1, Orange: 2, Red: 3 }

function severityOf(alertlevel: string, isCurrent: boolean): Severity {
  if (alertlevel === 'Red') return isCurrent ? 'emergency' : 'critical'
  return alertlevel === 'Orange' ? 'warning' : 'info'
}

const TYPES: Record<string, { name: string; advisory_type: AdvisoryType }> = {
  TC: { name: 'Tropical Cyclone', advisory_type: 'weather' },
  FL: { name: 'Flood', advisory_type: 'weather' },
  DR: { name: 'Drought', advisory_type: 'weather' },
  EQ: { name: 'Earthquake', advisory_type: 'other' },
  TS: { name: 'Tsunami', advisory_type: 'other' },
  VO: { name: 'Volcano', advisory_type: 'other' },
  WF: { name: 'Forest Fire', advisory_type: 'other' },
}

function titleOf({ eventtype, eventname, alertlevel, severityText }: Event, named: string[]): string {
  const others = named.length - 2
  const who = named.length > 3 ? `${named.slice(0, 2).join(', ')} and ${others} others` : named.join(', ')
  const what = TYPES[eventtype]?.name ?? `Event of type ${eventtype}`
  // Earthquakes have no name; their magnitude distinguishes two of one day in one country.
  const which = eventname || (eventtype === 'EQ' && severityText ? `(${severityText})` : '')
  return cleanText(`${who && `${who}: `}${alertlevel} ${what} ${which}`)
}

function describe({ description, severityText, alertlevel, episodealertlevel }: Event): string {
  const sentences = [description.replace(/\s+/g, ' ')]
  if (severityText && !description.includes(severityText)) sentences.push(`${severityText.replace(/\.$/, '')}.`)
  const episode = RANK[episodealertlevel]
  if (episode && episode < (RANK[alertlevel] ?? 0))
    sentences.push(`The latest episode is at level ${episodealertlevel}.`)
  return sentences.filter(Boolean).join(' ')
}

/** Over open sea the list is empty or "[unknown]": then there is no country, rather than an unresolved name. */
function namedCountries(names: string[]): string[] {
  const clean = names.map((name) => cleanText(plainText(name)))
  return [...new Set(clean)].filter((name) => name !== '' && !/^\[unknown\]$/i.test(name))
}

/** The code beside the list is only that of the first or nearest country, so only names count. */
function resolveEach(names: string[], countries: ReadContext['countries']) {
  const codes = new Set<string>()
  const unresolved: string[] = []
  for (const name of names) {
    const code = countries.resolve(name)
    if (code) codes.add(code)
    else unresolved.push(name)
  }
  return { codes: [...codes], unresolved }
}
