import { expect, test } from 'vitest'
import { answer, beginsGroup, question } from './messages.ts'

const at = (minute: number) => `2026-09-27T16:${String(minute).padStart(2, '0')}:00.000Z`
const questionAt = (id: string, minute: number) => question(id, id, at(minute))
const answerAt = (id: string, minute: number) => answer(id, { content: id, timestamp: at(minute), replyTo: null }, null)

test('consecutive messages of one sender within a short time form a group', () => {
  const messages = [questionAt('a', 0), questionAt('b', 1), answerAt('c', 1), answerAt('d', 2), answerAt('e', 20)]
  expect(messages.map((_, i) => beginsGroup(messages, i, true))).toEqual([true, false, true, false, true])
})

test('without grouping each message is separate', () => {
  const messages = [questionAt('a', 0), questionAt('b', 0)]
  expect(messages.map((_, i) => beginsGroup(messages, i, false))).toEqual([true, true])
})
