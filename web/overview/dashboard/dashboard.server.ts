import { countryNames } from '#shared/advisories/cards.ts'
import { type AdvisorySource, listAdvisorySources } from '#shared/advisories/endpoints.ts'
import { getCountry } from '#shared/countries/endpoints.ts'
import type { Language } from '#shared/language.ts'
import { nameIn, titleIn } from '#web/advisories/reader.server.ts'
import { countryPage } from '#web/countries/country-page.ts'
import { sourceName } from '#web/lib/country-names.ts'
import type { CallEndpoint } from '#web/lib/visitor.ts'

/** For how long a change of an advisory counts as news. */
const RECENT_MS = 30 * 24 * 3_600_000

interface Acknowledgment {
  advisory_id: string
  version: number
}

/** Summary of the sources' advice on each of these countries. */
export async function adviceFor(
  call: CallEndpoint,
  reader: { language: Language; now: Date; countries: readonly string[]; acknowledged: readonly Acknowledgment[] },
) {
  const { sources } = await call(listAdvisorySources)
  return Promise.all(reader.countries.map((code) => adviceOn(call, code, sources, reader)))
}

async function adviceOn(
  call: CallEndpoint,
  code: string,
  all: readonly AdvisorySource[],
  reader: { language: Language; now: Date; acknowledged: readonly Acknowledgment[] },
) {
  const answer = await call(getCountry, { params: { code } })
  const nameOf = nameIn(reader.language)
  const { highest, columns, changes, silent, unknown } = countryPage(answer, all, {
    sourceName: (source) => sourceName(source, nameOf),
    titleOf: (advisory) => titleIn(reader.language)(advisory, countryNames(advisory, nameOf)),
  })
  const since = reader.now.getTime() - RECENT_MS
  const versions = new Map(answer.sources.flatMap(({ advisories }) => advisories.map((a) => [a.id, a.version])))
  const isRead = (id: string) =>
    reader.acknowledged.some(({ advisory_id, version }) => advisory_id === id && version === versions.get(id))
  return {
    code,
    name: nameOf(code, answer.country.name),
    highest,
    // The first of each source: its most serious advisory.
    says: columns.flatMap(({ source, advisories: [first] }) =>
      first ? [{ source, ...first, isRead: isRead(first.id) }] : [],
    ),
    change: changes.find(({ at, kind }) => kind !== 'first_read' && Date.parse(at) >= since) ?? null,
    hasReadSources: answer.has_read_sources,
    silent: silent.length,
    unknown: unknown.length,
  }
}

export type Advice = Awaited<ReturnType<typeof adviceOn>>
