import type { WebSocket } from 'ws'
import type { Session } from '#server/http/session.ts'
import { groupsOf } from '#server/notifications/inbox/groups.ts'
import { SESSION_CHANGED } from '#shared/realtime.ts'
import { type Arrival, createArrivals } from './pending-sockets.ts'

const OPEN = 1
/** A client that holds more than this unsent is too slow: it is closed and comes back when it can. */
const MAX_UNSENT_BYTES = 256 * 1024
const MAX_ROOMS = 50
const HEARTBEAT_MS = 25_000
/** 001 §9: ten events a second. */
const MAX_MESSAGES_PER_SECOND = 10
/** Who sends so many more in seconds that follow one another is closed. */
const MAX_REJECTED = 50
/** Tabs and devices of one person. */
const MAX_OF_USER = 30
/** RFC 6455 and the registry of IANA. */
const CODES = { rateLimited: 1008, restart: 1012, later: 1013 }

/** What a client may ask to hear: everything public about advisories, one country, one row of an allowed table. */
const ROOM = /^(advisories|country:[A-Z]{2}|table:(travel_advisories|advisory_sources)(:id=eq\.[a-z0-9-]{1,60})?)$/

/** What a client calls the room of its own person: which one that is the session says, never a name that it sends. */
const OWN = 'own'
/** Rooms that only the server lets anybody into. */
const ALL_USERS = 'people'
const ofUser = (id: string) => `person:${id}`
const ofSession = (id: string) => `session:${id}`
const ofGroup = (group: string) => `group:${group}`

/** Rooms that only some may join, each by a question to the database. */
const RESTRICTED_ROOM = /^roll_call:[0-9a-f-]{36}$/
/** Decides about a room that is not open to everybody. */
export type MayJoin = (room: string) => Promise<boolean>
type Reply = (ok: boolean, error?: string) => void

interface Member {
  socket: WebSocket
  rooms: Set<string>
  /** Those it was led into; they do not count among those it asked for. */
  ownRooms: number
  user: Entering['user']
  /** Until then by itself: its session or its role ends. */
  validUntil: number
  mayJoin: MayJoin
  isAlive: boolean
  second: number
  messages: number
  refused: number
}

/** Who a socket is, by the session that opened it. */
export type Entering = Pick<Session, 'user' | 'id' | 'expiresAt' | 'roleEndsAt' | 'isUnknown'>

export type Rooms = ReturnType<typeof createRooms>

