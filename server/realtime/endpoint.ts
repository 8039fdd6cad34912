import { type HttpBindings, upgradeWebSocket } from '@hono/node-server'
import type { Hono } from 'hono'
import type { WebSocket } from 'ws'
import type { Database } from '#server/db/connection.ts'
import { onlyOwnOrigin, withAddress } from '#server/http/protection.ts'
import type { Session } from '#server/http/session.ts'
import { mayHear } from '#server/roll-calls/live-updates.ts'
import { AppError } from '#shared/errors.ts'
import type { Rooms } from './rooms.ts'

/** The WebSocket endpoint of open pages, authenticated by the session cookie or a program's token. */
export function realtime(
  app: Hono,
  deps: {
    rooms: Rooms
    database: Database
    sessionOf: (request: Request) => Session | Promise<Session>
    publicUrl: string
  },
) {
  const { rooms, database } = deps
  app.get(
    '/api/realtime',
    onlyOwnOrigin(deps),
    async (c, next) => {
      if (c.req.header('upgrade')?.toLowerCase() !== 'websocket')
        throw new AppError(426, 'upgrade_required', 'Open this address as a WebSocket.', {
          headers: { upgrade: 'websocket' },
        })
      await next()
    },
    upgradeWebSocket(async (c) => {
      const arrival = rooms.arrive(withAddress.of(c.req.raw))
      // However it ends, even if it was never opened.
      ;(c.env as HttpBindings).incoming.socket.once('close', arrival.leave)
      const session = await deps.sessionOf(c.req.raw)
      const mayJoin = (room: string) => mayHear(database, session, room)
      return { onOpen: (_event, ws) => rooms.enter(ws.raw as WebSocket, session, mayJoin, arrival) }
    }),
  )
}

/**
 * Closes the sockets of users whose access changed, on every node, so that they reconnect with their current access.
 */
export const closeChangedSockets = (database: Database, rooms: Pick<Rooms, 'closeChanged'>): Promise<void> =>
  database.listen('access_changes', (names) => rooms.closeChanged(names === null ? null : names.split(',')))
