import { SESSION_CHANGED } from '#shared/realtime.ts'
import { Channel, type ChannelState, type Handler, parse, type RoomMessages } from './channel.ts'
import { createPacer } from './pacer.ts'

/** 001 §9, and C-39: the advisory socket gives up after five attempts, platform channels never do. */
export const HEARTBEAT_MS = 25_000
const EVENTS_PER_SECOND = 10
/** The signed-in user's room, by the name every page uses. */
const OWN = 'own'
export const advisoryDelay = (attempt: number) => (attempt < 5 ? Math.min(1_000 * 2 ** attempt, 30_000) : null)
export const platformDelay = (attempt: number) => [1_000, 2_000, 5_000][attempt] ?? 10_000

export type ConnectionStatus = 'connected' | 'reconnecting' | 'error'

interface Options {
  address: string
  /** Delay before the given attempt, counted from 0 since the last success; null gives up. */
  delay: (attempt: number) => number | null
  /** Jitter for clients that lost the same server at once: a fraction of the delay, 0 to 1, is added. */
  spread?: () => number
  Socket?: SocketClass
}

/** What is used of a `WebSocket`. */
export interface Socket {
  readonly readyState: number
  onopen: ((event: Event) => void) | null
  onmessage: ((event: MessageEvent) => void) | null
  onclose: ((event: CloseEvent) => void) | null
  send(text: string): void
  close(): void
}
type SocketClass = new (address: string) => Socket

/**
 * One socket to the server for all rooms of the page. Authenticated by the session cookie; nothing is stored (F-03).
 */
export class Realtime {
  readonly #address: string
  readonly #delay: (attempt: number) => number | null
  readonly #spread: () => number
  readonly #Socket: SocketClass
  readonly #channels = new Map<string, Channel>()
  readonly #statusListeners = new Set<(status: ConnectionStatus) => void>()
  readonly #waitingReplies = new Map<number, Channel>()
  readonly #outgoing = createPacer(EVENTS_PER_SECOND)
  readonly #incoming = createPacer(EVENTS_PER_SECOND)
  #socket: Socket | undefined
  #status: ConnectionStatus = 'reconnecting'
  #attempt = 0
  #ref = 0
  #isHeard = true
  #isClosed = false
  #isRenewed = false
  #heartbeat: ReturnType<typeof setInterval> | undefined
  #retry: ReturnType<typeof setTimeout> | undefined

  constructor({ address, delay, spread = () => Math.random() / 4, Socket = WebSocket }: Options) {
    this.#address = address
    this.#delay = delay
    this.#spread = spread
    this.#Socket = Socket
    this.#connect()
  }

  /** Changed rows of a table, optionally only those where a column equals a value. */
  onTableChange(table: string, handler: Handler, where?: { column: string; equals: string }) {
    return this.listen(`table:${table}${where ? `:${where.column}=eq.${where.equals}` : ''}`, handler)
  }

  onCountry(country: string, handler: Handler) {
    return this.listen(`country:${country}`, handler, {
      join: { type: 'subscribe_country', country },
      leave: { type: 'unsubscribe_country', country },
    })
  }

  /** After sign-in; the server takes the role from the session. */
  joinRole() {
    return this.#send({ type: 'join_role' })
  }

  stateOf(room: string): ChannelState {
    return this.#channels.get(room)?.state ?? 'closed'
  }

  get status() {
    return this.#status
  }

  onStatus(listener: (status: ConnectionStatus) => void) {
    this.#statusListeners.add(listener)
    return () => this.#statusListeners.delete(listener)
  }

