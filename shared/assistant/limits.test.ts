import fc from 'fast-check'
import { expect, test } from 'vitest'
import { titleOf } from './limits.ts'

test('uses up to 50 characters unchanged as the title', () => {
  expect(titleOf('a'.repeat(49))).toBe('a'.repeat(49))
  expect(titleOf('b'.repeat(50))).toBe('b'.repeat(50))
  expect(titleOf('  Where\n is   it? ')).toBe('Where is it?')
})

test('cuts longer text at a word after the 20th character, with an ellipsis', () => {
  expect(titleOf(`Where is a church near the King Fahd hospital in Riyadh`)).toBe(
    'Where is a church near the King Fahd hospital in…',
  )
  expect(titleOf('c'.repeat(51))).toBe(`${'c'.repeat(49)}…`)
  expect(titleOf(`Short ${'d'.repeat(60)}`)).toBe(`Short ${'d'.repeat(43)}…`)
})

test('no title is empty, longer than 50 characters, or cut within a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), (text) => {
      const title = titleOf(text)
      expect([...title].length).toBeLessThanOrEqual(50)
      expect(title).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/)
    }),
  )
})
