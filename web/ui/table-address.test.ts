import { expect, test } from 'vitest'
import { addressWith, isFiltered, sortAfter } from './table-address.ts'

const at = (query: string) => new URLSearchParams(query)

test('another filter or order begins on the first page; another page keeps both', () => {
  expect(addressWith(at('search=maria&page=3&sort=name'), { role: 'admin' })).toBe('?role=admin&search=maria&sort=name')
  expect(addressWith(at('search=maria&page=3'), { sort: '-name' })).toBe('?search=maria&sort=-name')
  expect(addressWith(at('search=maria&sort=name'), { page: 2 })).toBe('?page=2&search=maria&sort=name')
  expect(addressWith(at('search=maria&page=2'), { page: 1 })).toBe('?search=maria')
})

test('a filter is taken out by null; what no page reads is no part of a list', () => {
  expect(addressWith(at('search=maria&role=admin&lng=ar&utm=x'), { role: null })).toBe('?search=maria')
})

test('a head turns its own column round and starts another in its first direction', () => {
  expect(sortAfter('name', 'name')).toBe('-name')
  expect(sortAfter('-name', 'name')).toBe('name')
  expect(sortAfter('-name', 'created_at', 'desc')).toBe('-created_at')
  expect(sortAfter(undefined, 'name')).toBe('name')
})

test('order and page are no filters', () => {
  expect(isFiltered(at('sort=name&page=2'), ['search', 'role', 'sort', 'page'])).toBe(false)
  expect(isFiltered(at('search='), ['search'])).toBe(false)
  expect(isFiltered(at('role=admin'), ['search', 'role'])).toBe(true)
})