/** Open sockets and the rooms they listen in. A room is joined by its name; which names a person may join is decided here. */
export function createRooms(limits: Parameters<typeof createArrivals>[0] & { maxOfUser?: number } = {}) {
  const { maxOfUser = MAX_OF_USER } = limits
  const arrivals = createArrivals(limits)
  const members = new Set<Member>()
  const rooms = new Map<string, Set<Member>>()

  const heartbeat = setInterval(() => {
    for (const member of members) {
      if (!member.isAlive) member.socket.terminate()
      else if (member.validUntil <= Date.now()) member.socket.close(SESSION_CHANGED)
      else {
        member.isAlive = false
        member.socket.ping()
      }
    }
  }, HEARTBEAT_MS)
  heartbeat.unref()

  function join(member: Member, room: string) {
    member.rooms.add(room)
    const set = rooms.get(room) ?? new Set()
    rooms.set(room, set.add(member))
  }

  function leave(member: Member, room: string) {
    member.rooms.delete(room)
    const set = rooms.get(room)
    set?.delete(member)
    if (set?.size === 0) rooms.delete(room)
  }

  function joinIfAllowed(member: Member, room: string, reply: Reply) {
    member.mayJoin(room).then(
      (may) => {
        // The database took its time: the client may have gone meanwhile.
        if (may && members.has(member)) join(member, room)
        reply(may, may ? undefined : 'There is no such room.')
      },
      () => reply(false, 'Please try again.'),
    )
  }

  function receive(member: Member, text: string) {
    // What still comes after it was closed.
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
    if (!message) return reply(false, 'Not a message this server knows.')
    const room = roomOf(message)
    // Whoever is signed in stands in it from the beginning.
    if (room === OWN) return member.user ? reply(true) : reply(false, 'Nobody is signed in.')
    switch (message.type) {
      case 'heartbeat':
        return reply(true)
      case 'join':
      case 'subscribe_country':
        if (!room || !(ROOM.test(room) || RESTRICTED_ROOM.test(room))) return reply(false, 'There is no such room.')
        if (member.rooms.size - member.ownRooms >= MAX_ROOMS) return reply(false, `At most ${MAX_ROOMS} rooms.`)
        if (RESTRICTED_ROOM.test(room)) return joinIfAllowed(member, room, reply)
        join(member, room)
        return reply(true)
      case 'leave':
      case 'unsubscribe_country':
        if (room && (ROOM.test(room) || RESTRICTED_ROOM.test(room))) leave(member, room)
        return reply(true)
      case 'join_role':
        // The role is the session's; what the client says of itself does not matter (F-36).
        if (!member.user) return reply(false, 'Nobody is signed in.')
        join(member, `role:${member.user.role}`)
        return reply(true)
      default:
        return reply(false, 'Not a message this server knows.')
    }
  }

  /** Tells everybody in the room; the payload says what changed, never what it holds. */
  function broadcast(room: string, event: string, payload: Record<string, unknown>, called = room) {
    const listening = rooms.get(room)
    if (!listening) return
    const text = JSON.stringify({ type: 'event', event, room: called, payload })
    for (const member of listening) send(member, text)
  }

  return {
    /** In front of the look-up of who it is; throws where too many are open from this address. */
    arrive: (address: string): Arrival => arrivals.arrive(address),

    /** Takes a connected socket; who it is comes from the session that opened it. */
    enter(socket: WebSocket, entering: Entering, mayJoin: MayJoin = async () => false, arrival?: Arrival) {
      const { user, id, expiresAt, roleEndsAt } = entering
      const access = [...(user ? [ofUser(user.id)] : []), ...(id ? [ofSession(id)] : [])]
      // Taken for nobody it would hear nothing of its own, and stay so.
      if (entering.isUnknown) return socket.close(CODES.later)
      if (arrival?.isOutdated(access)) return socket.close(SESSION_CHANGED)
      if (user && (rooms.get(ofUser(user.id))?.size ?? 0) >= maxOfUser) return socket.close(CODES.later)
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
      members.add(member)
      for (const room of own) join(member, room)
      socket.on('pong', () => (member.isAlive = true))
      socket.on('message', (data) => {
        member.isAlive = true
        receive(member, data.toString())
      })
      socket.on('error', () => socket.terminate())
      socket.on('close', () => {
        members.delete(member)
        for (const room of [...member.rooms]) leave(member, room)
      })
    },

    broadcast: (room: string, event: string, payload: Record<string, unknown>) => broadcast(room, event, payload),

    /** Tells people by their id or group, each in the room that they call their own; null: everybody who is signed in. */
    broadcastToUsers(idsOrGroups: string[] | null, event: string, payload: Record<string, unknown>) {
      if (!idsOrGroups) return broadcast(ALL_USERS, event, payload, OWN)
      for (const name of idsOrGroups)
        for (const room of [ofUser(name), ofGroup(name)]) broadcast(room, event, payload, OWN)
    },

    /**
     * Closes the sockets of sessions and people whose access changed ('session:…', 'person:…'); each comes back with what
     * its session is worth now. Null, when something was missed: all that had one, who then spread their coming back.
     */
    closeChanged(names: readonly string[] | null) {
      arrivals.note(names)
      for (const name of names ?? []) for (const { socket } of rooms.get(name) ?? []) socket.close(SESSION_CHANGED)
      if (!names) for (const { socket, ownRooms } of members) if (ownRooms > 0) socket.close(CODES.restart)
    },

    get size() {
      return members.size
    },

    /** Asks every client to come back elsewhere (1012 service restart); a silent one is cut after a while. */
    close() {
      clearInterval(heartbeat)
      for (const { socket } of members) socket.close(CODES.restart)
      setTimeout(() => {
        for (const { socket } of members) socket.terminate()
      }, 700).unref()
    },
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
