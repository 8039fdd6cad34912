import { expect, test } from 'vitest'
import type { ShownRow } from './shown-rows.server.ts'
import { steadyRows } from './steady-rows.ts'

const row = (id: string, content: string) => ({ id, content, isSpeaking: content !== '' }) as ShownRow
const shown = (rows: ReturnType<typeof steadyRows>) => rows.map(({ row, hasChanged }) => [row.id, hasChanged])

test('rows stay where they are when what a source says changes, and are marked', () => {
  const first = steadyRows([], [row('uk', 'warning'), row('us', 'caution'), row('ca', '')])
  expect(shown(first)).toEqual([
    ['uk', false],
    ['us', false],
    ['ca', false],
  ])
  const second = steadyRows(first, [row('ca', 'emergency'), row('us', 'critical'), row('uk', 'warning')])
  expect(shown(second)).toEqual([
    ['uk', false],
    ['us', true],
    ['ca', true],
  ])
  // Marked until the page is left, although nothing changed since.
  expect(shown(steadyRows(second, [row('us', 'critical'), row('uk', 'warning'), row('ca', 'emergency')]))).toEqual(
    shown(second),
  )
})

test('a source that is new comes last and is marked if it speaks', () => {
  const first = steadyRows([], [row('uk', 'warning')])
  expect(shown(steadyRows(first, [row('us', 'emergency'), row('uk', 'warning'), row('de', '')]))).toEqual([
    ['uk', false],
    ['us', true],
    ['de', false],
  ])
})
