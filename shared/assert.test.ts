import { expect, test } from 'vitest'
import { firstOf, lastOf, present } from './assert.ts'

test('passes a value through, also a falsy one', () => {
  expect(present(0, 'a number')).toBe(0)
  expect(present('', 'a text')).toBe('')
  expect([firstOf([1, 2]), lastOf([1, 2])]).toEqual([1, 2])
})

test('names what is missing', () => {
  expect(() => present(undefined, 'the account')).toThrow('Expected the account, found none')
  expect(() => present(null, 'the account')).toThrow('Expected the account')
  expect(() => firstOf([])).toThrow('Expected a first item')
  expect(() => lastOf([])).toThrow('Expected a last item')
})
