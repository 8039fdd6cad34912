import { expect, test } from 'vitest'
import { answer, beginsGroup, question } from './messages.ts'

const at = (minute: number) => `2026-09-27T16:${String(minute).padStart(2, '0')}:00.000Z`
const asked = (id: string, minute: number) => question(id, id, at(minute))
const told = (id: string, minute: number) => answer(id, { content: id, timestamp: at(minute), replyTo: null }, null)

test('messages of one sender that follow each other soon are a group', () => {
  const messages = [asked('a', 0), asked('b', 1), told('c', 1), told('d', 2), told('e', 20)]
  expect(messages.map((_, i) => beginsGroup(messages, i, true))).toEqual([true, false, true, false, true])
})

test('without grouping each one stands for itself', () => {
  const messages = [asked('a', 0), asked('b', 0)]
  expect(messages.map((_, i) => beginsGroup(messages, i, false))).toEqual([true, true])
})
