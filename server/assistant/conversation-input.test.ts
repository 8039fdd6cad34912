import { expect, test } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { readConversation } from './conversation-input.ts'

const refusal = (body: Parameters<typeof readConversation>[0]) => {
  try {
    readConversation(body)
  } catch (error) {
    if (error instanceof AppError) return [error.status, error.message]
  }
  return null
}

test('the last message of the visitor is the question, earlier messages are its history', () => {
  const messages = [
    { role: 'user' as const, content: 'Where is a church?' },
    { sender: 'assistant' as const, content: 'In which city?' },
    { content: ' In\u202E Tokyo\u0007 ' },
  ]
  expect(readConversation({ messages })).toEqual({
    question: 'In Tokyo',
    history: [
      { sender: 'user', content: 'Where is a church?' },
      { sender: 'assistant', content: 'In which city?' },
    ],
  })
})

test('at most the last ten messages are read', () => {
  const messages = Array.from({ length: 15 }, (_, i) => ({ role: 'user' as const, content: `Message ${i + 1}` }))
  const { question, history } = readConversation({ messages })
  expect(question).toBe('Message 15')
  expect(history.map(({ content }) => content)).toEqual([6, 7, 8, 9, 10, 11, 12, 13, 14].map((n) => `Message ${n}`))
})

test('empty and oversized input is rejected with a clear message', () => {
  const none = [400, 'No messages provided']
  expect(refusal({})).toEqual(none)
  expect(refusal({ messages: [] })).toEqual(none)
  expect(refusal({ message: ' \u0000\u202E ' })).toEqual(none)
  expect(refusal({ messages: [{ role: 'assistant', content: 'Hello' }] })).toEqual(none)
  expect(refusal({ message: 'x'.repeat(2_001) })).toEqual([
    422,
    'Please use at most 2000 characters for your question.',
  ])
  expect(refusal({ message: '😀'.repeat(2_000) })).toBeNull()
})
