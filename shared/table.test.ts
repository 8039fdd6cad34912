import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { MAX_PER_PAGE, pagesOf, rowsOf, sortBy, sortOf, TABLE_QUERY, tableQuery } from './table.ts'

const UserQuery = z.strictObject({
  ...TABLE_QUERY,
  sort: sortBy(['created_at', 'name'], '-created_at'),
  role: z.enum(['admin', 'member']).optional(),
})

test('a list without parameters starts on its first page in its default order', () => {
  expect(UserQuery.parse({})).toEqual({ search: '', page: 1, per_page: 50, sort: '-created_at' })
})

test('sorts by a column and a direction, and rejects an unknown column', () => {
  expect(sortOf('-created_at')).toEqual({ column: 'created_at', direction: 'desc' })
  expect(sortOf('name')).toEqual({ column: 'name', direction: 'asc' })
  for (const sort of ['password', '--name', 'name; drop table', '-', ''])
    expect(UserQuery.safeParse({ sort }).success).toBe(false)
})

test('rejects more rows than a page may hold', () => {
  expect(UserQuery.safeParse({ per_page: String(MAX_PER_PAGE) }).success).toBe(true)
  for (const per_page of ['0', '-5', '201', '1e9', 'all', '1.5'])
    expect(UserQuery.safeParse({ per_page }).success).toBe(false)
  expect(rowsOf({ page: 3, per_page: 50 })).toEqual({ limit: 50, offset: 100 })
  expect(pagesOf({ total: 0, per_page: 50 })).toBe(1)
  expect(pagesOf({ total: 101, per_page: 50 })).toBe(3)
})

test('keeps the parameters the list understands and drops the rest', () => {
  const params = new URLSearchParams('search= maria &role=king&sort=-name&page=two&user=5&lng=ar')
  expect(tableQuery(UserQuery, params)).toEqual({ search: 'maria', sort: '-name' })
})

test('any query string gives a valid list request', () => {
  const name = fc.oneof(fc.constantFrom('search', 'page', 'per_page', 'sort', 'role', '__proto__'), fc.string())
  fc.assert(
    fc.property(fc.array(fc.tuple(name, fc.string({ unit: 'binary' }))), (pairs) => {
      expect(UserQuery.safeParse(tableQuery(UserQuery, new URLSearchParams(pairs))).success).toBe(true)
    }),
  )
})
