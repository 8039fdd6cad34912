import type { Hono } from 'hono'
import { sql } from 'kysely'
import type { Database } from '#server/db/connection.ts'
import type { ReadModel } from '#server/readmodel/model.ts'
import type { ResponseCache } from './response-cache.ts'

/** Further metrics of a node: its queue, and whether it is stopping. */
export interface Health {
  isStopping: () => boolean
  queue: () => Promise<object>
}

/** /health: this process is alive. /ready: it should receive traffic, with current measurements. */
export function health(
  app: Hono,
  deps: {
    database: Database
    readModel: ReadModel
    responseCache: ResponseCache
    rooms: { readonly size: number }
    more?: Health
  },
) {
  const startedAt = Date.now()
  app.get('/health', (c) => {
    const stopping = deps.more?.isStopping() ?? false
    return c.json(
      {
        success: true,
        status: stopping ? 'stopping' : 'live',
        uptime_seconds: Math.round((Date.now() - startedAt) / 1000),
      },
      stopping ? 503 : 200,
    )
  })

  app.get('/ready', async (c) => {
    const database = await measured(() => sql`select 1`.execute(deps.database.requests.kysely))
    const queue = deps.more ? await measured(deps.more.queue) : { ok: true, milliseconds: 0 }
    const { hits, misses } = deps.responseCache.counts
    const { embedded } = deps.database
    const isFull = embedded?.space?.isLow ?? false
    const isReady = deps.readModel.version >= 0 && !(deps.more?.isStopping() ?? false)
    return c.json(
      {
        success: isReady,
        // Public pages are served from memory: without its database a node is degraded, not unready.
        status: !isReady ? 'not_ready' : database.ok && queue.ok && !isFull ? 'ready' : 'degraded',
        database: {
          engine: deps.database.engine,
          ok: database.ok && !isFull,
          milliseconds: database.milliseconds,
          ...(embedded ? { durable: embedded.isDurable } : {}),
          ...(isFull ? { reason: 'The disk is full. Changes cannot be saved.' } : {}),
        },
        queue: { ok: queue.ok, milliseconds: queue.milliseconds, ...(queue.value as object | undefined) },
        read_model: { version: deps.readModel.version, fresh_at: deps.readModel.freshAt?.toISOString() ?? null },
        cache: { hits, misses, hit_rate: hits + misses === 0 ? null : Number((hits / (hits + misses)).toFixed(3)) },
        sockets: deps.rooms.size,
      },
      isReady ? 200 : 503,
    )
  })
}

async function measured(fn: () => Promise<unknown>): Promise<{ ok: boolean; milliseconds: number; value?: unknown }> {
  const began = performance.now()
  try {
    const value = await fn()
    return { ok: true, milliseconds: Math.round(performance.now() - began), value }
  } catch {
    return { ok: false, milliseconds: Math.round(performance.now() - began) }
  }
}
