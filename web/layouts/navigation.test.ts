import { expect, test } from 'vitest'
import { isChat, isCurrent, NAVIGATION } from './navigation.ts'

// Later capabilities add their item; the order must be preserved.
const ORDER = ['/', '/travel-advisories', '/travel-faq', '/church-locator', '/pdos-register', '/inquiries', '/ai-chat']

test('keeps the order of the specification', () => {
  const places = NAVIGATION.map(({ to }) => ORDER.indexOf(to))
  expect(places).not.toContain(-1)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})

test.each([
  ['/', ['/']],
  ['/travel-advisories/sources', ['/travel-advisories']],
  ['/countries/JP', ['/travel-advisories']],
  ['/travel-faq', ['/travel-faq']],
  ['/church-locator/0f8fad5b-d9cb-469f-a165-70867728950e', ['/church-locator']],
  ['/support', []],
])('on %s the current items are %j', (path, current) => {
  expect(NAVIGATION.filter((item) => isCurrent(item, path)).map(({ to }) => to)).toEqual(current)
})

test('ticker and footer are hidden in the chat and nowhere else', () => {
  expect(['/ai-chat', '/ai-chat/x', '/ai-chatter', '/'].map(isChat)).toEqual([true, true, false, false])
})
