import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { byAuthority, countConfirmed, type SourceClock, type SourceStateName, stateOf } from './freshness.ts'

const now = new Date('2026-09-27T16:40:00Z')
const source = (more: Partial<SourceClock> = {}): SourceClock => ({
  is_enabled: true,
  reader: 'us-rss',
  interval_seconds: 300,
  last_attempt_at: '2026-09-27T16:38:00Z',
  last_success_at: '2026-09-27T16:38:00Z',
  error: null,
  captured_on: null,
  ...more,
})

describe('state of a source', () => {
  test.each([
    ['reached two minutes ago', {}, 'confirmed'],
    ['switched off', { is_enabled: false, error: 'HTTP 500' }, 'off'],
    ['written by people', { reader: 'manual', last_success_at: null }, 'manual'],
    ['never reached, from an extract', { last_success_at: null, captured_on: '2026-02-15' }, 'captured'],
    [
      'never reached, extract, last attempt failed',
      { last_success_at: null, captured_on: '2026-02-15', error: 'x' },
      'captured',
    ],
    ['never reached and nothing captured', { last_success_at: null }, 'not_confirmed'],
    ['last attempt failed', { error: 'HTTP 500' }, 'not_confirmed'],
    ['one second before two intervals', { last_success_at: '2026-09-27T16:30:01Z' }, 'confirmed'],
    ['two intervals ago', { last_success_at: '2026-09-27T16:30:00Z' }, 'not_confirmed'],
    ['a success that is no instant', { last_success_at: 'soon' }, 'not_confirmed'],
    ['a clock ahead of ours', { last_success_at: '2026-09-27T16:41:00Z' }, 'confirmed'],
    ['an extract replaced by a real answer', { captured_on: '2026-02-15' }, 'confirmed'],
  ] as const)('%s', (_name, more, state) => expect(stateOf(source(more), now).state).toBe(state))

  test('says since when, from SQL dates as from JSON text', () => {
    const at = '2026-09-27T14:10:00.000Z'
    expect(stateOf(source({ last_success_at: at }), now).not_confirmed_since).toEqual(new Date(at))
    expect(stateOf(source({ last_success_at: new Date(at) }), now).not_confirmed_since).toEqual(new Date(at))
    expect(stateOf(source({ last_success_at: null, error: 'x' }), now).not_confirmed_since).toBeNull()
  })

  test('holds until valid_until and not a moment longer', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4000 }), fc.integer({ min: 60, max: 3600 }), (age, interval_seconds) => {
        const row = source({ interval_seconds, last_success_at: new Date(now.getTime() - age * 1000) })
        const { state, valid_until } = stateOf(row, now)
        if (state !== 'confirmed') return valid_until === null && age >= 2 * interval_seconds
        const end = valid_until!
        return (
          end > now &&
          stateOf(row, new Date(end.getTime() - 1)).state === 'confirmed' &&
          stateOf(row, end).state === 'not_confirmed'
        )
      }),
    )
  })
})

describe('several feeds of one authority are one source to the reader', () => {
  const feeds = (...states: [string, SourceStateName][]) => states.map(([authority, state]) => ({ authority, state }))

  test('the best of them speaks', () => {
    expect(byAuthority(feeds(['us', 'not_confirmed'], ['uk', 'captured'], ['us', 'confirmed'], ['au', 'off']))).toEqual(
      feeds(['us', 'confirmed'], ['uk', 'captured']),
    )
  })

  test('only what could be confirmed is counted', () => {
    const all = feeds(
      ['a', 'confirmed'],
      ['a', 'not_confirmed'],
      ['b', 'confirmed'],
      ['c', 'not_confirmed'],
      ['d', 'captured'],
      ['e', 'manual'],
      ['f', 'off'],
    )
    expect(countConfirmed(all)).toEqual({ confirmed: 2, total: 4 })
  })
})
