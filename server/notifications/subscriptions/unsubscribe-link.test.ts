import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { KINDS } from '#shared/delivery/kinds.ts'
import { createUnsubscribeLinks } from './unsubscribe-link.ts'

const links = createUnsubscribeLinks('a secret of at least thirty-two characters')
const userId = randomUUID()
const subscriptionId = randomUUID()

test('a link identifies user and kind, and is deterministic', () => {
  for (const kind of KINDS)
    for (const payload of [
      { userId, kind },
      { userId, kind, subscriptionId },
    ]) {
      expect(links.read(links.sign(payload))).toEqual(payload)
      expect(links.sign(payload)).toBe(links.sign(payload))
    }
})

test('a link that was modified, truncated, extended or made by another portal is rejected', () => {
  const token = links.sign({ userId, kind: 'advisory' })
  for (let i = 0; i < token.length; i++) {
    const other = token[i] === 'A' ? 'B' : 'A'
    expect(links.read(token.slice(0, i) + other + token.slice(i + 1))).toBeUndefined()
  }
  const foreign = createUnsubscribeLinks('another secret of at least thirty-two').sign({ userId, kind: 'advisory' })
  for (const wrong of [token.slice(0, -1), `${token}A`, `${token}=`, '', 'ä', 'x'.repeat(5_000), foreign])
    expect(links.read(wrong)).toBeUndefined()
})

test('signs the links of a hundred thousand mails in moments', () => {
  const before = process.cpuUsage()
  for (let i = 0; i < 100_000; i++) links.sign({ userId, kind: 'advisory', subscriptionId })
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(3_000)
})
