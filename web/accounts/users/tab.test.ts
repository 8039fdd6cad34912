import { expect, test } from 'vitest'
import { tabOf } from './tab.ts'

test.each([
  ['', 'new'],
  ['page=2&sort=created_at', 'new'],
  ['tab=new&country=JP', 'new'],
  ['suggested=yes', 'new'],
  ['search=maria', 'all'],
  ['role=admin', 'all'],
  ['tab=flagged&search=maria', 'flagged'],
  ['tab=nonsense', 'new'],
])('the URL ?%s shows the tab %s of the list', (query, tab) => {
  expect(tabOf(new URLSearchParams(query))).toBe(tab)
})
