import type { WebSocket } from 'ws'
import type { Session } from '#server/http/session.ts'
import { groupsOf } from '#server/notifications/inbox/groups.ts'
import { SESSION_CHANGED } from '#shared/realtime.ts'
import { type Arrival, createArrivals } from './pending-sockets.ts'

const OPEN = 1
/** A client with more unsent data than this is too slow: it is closed and reconnects when it can. */
const MAX_UNSENT_BYTES = 256 * 1024
const MAX_ROOMS = 50
const HEARTBEAT_MS = 25_000
/** 001 §9: ten events a second. */
const MAX_MESSAGES_PER_SECOND = 10
/** A client with this many excess messages in consecutive seconds is closed. */
const MAX_REJECTED = 50
/** Tabs and devices of one user. */
const MAX_OF_USER = 30
/** RFC 6455 and the IANA registry. */
const CODES = { rateLimited: 1008, restart: 1012, later: 1013 }

/** Rooms a client may join: everything public about advisories, one country, one row of an allowed table. */
const ROOM = /^(advisories|country:[A-Z]{2}|table:(travel_advisories|advisory_sources)(:id=eq\.[a-z0-9-]{1,60})?)$/

/** The client's name for its user's own room: the session determines which one, never a name that the client sends. */
const OWN = 'own'
/** Rooms that only the server adds members to. */
const ALL_USERS = 'people'
const ofUser = (id: string) => `person:${id}`
const ofSession = (id: string) => `session:${id}`
const ofGroup = (group: string) => `group:${group}`

/** Restricted rooms, each checked against the database. */
const RESTRICTED_ROOM = /^roll_call:[0-9a-f-]{36}$/
/** Decides about a room that is not open to everyone. */
export type MayJoin = (room: string) => Promise<boolean>
type Reply = (ok: boolean, error?: string) => void

interface Member {
  socket: WebSocket
  rooms: Set<string>
  /** Rooms the server added it to; they do not count towards the client's limit. */
  ownRooms: number
  user: SocketIdentity['user']
  /** Closed then: its session or its role ends. */
  validUntil: number
  mayJoin: MayJoin
  isAlive: boolean
  second: number
  messages: number
  refused: number
}

/** Identity of a socket, from the session that opened it. */
export type SocketIdentity = Pick<Session, 'user' | 'id' | 'expiresAt' | 'roleEndsAt' | 'isUnknown'>

/**
 * Open sockets and the rooms they have joined. A room is joined by its name; this decides which names a user may join.
 */
