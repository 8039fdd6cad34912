import type { AdvisoryModel } from '#server/advisories/model.ts'
import type { Change } from '#server/readmodel/model.ts'
import type { Rooms } from './rooms.ts'

/** Beyond this many at once, clients get one event for the list instead of one per row, for example after an import. */
const MAX_SINGLE_EVENTS = 20

/**
 * Broadcasts changes of advisories and sources to the rooms. Every node sees every change, so each notifies its own
 * clients.
 */
export function broadcastAdvisoryChanges(rooms: Rooms, model: AdvisoryModel, changes: Change[]) {
  for (const { table, ids } of changes) {
    if (table === 'advisory_sources') {
      rooms.broadcast('advisories', 'travel_system_health', {})
      for (const id of ids ?? []) broadcastTableChange(rooms, table, id)
    }
    if (table !== 'travel_advisories') continue
    if (!ids || ids.length > MAX_SINGLE_EVENTS) {
      rooms.broadcast('advisories', 'travel_advisory_update', { id: null })
      rooms.broadcast('table:travel_advisories', 'change', { table, id: null })
      const codes = new Set(ids?.flatMap((id) => model.find(id)?.advisory.country_codes ?? []))
      for (const country of codes)
        rooms.broadcast(`country:${country}`, 'country_travel_advisory', { id: null, country })
      continue
    }
    for (const id of ids) {
      const advisory = model.find(id)?.advisory
      rooms.broadcast('advisories', 'travel_advisory_update', { id })
      if (advisory?.is_urgent) rooms.broadcast('advisories', 'urgent_travel_advisory', { id })
      for (const code of advisory?.country_codes ?? [])
        rooms.broadcast(`country:${code}`, 'country_travel_advisory', { id, country: code })
      broadcastTableChange(rooms, table, id)
    }
  }
}

function broadcastTableChange(rooms: Rooms, table: string, id: string) {
  rooms.broadcast(`table:${table}`, 'change', { table, id })
  rooms.broadcast(`table:${table}:id=eq.${id}`, 'change', { table, id })
}
