import { expect, test } from 'vitest'
import { recordLinks } from './records.ts'

test('what an answer rested on is a link to where it can be looked at and changed', () => {
  expect(recordLinks(['fact:pdos.validity', 'country:JP', 'faq:lost-passport'])).toEqual([
    { kind: 'fact', to: '/admin/assistant/facts/pdos.validity' },
    { kind: 'country', to: '/countries/JP' },
    { kind: 'faq', to: '/travel-faq#lost-passport' },
  ])
})

test('records of a person, and what is no record, lead nowhere', () => {
  expect(recordLinks(['own:profile', 'constructor:x', 'fact', ''])).toEqual([])
})
