export type ChannelState = 'closed' | 'joining' | 'joined' | 'errored' | 'leaving'

export interface RealtimeEvent {
  event: string
  room: string
  payload: Record<string, unknown>
}
export type Handler = (event: RealtimeEvent) => void

/** Messages to join and leave a room. */
export interface RoomMessages {
  join: Record<string, unknown>
  leave: Record<string, unknown>
}

/** One room of the socket, with its listeners. */
export class Channel {
  state: ChannelState = 'closed'
  readonly joining: Record<string, unknown>
  readonly handlers = new Set<Handler>()

  constructor(joining: Record<string, unknown>) {
    this.joining = joining
  }

  emit(event: RealtimeEvent) {
    for (const handler of this.handlers) handler(event)
  }
}

/** Messages from the server. */
export type Message =
  | { type: 'reply'; ref: number; ok: boolean }
  | ({ type: 'event'; ref?: never; ok?: never } & RealtimeEvent)

export function parse(text: string): Message | undefined {
  try {
    const message = JSON.parse(text)
    return typeof message === 'object' && message !== null ? message : undefined
  } catch {
    return undefined
  }
}
