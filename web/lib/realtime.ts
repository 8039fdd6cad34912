import { SESSION_CHANGED } from '#shared/realtime.ts'
import { Channel, type ChannelState, type Handler, parse, type RoomMessages } from './channel.ts'
import { createPacer } from './pacer.ts'

/** 001 §9, and C-39: the advisory socket gives up after five attempts, platform channels never do. */
export const HEARTBEAT_MS = 25_000
const EVENTS_PER_SECOND = 10
/** The signed-in user's room, by the name every page uses. */
const OWN = 'own'
export const advisoryDelay = (attempt: number) => (attempt < 5 ? Math.min(1_000 * 2 ** attempt, 30_000) : null)
export const platformDelay = (attempt: number) => [1_000, 2_000, 5_000, 10_000][Math.min(attempt, 3)]!

export type ConnectionStatus = 'connected' | 'reconnecting' | 'error'

interface Options {
  address: string
  /** Delay before the given attempt, counted from 0 since the last success; null gives up. */
  delay: (attempt: number) => number | null
  /** Jitter for clients that lost the same server at once: a fraction of the delay, 0 to 1, is added. */
  spread?: () => number
  Socket?: typeof WebSocket
}

export type Realtime = ReturnType<typeof createRealtime>

/**
 * One socket to the server for all rooms of the page. Authenticated by the session cookie; nothing is stored (F-03).
 */
export function createRealtime({ address, delay, spread = () => Math.random() / 4, Socket = WebSocket }: Options) {
  const channels = new Map<string, Channel>()
  const statusListeners = new Set<(status: ConnectionStatus) => void>()
  const waitingReplies = new Map<number, Channel>()
  const outgoing = createPacer(EVENTS_PER_SECOND)
  const incoming = createPacer(EVENTS_PER_SECOND)
  let socket: WebSocket | undefined
  let status: ConnectionStatus = 'reconnecting'
  let attempt = 0
  let ref = 0
  let isHeard = true
  let isClosed = false
  let isRenewed = false
  let heartbeat: ReturnType<typeof setInterval> | undefined
  let retry: ReturnType<typeof setTimeout> | undefined

  function connect() {
    clearTimeout(retry)
    const newSocket = new Socket(address)
    socket = newSocket
    newSocket.onopen = () => {
      notifyStatus('connected')
      isHeard = true
      heartbeat = setInterval(beat, HEARTBEAT_MS)
      for (const channel of channels.values()) join(channel)
    }
    newSocket.onmessage = ({ data }) => receive(String(data))
    // An error is always followed by a close.
    newSocket.onclose = (event) => newSocket === socket && lose(event?.code === SESSION_CHANGED)
  }

  /** `isRenewal`: the server is up and requires re-authentication. */
  function lose(isRenewal: boolean) {
    clearInterval(heartbeat)
    outgoing.clear()
    waitingReplies.clear()
    for (const [room, channel] of channels) {
      if (channel.state === 'leaving') channels.delete(room)
      channel.state = channel.state === 'leaving' ? 'closed' : 'errored'
    }
    if (isClosed) return
    const wait = isRenewal ? 0 : delay(attempt++)
    if (wait === null) return notifyStatus('error')
    notifyStatus('reconnecting')
    retry = setTimeout(connect, wait + wait * spread())
  }

  function beat() {
    // No message since the last heartbeat: the peer is gone, and the network may report that only minutes later.
    if (!isHeard) return socket?.close()
    isHeard = false
    send({ type: 'heartbeat' })
  }

  function send(message: Record<string, unknown>, channel?: Channel) {
    ref++
    if (channel) waitingReplies.set(ref, channel)
    const text = JSON.stringify({ ...message, ref })
    outgoing.add(() => socket?.readyState === 1 && socket.send(text))
  }

  function join(channel: Channel) {
    channel.state = 'joining'
    send(channel.joining, channel)
  }

  function receive(text: string) {
    isHeard = true
    attempt = 0
    const message = parse(text)
    if (message?.type === 'event') incoming.add(() => channels.get(message.room)?.emit(message))
    if (message?.type !== 'reply') return
    const channel = waitingReplies.get(message.ref)
    if (!channel) return
    waitingReplies.delete(message.ref)
    if (channel.state !== 'leaving') channel.state = message.ok ? 'joined' : 'errored'
    // A late reply to a join precedes the reply to the leave; only the last one ends the channel.
    else if (![...waitingReplies.values()].includes(channel)) forget(channel)
    if (channel === channels.get(OWN)) renewFor(message.ok)
  }

  /** A socket opened before sign-in is unauthenticated: reopen it once with the current session. */
  function renewFor(isOwn: boolean) {
    const isDue = !isOwn && !isRenewed
    isRenewed = !isOwn
    if (isDue) socket?.close()
  }

  function forget(channel: Channel) {
    channel.state = 'closed'
    for (const [room, known] of channels) if (known === channel) channels.delete(room)
  }

  function notifyStatus(next: ConnectionStatus) {
    if (next === status) return
    status = next
    for (const listener of statusListeners) listener(next)
  }

  /** Listens in a room until the returned function is called; the last listener to stop leaves it. */
  function listen(
    room: string,
    handler: Handler,
    messages: RoomMessages = { join: { type: 'join', room }, leave: { type: 'leave', room } },
  ) {
    let channel = channels.get(room)
    if (!channel || channel.state === 'leaving') {
      channel = new Channel(messages.join)
      channels.set(room, channel)
      if (status === 'connected') join(channel)
    }
    const entered = channel
    entered.handlers.add(handler)
    return () => {
      if (!entered.handlers.delete(handler) || entered.handlers.size > 0) return
      if (status !== 'connected') return forget(entered)
      entered.state = 'leaving'
      send(messages.leave, entered)
    }
  }

  connect()

  return {
    listen,
    /** Changed rows of a table, optionally only those where a column equals a value. */
    onTableChange: (table: string, handler: Handler, where?: { column: string; equals: string }) =>
      listen(`table:${table}${where ? `:${where.column}=eq.${where.equals}` : ''}`, handler),
    onCountry: (country: string, handler: Handler) =>
      listen(`country:${country}`, handler, {
        join: { type: 'subscribe_country', country },
        leave: { type: 'unsubscribe_country', country },
      }),
    /** After sign-in; the server takes the role from the session. */
    joinRole: () => send({ type: 'join_role' }),
    stateOf: (room: string): ChannelState => channels.get(room)?.state ?? 'closed',
    get status() {
      return status
    },
    onStatus(listener: (status: ConnectionStatus) => void) {
      statusListeners.add(listener)
      return () => statusListeners.delete(listener)
    },
    /** Starts over after giving up: the network or the user is back. */
    wake() {
      if (status !== 'error' || isClosed) return
      attempt = 0
      notifyStatus('reconnecting')
      connect()
    },
    close() {
      isClosed = true
      clearTimeout(retry)
      clearInterval(heartbeat)
      socket?.close()
      for (const channel of channels.values()) channel.state = 'closed'
    },
  }
}
