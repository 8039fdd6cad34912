import type { Advisory } from '#shared/advisories/endpoints.ts'
import type { TimelineEvent } from '#shared/advisories/timeline.ts'

const ENTRIES = 100

/** An Atom 1.0 feed (RFC 4287) of advisory events: new, changed and ended, newest first. */
export function atomFeed(deps: {
  title: string
  self: string
  page: string
  publicUrl: string
  events: readonly TimelineEvent[]
  advisoryOf: (id: string) => Advisory | undefined
  hasReadSources: boolean
  now: Date
}): string {
  const newest = deps.events.toSorted((a, b) => (updated(a) < updated(b) ? 1 : -1)).slice(0, ENTRIES)
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<title>${xml(deps.title)}</title>
<subtitle>${deps.hasReadSources ? SUBTITLE : NOT_READ}</subtitle>
<id>${xml(deps.self)}</id>
<link rel="self" type="application/atom+xml" href="${xml(deps.self)}"/>
<link rel="alternate" type="text/html" href="${xml(deps.page)}"/>
<updated>${newest[0] ? updated(newest[0]) : deps.now.toISOString()}</updated>
${newest.map((event) => entry(event, deps.advisoryOf(event.advisory_id), deps.publicUrl)).join('\n')}
</feed>
`
}

const SUBTITLE = 'No advisory here does not mean a place is safe.'
const NOT_READ = 'We have not read any source yet. Nothing is known yet.'

function entry(event: TimelineEvent, advisory: Advisory | undefined, publicUrl: string): string {
  const address = `${publicUrl}/travel-advisories/${event.advisory_id}`
  // The first event uses the advisory's own id, so that it stays stable.
  const id = event.id ? `${address}#${event.id}` : `urn:uuid:${event.advisory_id}`
  return `<entry>
<title>${xml(titleOf(event))}</title>
<id>${xml(id)}</id>
<link rel="alternate" type="text/html" href="${xml(address)}"/>
${advisory ? `<link rel="via" href="${xml(advisory.source_url)}"/>\n` : ''}<updated>${updated(event)}</updated>
<published>${event.recorded_at}</published>
<author><name>${xml(event.source_organization)}</name></author>
${(advisory?.country_codes ?? []).map((code) => `<category scheme="urn:iso:std:iso:3166" term="${code}"/>`).join('')}
<summary xml:lang="${xml(event.language)}">${xml(summaryOf(event, advisory))}</summary>
</entry>`
}

function titleOf({ kind, before, after, title }: TimelineEvent): string {
  const level = (after ?? before)?.toUpperCase()
  if (kind === 'new' || kind === 'first_read') return `${level}: ${title}`
  if (kind === 'raised' || kind === 'lowered') return `${before?.toUpperCase()} → ${level}: ${title}`
  return `${KINDS[kind]} (${level}): ${title}`
}

const KINDS = {
  text: 'Text changed',
  urgency: 'Urgency changed',
  date: 'New date',
  excluded: 'No longer covers this country',
  missing: 'No longer listed by its source',
  withdrawn: 'Withdrawn by the portal',
  cancelled: 'Withdrawn or replaced by its source',
  expired: 'Expired',
  ended: 'Ended',
}

function summaryOf({ wording, captured_on, kind, after }: TimelineEvent, advisory: Advisory | undefined): string {
  const copy = captured_on ? `Copy from ${captured_on}, not re-checked. ` : ''
  // The current text belongs to the current level only, never to an older one.
  const isLatest = after !== null && after === advisory?.severity_level && wording === advisory.original_wording
  return `${copy}“${wording}”${isLatest && kind !== 'missing' ? ` ${advisory.description}` : ''}`
}

/** Advisories of a source's first reading are dated as the source dates them, not by when they were recorded. */
const updated = ({ kind, at, recorded_at }: TimelineEvent) =>
  kind === 'first_read' || at > recorded_at ? at : recorded_at

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const xml = (text: string) =>
  // Drop characters that are invalid in XML 1.0.
  [...text]
    .filter((c) => c >= ' ' || c === '\n' || c === '\t')
    .join('')
    .replace(/[&<>"]/g, (c) => ENTITIES[c] ?? c)