  /** Starts over after giving up: the network or the user is back. */
  wake() {
    if (this.#status !== 'error' || this.#isClosed) return
    this.#attempt = 0
    this.#notifyStatus('reconnecting')
    this.#connect()
  }

  close() {
    this.#isClosed = true
    clearTimeout(this.#retry)
    clearInterval(this.#heartbeat)
    this.#socket?.close()
    for (const channel of this.#channels.values()) channel.state = 'closed'
  }

  #connect() {
    clearTimeout(this.#retry)
    const newSocket = new this.#Socket(this.#address)
    this.#socket = newSocket
    newSocket.onopen = () => {
      this.#notifyStatus('connected')
      this.#isHeard = true
      this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS)
      for (const channel of this.#channels.values()) this.#join(channel)
    }
    newSocket.onmessage = ({ data }) => this.#receive(String(data))
    // An error is always followed by a close.
    newSocket.onclose = (event) => newSocket === this.#socket && this.#lose(event.code === SESSION_CHANGED)
  }

  /** `isRenewal`: the server is up and requires re-authentication. */
  #lose(isRenewal: boolean) {
    clearInterval(this.#heartbeat)
    this.#outgoing.clear()
    this.#waitingReplies.clear()
    for (const [room, channel] of this.#channels) {
      if (channel.state === 'leaving') this.#channels.delete(room)
      channel.state = channel.state === 'leaving' ? 'closed' : 'errored'
    }
    if (this.#isClosed) return
    const wait = isRenewal ? 0 : this.#delay(this.#attempt++)
    if (wait === null) return this.#notifyStatus('error')
    this.#notifyStatus('reconnecting')
    this.#retry = setTimeout(() => this.#connect(), wait + wait * this.#spread())
  }

  #beat() {
    // No message since the last heartbeat: the peer is gone, and the network may report that only minutes later.
    if (!this.#isHeard) return this.#socket?.close()
    this.#isHeard = false
    this.#send({ type: 'heartbeat' })
  }

  #send(message: Record<string, unknown>, channel?: Channel) {
    this.#ref++
    if (channel) this.#waitingReplies.set(this.#ref, channel)
    const text = JSON.stringify({ ...message, ref: this.#ref })
    this.#outgoing.add(() => this.#socket?.readyState === 1 && this.#socket.send(text))
  }

  #join(channel: Channel) {
    channel.state = 'joining'
    this.#send(channel.joining, channel)
  }

  #receive(text: string) {
    this.#isHeard = true
    this.#attempt = 0
    const message = parse(text)
    if (message?.type === 'event') this.#incoming.add(() => this.#channels.get(message.room)?.emit(message))
    if (message?.type !== 'reply') return
    const channel = this.#waitingReplies.get(message.ref)
    if (!channel) return
    this.#waitingReplies.delete(message.ref)
    if (channel.state !== 'leaving') channel.state = message.ok ? 'joined' : 'errored'
    // A late reply to a join precedes the reply to the leave; only the last one ends the channel.
    else if (![...this.#waitingReplies.values()].includes(channel)) this.#forget(channel)
    if (channel === this.#channels.get(OWN)) this.#renewFor(message.ok)
  }

  /** A socket opened before sign-in is unauthenticated: reopen it once with the current session. */
  #renewFor(isOwn: boolean) {
    const isDue = !isOwn && !this.#isRenewed
    this.#isRenewed = !isOwn
    if (isDue) this.#socket?.close()
  }

  #forget(channel: Channel) {
    channel.state = 'closed'
    for (const [room, known] of this.#channels) if (known === channel) this.#channels.delete(room)
  }

  #notifyStatus(next: ConnectionStatus) {
    if (next === this.#status) return
    this.#status = next
    for (const listener of this.#statusListeners) listener(next)
  }

  /** Listens in a room until the returned function is called; the last listener to stop leaves it. */
  listen(
    room: string,
    handler: Handler,
    messages: RoomMessages = { join: { type: 'join', room }, leave: { type: 'leave', room } },
  ) {
    let channel = this.#channels.get(room)
    if (!channel || channel.state === 'leaving') {
      channel = new Channel(messages.join)
      this.#channels.set(room, channel)
      if (this.#status === 'connected') this.#join(channel)
    }
    const entered = channel
    entered.handlers.add(handler)
    return () => {
      if (!entered.handlers.delete(handler) || entered.handlers.size > 0) return
      if (this.#status !== 'connected') return this.#forget(entered)
      entered.state = 'leaving'
      this.#send(messages.leave, entered)
    }
  }
}
