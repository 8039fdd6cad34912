import { getQueue } from '#shared/overview/queue.ts'
import { nameIn } from '#web/advisories/reader.server.ts'
import { sourceName } from '#web/lib/country-names.ts'
import { api, visitorOf } from '#web/lib/visitor.ts'
import type { ShownRow } from './queue-text.ts'

const OWNERS = ['mine', 'none'] as const

/** The queue as the address asks for it, with the names of countries and sources. */
export async function queueFor(context: Parameters<typeof visitorOf>[0], request: Request) {
  const { language, now } = visitorOf(context)
  const params = new URL(request.url).searchParams
  const owner = OWNERS.find((known) => known === params.get('owner'))
  const country = /^([A-Z]{2}|none)$/.exec(params.get('country') ?? '')?.[0]
  const page = /^[1-9]\d{0,3}$/.test(params.get('page') ?? '') ? Number(params.get('page')) : 1
  const isAll = params.get('show') === 'all' || country !== undefined
  const query = {
    page,
    ...(owner ? { owner } : {}),
    ...(country ? { country } : {}),
    ...(isAll ? { show: 'all' as const } : {}),
  }
  const queue = await api(context)(getQueue, { query })
  const nameOf = nameIn(language)
  return {
    ...queue,
    owner,
    is_all: isAll,
    read_at: now.toISOString(),
    place: country && country !== 'none' ? nameOf(country) : null,
    country: country ?? null,
    rows: queue.rows.map(
      (row): ShownRow => ({
        ...row,
        place: row.country_code && nameOf(row.country_code),
        name: SOURCE_KINDS.has(row.kind) && row.name ? sourceName({ ...row, name: row.name }, nameOf) : row.name,
      }),
    ),
    countries: queue.countries.map((found) => ({ ...found, name: found.country_code && nameOf(found.country_code) })),
  }
}

export type ShownQueue = Awaited<ReturnType<typeof queueFor>>

const SOURCE_KINDS: ReadonlySet<string> = new Set(['source', 'withheld', 'lower_levels'])
