import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSaver } from './saver.ts'

beforeEach(() => vi.useFakeTimers({ now: Date.UTC(2026, 8, 27) }))
afterEach(() => vi.useRealTimers())

function saving() {
  const began = Date.now()
  const at: number[] = []
  const saver = createSaver(() => at.push(Date.now() - began))
  return { saver, at }
}

test('saves two seconds after a message, once for several', () => {
  const { saver, at } = saving()
  saver.changed()
  vi.advanceTimersByTime(1_500)
  saver.changed()
  vi.advanceTimersByTime(1_999)
  expect(at).toEqual([])
  vi.advanceTimersByTime(1)
  expect(at).toEqual([3_500])
})

test('saves every thirty seconds during continuous changes', () => {
  const { saver, at } = saving()
  for (let second = 0; second < 60; second++) {
    saver.changed()
    vi.advanceTimersByTime(1_000)
  }
  expect(at).toEqual([30_000, 60_000])
})

test('never saves twice within five seconds', () => {
  const { saver, at } = saving()
  saver.changed()
  vi.advanceTimersByTime(2_000)
  saver.changed()
  vi.advanceTimersByTime(20_000)
  expect(at).toEqual([2_000, 7_000])
})

test('does not save without changes', () => {
  const { at } = saving()
  vi.advanceTimersByTime(120_000)
  expect(at).toEqual([])
})

test('saves at once when the page is closed', () => {
  const { saver, at } = saving()
  saver.changed()
  saver.saveNow()
  expect(at).toEqual([0])
  vi.advanceTimersByTime(60_000)
  expect(at).toEqual([0])
})

test('does not save what was discarded', () => {
  const { saver, at } = saving()
  saver.changed()
  saver.forget()
  saver.saveNow()
  saver.end()
  vi.advanceTimersByTime(60_000)
  expect(at).toEqual([])
})
