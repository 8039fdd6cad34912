import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { isListenedEvent, LISTENED_EVENTS } from './events.ts'
import { fetchLimit, loadTicker, lookOf } from './ticker-state.ts'

const item = {
  id: '1',
  severity_level: 'info' as const,
  is_urgent: false,
  text: 'Japan',
  country_codes: ['JP'],
  confirmed: true,
}
const content = { items: [item], not_confirmed: [] }

describe('state of the ticker', () => {
  test.each([
    ['loading', { content: null, problem: null }, true],
    ['error', { content: null, problem: 'Network error' }, true],
    ['empty', { content: { items: [], not_confirmed: ['Germany'] }, problem: null }, true],
    ['static', { content, problem: null }, false],
    ['scrolling', { content, problem: null }, true],
    ['scrolling', { content, problem: 'a later failure keeps what was read' }, true],
  ] as const)('%s', (look, state, mayMove) => expect(lookOf(structuredClone(state) as never, mayMove)).toBe(look))
})

describe('loading', () => {
  const fetched = vi.fn<(address: string) => Promise<Response>>()
  beforeEach(() => vi.stubGlobal('fetch', fetched))
  afterEach(() => vi.unstubAllGlobals())

  test('requests twice the number shown; 10 by default', async () => {
    expect([fetchLimit(), fetchLimit(12)]).toEqual([20, 24])
    fetched.mockImplementation(async () => Response.json({ success: true, ...content }))
    await loadTicker('en')
    expect(fetched.mock.lastCall?.[0]).toBe('/api/public/ticker?limit=20&lng=en')
  })

  test('concurrent callers share one fetch', async () => {
    fetched.mockReset().mockImplementation(async () => Response.json({ success: true, ...content }))
    const [a, b] = await Promise.all([loadTicker('en', 12), loadTicker('en', 12)])
    expect(fetched).toHaveBeenCalledTimes(1)
    expect(a).toBe(b)
    await loadTicker('en', 12)
    expect(fetched).toHaveBeenCalledTimes(2)
  })
})

test('listens for the nine events and no other', () => {
  expect(LISTENED_EVENTS).toHaveLength(9)
  expect(isListenedEvent('newsdata_urgent')).toBe(true)
  expect(isListenedEvent('chat_message')).toBe(false)
})
