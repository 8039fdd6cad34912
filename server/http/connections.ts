import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Log } from '#server/log.ts'
import { addressOf } from './address.ts'

/** A phone on a poor network sends the headers of a request in a few seconds. */
const HEADERS_MS = 15_000
/** Ten megabytes at 35 kB a second. */
const REQUEST_MS = 300_000
/** Interval at which Node looks for timed-out connections. */
const CHECK_MS = 2_000
/** A shared hall behind one address, each browser with one or two preconnected sockets. */
const MAX_PENDING_OF_ADDRESS = 250
/** Connections are read a moment late while the process is busy: none younger than this is closed. */
const YOUNG_MS = 2_000
/** Beyond this many live pages the process runs out of memory first. */
const MAX_CONNECTIONS = 20_000
/** File descriptors reserved for the database, static files and outgoing calls. */
const SPARE_FILES = 200
const REPORT_MS = 60_000

/** A server with time-outs for clients that send slowly or not at all. */
export const createHttpServer = (limits: { headersMs?: number; requestMs?: number; checkMs?: number } = {}): Server =>
  createServer({
    headersTimeout: limits.headersMs ?? HEADERS_MS,
    requestTimeout: limits.requestMs ?? REQUEST_MS,
    connectionsCheckingInterval: limits.checkMs ?? CHECK_MS,
  })

/**
 * Keeps one caller from taking all connections. A connection is pending until it has sent a whole request: past the
 * limits the oldest pending one is closed, so that fast senders still get in. Behind trusted proxies all share the same
 * addresses, and only the limits of the process apply.
 */
export function limitConnections(
  server: Server,
  parts: {
    log: Log
    trustedProxies: number
    maxConnections?: number
    maxPendingOfAddress?: number
    youngMs?: number
  },
) {
  const { maxConnections = findMaxConnections(), youngMs = YOUNG_MS } = parts
  // Below the limit per address, so that its slow connections leave room for its fast ones.
  const { maxPendingOfAddress = Math.min(MAX_PENDING_OF_ADDRESS, Math.ceil(maxConnections / 4)) } = parts
  const maxOfAddress = Math.ceil(maxConnections / 2)
  const open = new Map<string, number>()
  // Sets and maps keep insertion order: the oldest comes first.
  const pending = new Map<Socket, Pending>()
  const pendingOf = new Map<string, Set<Socket>>()
  let closed = 0
  let reportedAt = 0
  server.maxConnections = maxConnections

  function add(socket: Socket, address: string, request?: IncomingMessage) {
    // A new request moves it to the end.
    settle(socket)
    pending.set(socket, { address, request, since: performance.now() })
    const own = pendingOf.get(address) ?? new Set()
    pendingOf.set(address, own.add(socket))
    if (parts.trustedProxies === 0) closeOldest(own, maxPendingOfAddress)
    closeOldest(pending, maxConnections / 2)
  }

  function closeOldest(sockets: Set<Socket> | Map<Socket, Pending>, limit: number) {
    for (const socket of sockets.keys()) {
      const found = pending.get(socket)
      if (!found || sockets.size <= limit || performance.now() - found.since < youngMs) return
      // Sent in full but not read yet: the portal is busy.
      if (found.request?.complete) settle(socket)
      else close(socket)
    }
  }

  function settle(socket: Socket) {
    const found = pending.get(socket)
    if (!found) return
    pending.delete(socket)
    const own = pendingOf.get(found.address)
    own?.delete(socket)
    if (own?.size === 0) pendingOf.delete(found.address)
  }

  function close(socket: Socket) {
    settle(socket)
    socket.destroy()
    closed += 1
    if (Date.now() - reportedAt < REPORT_MS) return
    parts.log.warn({ closed }, 'closed connections that sent no whole request, or too many of one address')
    reportedAt = Date.now()
    closed = 0
  }

  server.on('connection', (socket: Socket) => {
    const address = addressOf(socket.remoteAddress) ?? ''
    const count = (open.get(address) ?? 0) + 1
    open.set(address, count)
    socket.once('close', () => {
      settle(socket)
      const left = (open.get(address) ?? 1) - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    })
    if (parts.trustedProxies === 0 && count > maxOfAddress) close(socket)
    else add(socket, address)
  })
  server.on('request', (request: IncomingMessage) => {
    const { socket } = request
    if (!hasBody(request)) return settle(socket)
    add(socket, addressOf(socket.remoteAddress) ?? '', request)
    request.once('end', () => settle(socket))
  })
  server.on('upgrade', (_request, socket) => settle(socket as Socket))

  return {
    /** Number of connections that have not sent a whole request. */
    get pending() {
      return pending.size
    },
  }
}

interface Pending {
  address: string
  /** The request whose body is awaited. */
  request: IncomingMessage | undefined
  /** By performance.now(). */
  since: number
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** The process's file descriptor limit, less a reserve for its own use. */
function findMaxConnections(): number {
  try {
    const files = Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1])
    if (files > 0) return Math.min(MAX_CONNECTIONS, Math.max(files - SPARE_FILES, Math.ceil(files / 2)))
  } catch {
    // Not Linux, or not mounted.
  }
  return MAX_CONNECTIONS
}
