import { expect, test } from 'vitest'
import { createHashQueue } from './hash-queue.ts'

const rest = (queue: ReturnType<typeof createHashQueue<string>>) => {
  const taken: string[] = []
  for (let item = queue.take(); item; item = queue.take()) taken.push(item)
  return taken.join(' ')
}

test('a key with many items does not delay the others', () => {
  const queue = createHashQueue<string>()
  for (const item of ['a1', 'a2', 'a3', 'a4']) queue.add(item, { key: 'a', isKnown: false })
  queue.add('b1', { key: 'b', isKnown: false })
  queue.add('c1', { key: 'c', isKnown: false })
  expect(rest(queue)).toBe('a1 b1 c1 a2 a3 a4')
})

test('known callers come before strangers, who get every fourth turn', () => {
  const queue = createHashQueue<string>()
  for (const item of ['s1', 's2']) queue.add(item, { key: 'a', isKnown: false })
  for (const item of ['k1', 'k2', 'k3', 'k4']) queue.add(item, { key: 'k', isKnown: true })
  expect(rest(queue)).toBe('k1 k2 k3 s1 k4 s2')
})

test('one key cannot fill the queue and leaves room for the others', () => {
  const queue = createHashQueue<string>()
  const added = Array.from({ length: 500 }, (_, at) => queue.add(String(at), { key: 'a', isKnown: false }))
  expect(added.filter(Boolean)).toHaveLength(400)
  expect(queue.add('other', { key: 'b', isKnown: false })).toBe(true)
})
