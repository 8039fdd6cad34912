import type { AdvisoryModel } from '../advisories/model.ts'
import type { Change } from '../readmodel/model.ts'
import type { Rooms } from './rooms.ts'

/** Past this many at once clients are told that the list changed, not each row of it: an import is one event. */
const MOST_SINGLE_EVENTS = 20

/** Tells the rooms what changed among advisories and sources. Every node hears of every change, so each tells its own. */
export function tellAdvisoryChanges(rooms: Rooms, model: AdvisoryModel, changes: Change[]) {
  for (const { table, ids } of changes) {
    if (table === 'advisory_sources') {
      rooms.tell('advisories', 'travel_system_health', {})
      for (const id of ids ?? []) tellTable(rooms, table, id)
    }
    if (table !== 'travel_advisories') continue
    if (!ids || ids.length > MOST_SINGLE_EVENTS) {
      rooms.tell('advisories', 'travel_advisory_update', { id: null })
      rooms.tell('table:travel_advisories', 'change', { table, id: null })
      const codes = new Set(ids?.flatMap((id) => model.find(id)?.advisory.country_codes ?? []))
      for (const country of codes) rooms.tell(`country:${country}`, 'country_travel_advisory', { id: null, country })
      continue
    }
    for (const id of ids) {
      const advisory = model.find(id)?.advisory
      rooms.tell('advisories', 'travel_advisory_update', { id })
      if (advisory?.is_urgent) rooms.tell('advisories', 'urgent_travel_advisory', { id })
      for (const code of advisory?.country_codes ?? [])
        rooms.tell(`country:${code}`, 'country_travel_advisory', { id, country: code })
      tellTable(rooms, table, id)
    }
  }
}

function tellTable(rooms: Rooms, table: string, id: string) {
  rooms.tell(`table:${table}`, 'change', { table, id })
  rooms.tell(`table:${table}:id=eq.${id}`, 'change', { table, id })
}
