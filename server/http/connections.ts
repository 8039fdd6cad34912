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

interface LimitOptions {
  log: Log
  trustedProxies: number
  maxConnections?: number
  maxPendingOfAddress?: number
  youngMs?: number
}

/**
 * Keeps one caller from taking all connections of a server. A connection is pending until it has sent a whole request: past the
 * limits the oldest pending one is closed, so that fast senders still get in. Behind trusted proxies all share the same
 * addresses, and only the limits of the process apply.
 */
export class ConnectionLimits {
  readonly #options: LimitOptions
  readonly #maxConnections: number
  readonly #youngMs: number
  readonly #maxPendingOfAddress: number
  readonly #maxOfAddress: number
  readonly #open = new Map<string, number>()
  // Sets and maps keep insertion order: the oldest comes first.
  readonly #pending = new Map<Socket, PendingRequest>()
  readonly #pendingOf = new Map<string, Set<Socket>>()
  #closed = 0
  #reportedAt = 0

  constructor(server: Server, options: LimitOptions) {
    this.#options = options
    const maxConnections = options.maxConnections ?? findMaxConnections()
    this.#maxConnections = maxConnections
    this.#youngMs = options.youngMs ?? YOUNG_MS
    // Below the limit per address, so that its slow connections leave room for its fast ones.
    this.#maxPendingOfAddress =
      options.maxPendingOfAddress ?? Math.min(MAX_PENDING_OF_ADDRESS, Math.ceil(maxConnections / 4))
    this.#maxOfAddress = Math.ceil(this.#maxConnections / 2)
    server.maxConnections = this.#maxConnections
    server.on('connection', (socket: Socket) => {
      const address = addressOf(socket.remoteAddress) ?? ''
      const count = (this.#open.get(address) ?? 0) + 1
      this.#open.set(address, count)
      socket.once('close', () => {
        this.#removePending(socket)
        const left = (this.#open.get(address) ?? 1) - 1
        if (left > 0) this.#open.set(address, left)
        else this.#open.delete(address)
      })
      if (options.trustedProxies === 0 && count > this.#maxOfAddress) this.#close(socket)
      else this.#add(socket, address)
    })
    server.on('request', (request: IncomingMessage) => {
      const { socket } = request
      if (!hasBody(request)) return this.#removePending(socket)
      this.#add(socket, addressOf(socket.remoteAddress) ?? '', request)
      request.once('end', () => this.#removePending(socket))
    })
    server.on('upgrade', (_request, socket) => this.#removePending(socket as Socket))
  }

  /** Number of connections that have not sent a whole request. */
  get pending() {
    return this.#pending.size
  }

  #add(socket: Socket, address: string, request?: IncomingMessage) {
    // A new request moves it to the end.
    this.#removePending(socket)
    this.#pending.set(socket, { address, request, since: performance.now() })
    const own = this.#pendingOf.get(address) ?? new Set()
    this.#pendingOf.set(address, own.add(socket))
    if (this.#options.trustedProxies === 0) this.#closeOldest(own, this.#maxPendingOfAddress)
    this.#closeOldest(this.#pending, this.#maxConnections / 2)
  }

  #closeOldest(sockets: Set<Socket> | Map<Socket, PendingRequest>, limit: number) {
    for (const socket of sockets.keys()) {
      const found = this.#pending.get(socket)
      if (!found || sockets.size <= limit || performance.now() - found.since < this.#youngMs) return
      // Sent in full but not read yet: the portal is busy.
      if (found.request?.complete) this.#removePending(socket)
      else this.#close(socket)
    }
  }

  #removePending(socket: Socket) {
    const found = this.#pending.get(socket)
    if (!found) return
    this.#pending.delete(socket)
    const own = this.#pendingOf.get(found.address)
    own?.delete(socket)
    if (own?.size === 0) this.#pendingOf.delete(found.address)
  }

  #close(socket: Socket) {
    this.#removePending(socket)
    socket.destroy()
    this.#closed += 1
    if (Date.now() - this.#reportedAt < REPORT_MS) return
    this.#options.log.warn(
      { closed: this.#closed },
      'closed connections that sent no whole request, or too many of one address',
    )
    this.#reportedAt = Date.now()
    this.#closed = 0
  }
}

interface PendingRequest {
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
