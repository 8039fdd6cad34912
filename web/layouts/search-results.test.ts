import { expect, test } from 'vitest'
import { markedPieces } from './search-results.ts'

const marked = (text: string, search: string) =>
  markedPieces(text, search)
    .map((piece) => (piece.isMatch ? `[${piece.text}]` : piece.text))
    .join('')

test.each([
  ['Doha, Qatar', 'doha', '[Doha], Qatar'],
  ['Doha, Qatar', 'qat doh', '[Doh]a, [Qat]ar'],
  ['كنيسة الدوحة', 'الدوحة', 'كنيسة [الدوحة]'],
  ['a.b (c) [d]', '. ( [', 'a[.]b [(]c) [[]d]'],
  ['Doha', '   ', 'Doha'],
  ['', 'x', ''],
])('%s with %s is %s', (text, search, expected) => {
  expect(marked(text, search)).toBe(expected)
})
