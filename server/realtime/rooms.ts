import type { WebSocket } from 'ws'

const OPEN = 1
/** A client that holds more than this unsent is too slow: it is closed and comes back when it can. */
const MOST_UNSENT_BYTES = 256 * 1024
const MOST_ROOMS = 50
const HEARTBEAT_MS = 25_000
/** 001 §9: ten events a second. */
const MOST_MESSAGES_A_SECOND = 10

/** What a client may ask to hear: everything public about advisories, one country, one row of an allowed table. */
const ROOM = /^(advisories|country:[A-Z]{2}|table:(travel_advisories|advisory_sources)(:id=eq\.[a-z0-9-]{1,60})?)$/

interface Member {
  socket: WebSocket
  rooms: Set<string>
  role: string | null
  isAlive: boolean
  second: number
  messages: number
}

export type Rooms = ReturnType<typeof createRooms>

/** Open sockets and the rooms they listen in. A room is joined by its name; which names a person may join is decided here. */
export function createRooms() {
  const members = new Set<Member>()
  const rooms = new Map<string, Set<Member>>()

  const heartbeat = setInterval(() => {
    for (const member of members) {
      if (!member.isAlive) member.socket.terminate()
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

  function receive(member: Member, text: string) {
    const second = Math.floor(Date.now() / 1000)
    member.messages = member.second === second ? member.messages + 1 : 1
    member.second = second
    const message = parse(text)
    const reply = (ok: boolean, error?: string) =>
      send(member, JSON.stringify({ type: 'reply', ref: message?.ref, ok, ...(error ? { error } : {}) }))
    if (!message) return reply(false, 'Not a message this server knows.')
    if (member.messages > MOST_MESSAGES_A_SECOND) return reply(false, 'Too many messages in one second.')
    const room = roomOf(message)
    switch (message.type) {
      case 'heartbeat':
        return reply(true)
      case 'join':
      case 'subscribe_country':
        if (!room || !ROOM.test(room)) return reply(false, 'There is no such room.')
        if (member.rooms.size >= MOST_ROOMS) return reply(false, `At most ${MOST_ROOMS} rooms.`)
        join(member, room)
        return reply(true)
      case 'leave':
      case 'unsubscribe_country':
        if (room) leave(member, room)
        return reply(true)
      case 'join_role':
        // The role is the session's; what the client says of itself does not matter (F-36).
        if (!member.role) return reply(false, 'Nobody is signed in.')
        join(member, `role:${member.role}`)
        return reply(true)
      default:
        return reply(false, 'Not a message this server knows.')
    }
  }

  return {
    /** Takes a connected socket; its role comes from the session that opened it. */
    enter(socket: WebSocket, role: string | null) {
      const member: Member = { socket, rooms: new Set(), role, isAlive: true, second: 0, messages: 0 }
      members.add(member)
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

    /** Tells everybody in the room; the payload says what changed, never what it holds. */
    tell(room: string, event: string, payload: Record<string, unknown>) {
      const listening = rooms.get(room)
      if (!listening) return
      const text = JSON.stringify({ type: 'event', event, room, payload })
      for (const member of listening) send(member, text)
    },

    get size() {
      return members.size
    },

    /** Asks every client to come back elsewhere (1012 service restart); a silent one is cut after a while. */
    close() {
      clearInterval(heartbeat)
      for (const { socket } of members) socket.close(1012)
      setTimeout(() => {
        for (const { socket } of members) socket.terminate()
      }, 700).unref()
    },
  }
}

function send(member: Member, text: string) {
  if (member.socket.readyState !== OPEN) return
  if (member.socket.bufferedAmount > MOST_UNSENT_BYTES) member.socket.terminate()
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
