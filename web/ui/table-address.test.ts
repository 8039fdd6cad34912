import { expect, test } from 'vitest'
import { addressWith, isFiltered, sortAfter } from './table-address.ts'

const at = (query: string) => new URLSearchParams(query)

test('another filter or sort order resets to page 1; another page keeps both', () => {
  expect(addressWith(at('search=maria&page=3&sort=name'), { role: 'admin' })).toBe('?role=admin&search=maria&sort=name')
  expect(addressWith(at('search=maria&page=3'), { sort: '-name' })).toBe('?search=maria&sort=-name')
  expect(addressWith(at('search=maria&sort=name'), { page: 2 })).toBe('?page=2&search=maria&sort=name')
  expect(addressWith(at('search=maria&page=2'), { page: 1 })).toBe('?search=maria')
})

test('null removes a filter; unknown parameters are dropped', () => {
  expect(addressWith(at('search=maria&role=admin&lng=ar&utm=x'), { role: null })).toBe('?search=maria')
})

test('a header reverses its own column and starts another in its default direction', () => {
  expect(sortAfter('name', 'name')).toBe('-name')
  expect(sortAfter('-name', 'name')).toBe('name')
  expect(sortAfter('-name', 'created_at', 'desc')).toBe('-created_at')
  expect(sortAfter(undefined, 'name')).toBe('name')
})

test('sort order and page are no filters', () => {
  expect(isFiltered(at('sort=name&page=2'), ['search', 'role', 'sort', 'page'])).toBe(false)
  expect(isFiltered(at('search='), ['search'])).toBe(false)
  expect(isFiltered(at('role=admin'), ['search', 'role'])).toBe(true)
})
