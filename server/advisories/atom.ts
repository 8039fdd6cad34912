import type { Advisory } from '#shared/advisories/endpoints.ts'

const ENTRIES = 100

/** An Atom 1.0 feed (RFC 4287) of advisories, newest change first. */
export function atomFeed(parts: {
  title: string
  self: string
  page: string
  publicUrl: string
  advisories: Advisory[]
  now: Date
}): string {
  const newest = [...parts.advisories].sort((a, b) => (changed(a) < changed(b) ? 1 : -1)).slice(0, ENTRIES)
  const updated = newest[0] ? changed(newest[0]) : parts.now.toISOString()
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<title>${xml(parts.title)}</title>
<id>${xml(parts.self)}</id>
<link rel="self" type="application/atom+xml" href="${xml(parts.self)}"/>
<link rel="alternate" type="text/html" href="${xml(parts.page)}"/>
<updated>${updated}</updated>
${newest.map((advisory) => entry(advisory, parts.publicUrl)).join('\n')}
</feed>
`
}

function entry(advisory: Advisory, publicUrl: string): string {
  const address = `${publicUrl}/travel-advisories/${advisory.id}`
  return `<entry>
<title>${xml(`${advisory.severity_level.toUpperCase()}: ${advisory.title}`)}</title>
<id>urn:uuid:${advisory.id}</id>
<link rel="alternate" type="text/html" href="${xml(address)}"/>
<link rel="via" href="${xml(advisory.source_url)}"/>
<updated>${changed(advisory)}</updated>
<published>${advisory.created_at}</published>
<author><name>${xml(advisory.source_organization)}</name></author>
${advisory.country_codes.map((code) => `<category scheme="urn:iso:std:iso:3166" term="${code}"/>`).join('')}
<summary xml:lang="${xml(advisory.language)}">${xml(`“${advisory.original_wording}” ${advisory.description}`)}</summary>
</entry>`
}

const changed = (advisory: Advisory) =>
  advisory.changed_at && advisory.changed_at > advisory.last_updated ? advisory.changed_at : advisory.last_updated

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const xml = (text: string) =>
  // Characters that XML 1.0 cannot hold are left out.
  [...text]
    .filter((c) => c >= ' ' || c === '\n' || c === '\t')
    .join('')
    .replace(/[&<>"]/g, (c) => ENTITIES[c]!)
