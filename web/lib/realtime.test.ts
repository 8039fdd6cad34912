import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { SESSION_CHANGED } from '#shared/realtime.ts'
import { advisoryDelay, platformDelay, Realtime, type Socket } from './realtime.ts'

class FakeSocket implements Socket {
  static all: FakeSocket[] = []
  readyState = 0
  sent: { type: string; room?: string; ref: number }[] = []
  onopen: Socket['onopen'] = null
  onclose: Socket['onclose'] = null
  onmessage: Socket['onmessage'] = null
  constructor() {
    FakeSocket.all.push(this)
  }
  open() {
    this.readyState = 1
    this.onopen?.(new Event('open'))
  }
  send(text: string) {
    this.sent.push(JSON.parse(text))
  }
  close(code = 1006) {
    this.readyState = 3
    this.onclose?.(new CloseEvent('close', { code }))
  }
  receive(message: object) {
    this.onmessage?.(new MessageEvent('message', { data: JSON.stringify(message) }))
  }
  /** Replies to everything sent so far. */
  replyAll(ok = true) {
    for (const { ref } of this.sent.splice(0)) this.receive({ type: 'reply', ref, ok })
  }
}

const latest = () => FakeSocket.all.at(-1)!
const open = (delay: (attempt: number) => number | null = advisoryDelay) => {
  const realtime = new Realtime({
    address: '/api/realtime',
    delay,
    spread: () => 0,
    Socket: FakeSocket,
  })
  return realtime
}

beforeEach(() => {
  vi.useFakeTimers()
  FakeSocket.all = []
})
afterEach(() => vi.useRealTimers())

describe('reconnecting', () => {
  test('advisories: 1 s doubled five times, then error; platform: 1, 2, 5, 10, 10 … s', () => {
    expect([0, 1, 2, 3, 4, 5].map(advisoryDelay)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, null])
    expect([0, 1, 2, 3, 4, 50].map(platformDelay)).toEqual([1_000, 2_000, 5_000, 10_000, 10_000, 10_000])
  })

  test('statuses: reconnecting, connected, and error after the last attempt; waking starts over', () => {
    const realtime = open()
    const seen: string[] = []
    realtime.onStatus((status) => seen.push(status))
    latest().open()
    latest().close()
    for (const wait of [1_000, 2_000, 4_000, 8_000, 16_000]) {
      const before = FakeSocket.all.length
      vi.advanceTimersByTime(wait - 1)
      expect(FakeSocket.all).toHaveLength(before)
      vi.advanceTimersByTime(1)
      expect(FakeSocket.all).toHaveLength(before + 1)
      latest().close()
    }
    expect(seen).toEqual(['connected', 'reconnecting', 'error'])
    vi.advanceTimersByTime(100_000)
    expect(FakeSocket.all).toHaveLength(6)
    realtime.wake()
    latest().open()
    expect(realtime.status).toBe('connected')
  })

  test('a message from the server, not just a handshake, resets the count', () => {
    open()
    latest().open()
    latest().close()
    vi.advanceTimersByTime(1_000)
    latest().open()
    latest().close()
    vi.advanceTimersByTime(1_999)
    expect(FakeSocket.all).toHaveLength(2)
    vi.advanceTimersByTime(1)
    latest().open()
    latest().receive({ type: 'reply', ref: 0, ok: true })
    latest().close()
    vi.advanceTimersByTime(1_000)
    expect(FakeSocket.all).toHaveLength(4)
  })

  test('closed because the session changed, it reconnects at once with its rooms, and that does not count as a failure', () => {
    const realtime = open()
    realtime.listen('advisories', () => {})
    latest().open()
    latest().replyAll()
    latest().close(SESSION_CHANGED)
    vi.advanceTimersByTime(0)
    expect(FakeSocket.all).toHaveLength(2)
    latest().open()
    expect(latest().sent.map(({ room }) => room)).toEqual(['advisories'])
    latest().close()
    vi.advanceTimersByTime(1_000)
    expect(FakeSocket.all).toHaveLength(3)
  })

  test('stays closed after an explicit close', () => {
    const realtime = open()
    latest().open()
    realtime.close()
    vi.advanceTimersByTime(100_000)
    expect(FakeSocket.all).toHaveLength(1)
  })
})

describe('heartbeat', () => {
  test('every 25 s; without a reply by the next one the socket is dropped', () => {
    open()
    latest().open()
    vi.advanceTimersByTime(25_000)
    expect(latest().sent.map(({ type }) => type)).toEqual(['heartbeat'])
    latest().replyAll()
    vi.advanceTimersByTime(25_000)
    expect(latest().readyState).toBe(1)
    vi.advanceTimersByTime(25_000)
    expect(FakeSocket.all[0]!.readyState).toBe(3)
  })
})