export class Rooms {
  readonly #maxOfUser: number
  readonly #arrivals: ReturnType<typeof createArrivals>
  readonly #members = new Set<Member>()
  readonly #rooms = new Map<string, Set<Member>>()
  readonly #heartbeat = setInterval(() => {
    for (const member of this.#members) {
      if (!member.isAlive) member.socket.terminate()
      else if (member.validUntil <= Date.now()) member.socket.close(SESSION_CHANGED)
      else {
        member.isAlive = false
        member.socket.ping()
      }
    }
  }, HEARTBEAT_MS)

  constructor(limits: Parameters<typeof createArrivals>[0] & { maxOfUser?: number } = {}) {
    this.#maxOfUser = limits.maxOfUser ?? MAX_OF_USER
    this.#arrivals = createArrivals(limits)
    this.#heartbeat.unref()
  }

  /** Called before the session look-up; throws when too many are open from this address. */
  arrive(address: string): Arrival {
    return this.#arrivals.arrive(address)
  }

  /** Accepts a connected socket; its identity comes from the session that opened it. */
  enter(socket: WebSocket, entering: SocketIdentity, mayJoin: MayJoin = async () => false, arrival?: Arrival) {
    const { user, id, expiresAt, roleEndsAt } = entering
    const access = [...(user ? [ofUser(user.id)] : []), ...(id ? [ofSession(id)] : [])]
    // Treated as anonymous it would receive none of its own events, and stay so.
    if (entering.isUnknown) return socket.close(CODES.later)
    if (arrival?.isOutdated(access)) return socket.close(SESSION_CHANGED)
    if (user && (this.#rooms.get(ofUser(user.id))?.size ?? 0) >= this.#maxOfUser) return socket.close(CODES.later)
    const own = [...access, ...(user ? [ALL_USERS, ...groupsOf(user.role).map(ofGroup)] : [])]
    const ends = [expiresAt, roleEndsAt].map((end) => end?.valueOf() ?? Number.POSITIVE_INFINITY)
    const member: Member = {
      socket,
      rooms: new Set(),
      ownRooms: own.length,
      user,
      validUntil: Math.min(...ends),
      mayJoin,
      isAlive: true,
      second: 0,
      messages: 0,
      refused: 0,
    }
    this.#members.add(member)
    for (const room of own) this.#join(member, room)
    socket.on('pong', () => (member.isAlive = true))
    socket.on('message', (data) => {
      member.isAlive = true
      this.#receive(member, data.toString())
    })
    socket.on('error', () => socket.terminate())
    socket.on('close', () => {
      this.#members.delete(member)
      for (const room of [...member.rooms]) this.#leave(member, room)
    })
  }

  broadcast(room: string, event: string, payload: Record<string, unknown>) {
    return this.#broadcast(room, event, payload)
  }

  /** Broadcasts to users by id or group, each in their own room; null: every signed-in user. */
  broadcastToUsers(idsOrGroups: string[] | null, event: string, payload: Record<string, unknown>) {
    if (!idsOrGroups) return this.#broadcast(ALL_USERS, event, payload, OWN)
    for (const name of idsOrGroups)
      for (const room of [ofUser(name), ofGroup(name)]) this.#broadcast(room, event, payload, OWN)
  }

  /**
   * Closes the sockets of sessions and users whose access changed ('session:…', 'person:…'); each reconnects with its
   * current access. Null, after missed notifications: all sockets with a session, whose clients then spread their
   * reconnects.
   */
  closeChanged(names: readonly string[] | null) {
    this.#arrivals.note(names)
    for (const name of names ?? []) for (const { socket } of this.#rooms.get(name) ?? []) socket.close(SESSION_CHANGED)
    if (!names) for (const { socket, ownRooms } of this.#members) if (ownRooms > 0) socket.close(CODES.restart)
  }

  get size() {
    return this.#members.size
  }

  /** Asks every client to reconnect elsewhere (1012 service restart); a silent one is terminated after a while. */
  close() {
    clearInterval(this.#heartbeat)
    for (const { socket } of this.#members) socket.close(CODES.restart)
    setTimeout(() => {
      for (const { socket } of this.#members) socket.terminate()
    }, 700).unref()
  }

  #join(member: Member, room: string) {
    member.rooms.add(room)
    const set = this.#rooms.get(room) ?? new Set()
    this.#rooms.set(room, set.add(member))
  }

  #leave(member: Member, room: string) {
    member.rooms.delete(room)
    const set = this.#rooms.get(room)
    set?.delete(member)
    if (set?.size === 0) this.#rooms.delete(room)
  }

  #joinIfAllowed(member: Member, room: string, reply: Reply) {
    member.mayJoin(room).then(
      (may) => {
        // The client may have disconnected during the query.
        if (may && this.#members.has(member)) this.#join(member, room)
        reply(may, may ? undefined : 'Room not found.')
      },
      () => reply(false, 'Please try again.'),
    )
  }

  #receive(member: Member, text: string) {
    // Messages that arrive after closing.
    if (member.socket.readyState !== OPEN) return
    const second = Math.floor(Date.now() / 1000)
    if (member.second !== second) {
      if (member.messages <= MAX_MESSAGES_PER_SECOND) member.refused = 0
      member.messages = 0
    }
    member.messages += 1
    member.second = second
    const message = parse(text)
    const reply = (ok: boolean, error?: string) =>
      send(member, JSON.stringify({ type: 'reply', ref: message?.ref, ok, ...(error ? { error } : {}) }))
    if (member.messages > MAX_MESSAGES_PER_SECOND) {
      member.refused += 1
      if (member.refused > MAX_REJECTED) return member.socket.close(CODES.rateLimited)
      return reply(false, 'Too many messages in one second.')
    }
    if (!message) return reply(false, 'Unknown message.')
    const room = roomOf(message)
    // Signed-in users are in it from the start.
    if (room === OWN) return member.user ? reply(true) : reply(false, 'Please sign in to continue.')
    switch (message.type) {
      case 'heartbeat':
        return reply(true)
      case 'join':
      case 'subscribe_country':
        if (!room || !(ROOM.test(room) || RESTRICTED_ROOM.test(room))) return reply(false, 'Room not found.')
        if (member.rooms.size - member.ownRooms >= MAX_ROOMS) return reply(false, `At most ${MAX_ROOMS} rooms.`)
        if (RESTRICTED_ROOM.test(room)) return this.#joinIfAllowed(member, room, reply)
        this.#join(member, room)
        return reply(true)
      case 'leave':
      case 'unsubscribe_country':
        if (room && (ROOM.test(room) || RESTRICTED_ROOM.test(room))) this.#leave(member, room)
        return reply(true)
      case 'join_role':
        // The role is the session's; a role claimed by the client is ignored (F-36).
        if (!member.user) return reply(false, 'Please sign in to continue.')
        this.#join(member, `role:${member.user.role}`)
        return reply(true)
      default:
        return reply(false, 'Unknown message.')
    }
  }

  /** Broadcasts to everyone in the room; the payload says what changed, never the content. */
  #broadcast(room: string, event: string, payload: Record<string, unknown>, called = room) {
    const listening = this.#rooms.get(room)
    if (!listening) return
    const text = JSON.stringify({ type: 'event', event, room: called, payload })
    for (const member of listening) send(member, text)
  }
}

function send(member: Member, text: string) {
  if (member.socket.readyState !== OPEN) return
  if (member.socket.bufferedAmount > MAX_UNSENT_BYTES) member.socket.terminate()
  else member.socket.send(text)
}

interface Message {
  type: string
  room?: string
  country?: string
  ref?: string | number
}

function parse(text: string): Message | undefined {
  try {
    const message = text.length <= 2_000 && JSON.parse(text)
    return message && typeof message === 'object' && typeof message.type === 'string' ? message : undefined
  } catch {
    return undefined
  }
}

function roomOf(message: Message): string | undefined {
  if (message.type === 'subscribe_country' || message.type === 'unsubscribe_country')
    return typeof message.country === 'string' ? `country:${message.country}` : undefined
  return typeof message.room === 'string' ? message.room : undefined
}
