import { expect, test } from 'vitest'
import { addressOf, readChoice, typeKey } from './list-address.ts'

const read = (query: string) => readChoice(new URLSearchParams(query))

test('a URL defines what is shown, and a changed filter resets to page 1', () => {
  const choice = read('status=unread&type=advisory&page=3')
  expect(choice).toEqual({ isUnreadOnly: true, type: 'advisory', page: 3 })
  expect(addressOf(choice, { page: 4 })).toBe('?status=unread&type=advisory&page=4')
  expect(addressOf(choice, { isUnreadOnly: false })).toBe('?type=advisory')
  expect(addressOf(read(''))).toBe('?')
})

test('any URL opens the list', () => {
  for (const page of ['0', '-1', '1e9', '99999', 'x', '']) expect(read(`page=${page}`).page).toBe(1)
  expect(read(`type=${'x'.repeat(500)}`).type).toHaveLength(60)
})

test('a type without a label of its own is about the account', () => {
  expect(typeKey('advisory')).toBe('type_advisory')
  expect(typeKey('account-role')).toBe('type_account')
})