describe('channels', () => {
  test('closed, joining, joined, leaving, closed', () => {
    const realtime = open()
    expect(realtime.stateOf('advisories')).toBe('closed')
    latest().open()
    const leave = realtime.listen('advisories', () => {})
    expect(realtime.stateOf('advisories')).toBe('joining')
    expect(latest().sent).toMatchObject([{ type: 'join', room: 'advisories' }])
    latest().replyAll()
    expect(realtime.stateOf('advisories')).toBe('joined')
    leave()
    expect(realtime.stateOf('advisories')).toBe('leaving')
    expect(latest().sent).toMatchObject([{ type: 'leave', room: 'advisories' }])
    latest().replyAll()
    expect(realtime.stateOf('advisories')).toBe('closed')
  })

  test('a rejection and a lost connection are errored; after reconnecting they are joined again', () => {
    const realtime = open()
    realtime.listen('nonsense', () => {})
    latest().open()
    latest().replyAll(false)
    expect(realtime.stateOf('nonsense')).toBe('errored')
    realtime.listen('advisories', () => {})
    latest().replyAll()
    latest().close()
    expect(realtime.stateOf('advisories')).toBe('errored')
    vi.advanceTimersByTime(1_000)
    latest().open()
    latest().replyAll()
    expect(realtime.stateOf('advisories')).toBe('joined')
  })

  test('a socket opened before sign-in is reopened once, to receive inbox events', () => {
    const realtime = open()
    latest().open()
    realtime.listen('own', () => {})
    latest().replyAll(false)
    vi.advanceTimersByTime(1_000)
    expect(FakeSocket.all).toHaveLength(2)
    latest().open()
    latest().replyAll(false)
    vi.advanceTimersByTime(20_000)
    expect(FakeSocket.all).toHaveLength(2)
    expect(realtime.stateOf('own')).toBe('errored')
  })

  test('one join for several listeners; the last one to stop leaves', () => {
    const realtime = open()
    latest().open()
    const first = realtime.listen('advisories', () => {})
    const second = realtime.listen('advisories', () => {})
    first()
    second()
    second()
    expect(latest().sent.map(({ type }) => type)).toEqual(['join', 'leave'])
  })

  test('listening again while leaving rejoins', () => {
    const realtime = open()
    latest().open()
    realtime.listen('advisories', () => {})()
    realtime.listen('advisories', () => {})
    latest().replyAll()
    expect(realtime.stateOf('advisories')).toBe('joined')
  })

  test('tables with an equality filter, countries, role', () => {
    const realtime = open()
    latest().open()
    realtime.onTableChange('travel_advisories', () => {})
    realtime.onTableChange('travel_advisories', () => {}, { column: 'id', equals: '42' })
    realtime.onCountry('JP', () => {})()
    realtime.joinRole()
    expect(latest().sent.map(({ ref, ...message }) => message)).toEqual([
      { type: 'join', room: 'table:travel_advisories' },
      { type: 'join', room: 'table:travel_advisories:id=eq.42' },
      { type: 'subscribe_country', country: 'JP' },
      { type: 'unsubscribe_country', country: 'JP' },
      { type: 'join_role' },
    ])
  })

  test('an event reaches the listeners of its room only', () => {
    const realtime = open()
    latest().open()
    const heard: string[] = []
    realtime.listen('advisories', ({ event }) => heard.push(event))
    realtime.onCountry('JP', ({ event }) => heard.push(event))
    latest().receive({ type: 'event', event: 'travel_advisory_update', room: 'advisories', payload: { id: '1' } })
    latest().receive({ type: 'event', event: 'x', room: 'elsewhere', payload: {} })
    latest().onmessage?.(new MessageEvent('message', { data: 'not json' }))
    expect(heard).toEqual(['travel_advisory_update'])
  })
})

test('ten per second in each direction, the rest queued in order', () => {
  const realtime = open()
  latest().open()
  for (let i = 0; i < 15; i++) realtime.listen(`country:${i}`, () => {})
  expect(latest().sent).toHaveLength(10)
  vi.advanceTimersByTime(1_000)
  expect(latest().sent).toHaveLength(15)
  latest().replyAll()
  const heard: number[] = []
  realtime.listen('advisories', ({ payload }) => heard.push(payload.n as number))
  vi.advanceTimersByTime(1_000)
  for (let n = 0; n < 25; n++) latest().receive({ type: 'event', event: 'e', room: 'advisories', payload: { n } })
  expect(heard).toHaveLength(10)
  vi.advanceTimersByTime(2_000)
  expect(heard).toEqual(Array.from({ length: 25 }, (_, n) => n))
})
