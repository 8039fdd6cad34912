import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  byAuthority,
  countConfirmed,
  isAnythingRead,
  readingOf,
  type SourceClock,
  type SourceStateName,
  sourceForAdvisory,
  stateOf,
} from './freshness.ts'

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

  test('reports since when it has not been confirmed, from SQL dates and from JSON text', () => {
    const at = '2026-09-27T14:10:00.000Z'
    expect(stateOf(source({ last_success_at: at }), now).not_confirmed_since).toEqual(new Date(at))
    expect(stateOf(source({ last_success_at: new Date(at) }), now).not_confirmed_since).toEqual(new Date(at))
    expect(stateOf(source({ last_success_at: null, error: 'x' }), now).not_confirmed_since).toBeNull()
  })

  test('is valid until valid_until and no longer', () => {
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

describe('reading of a source', () => {
  const reading = (more: Partial<SourceClock>) => readingOf(stateOf(source(more), now), source(more))
  const never = { last_success_at: null }

  test.each([
    ['reached two minutes ago', {}, 'confirmed'],
    ['reached once, then no answer', { error: 'HTTP 500' }, 'late'],
    ['reached once, too long ago', { last_success_at: '2026-09-27T10:00:00Z' }, 'late'],
    ['never asked', { ...never, last_attempt_at: null }, 'not_read'],
    ['being asked for the first time', never, 'not_read'],
    ['asked, and it failed', { ...never, error: 'HTTP 500' }, 'failed'],
    ['a copy, and the source failed', { ...never, captured_on: '2026-02-15', error: 'HTTP 500' }, 'copy'],
    ['written by people', { ...never, reader: 'manual' }, 'manual'],
    ['switched off', { ...never, is_enabled: false }, 'off'],
  ] as const)('%s', (_, more, expected) => expect(reading(more)).toBe(expected))

  test('nothing is known until one source was read; manual and switched-off sources do not count', () => {
    const known = (...readings: Parameters<typeof isAnythingRead>[0][number]['reading'][]) =>
      isAnythingRead(readings.map((reading) => ({ reading })))
    expect(known()).toBe(false)
    expect(known('not_read', 'failed', 'manual', 'off')).toBe(false)
    for (const reading of ['confirmed', 'late', 'copy'] as const) expect(known('failed', reading)).toBe(true)
  })

  test('an advisory from a snapshot is not confirmed with its source; a late source stays late', () => {
    const confirmed = { state: 'confirmed', reading: 'confirmed', captured_on: null } as const
    const late = { state: 'not_confirmed', reading: 'late', captured_on: null } as const
    expect(sourceForAdvisory(confirmed, { captured_on: null })).toBe(confirmed)
    expect(sourceForAdvisory(late, { captured_on: '2026-05-20' })).toBe(late)
    expect(sourceForAdvisory(confirmed, { captured_on: '2026-05-20' })).toEqual({
      state: 'captured',
      reading: 'copy',
      captured_on: '2026-05-20',
    })
  })
})

describe('several feeds of one authority appear to the reader as one source', () => {
  const feeds = (...states: [string, SourceStateName][]) => states.map(([authority, state]) => ({ authority, state }))

  test('the best feed represents the authority', () => {
    expect(byAuthority(feeds(['us', 'not_confirmed'], ['uk', 'captured'], ['us', 'confirmed'], ['au', 'off']))).toEqual(
      feeds(['us', 'confirmed'], ['uk', 'captured']),
    )
  })

  test('counts only feeds that can be confirmed', () => {
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
