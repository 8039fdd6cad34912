import { expect, test } from 'vitest'
import { recordLinks } from './records.ts'

test('a record used by an answer links to where it can be viewed and edited', () => {
  expect(recordLinks(['fact:pdos.validity', 'country:JP', 'faq:lost-passport'])).toEqual([
    { kind: 'fact', to: '/admin/assistant/facts/pdos.validity' },
    { kind: 'country', to: '/countries/JP' },
    { kind: 'faq', to: '/travel-faq#lost-passport' },
  ])
})

test("a user's own records, and anything that is no record, have no link", () => {
  expect(recordLinks(['own:profile', 'constructor:x', 'fact', ''])).toEqual([])
})
