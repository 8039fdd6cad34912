import fc from 'fast-check'
import { compiler } from 'markdown-to-jsx/html'
import { expect, test } from 'vitest'
import { escapeMarkdown, isolate, safeUrl, singleLine, withoutControls } from './markdown.ts'

/** As rendered on a page. */
const shown = (markdown: string) => compiler(markdown).replace(/^<p>(.*)<\/p>$/s, '$1')
const asText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const LIVE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '[click](javascript:alert(1))',
  '![i](https://evil.example/?q=secret)',
  '<https://evil.example>',
  'https://evil.example/x and www.evil.example and a@b.co',
  '**bold** _it_ `code` ~~gone~~ ==mark== $x$',
  '1. one',
  '1) one',
  '- item',
  '+ item',
  '# heading',
  '> quote',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  '```js\nalert(1)\n```',
  '&lt;b&gt; &#60;i&#62;',
  '[^1]: foot',
  'C:\\dir\\*',
  '---',
  '===',
]

test('nothing in the text of a record is live: a page shows it literally', () => {
  for (const text of LIVE) {
    expect(shown(`- **${escapeMarkdown(text)}** x`)).toBe(
      `<ul><li><strong>${asText(singleLine(text))}</strong> x</li></ul>`,
    )
    expect(shown(`- ${escapeMarkdown(text)}`)).toBe(`<ul><li>${asText(singleLine(text))}</li></ul>`)
  }
})

test('the same holds for any text', () => {
  const piece = fc.oneof(fc.constantFrom(...LIVE, '<', '](', '**', '`', '\\', '&', '://', 'http'), fc.string())
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const text = pieces.join('')
      const line = singleLine(text)
      fc.pre(line !== '')
      // Prefixed with text, since list markers at the start of a line are tested separately.
      expect(shown(`Of ${escapeMarkdown(text)} it is said`)).toBe(`Of ${asText(line)} it is said`)
    }),
    { numRuns: 3_000 },
  )
})

test('control characters and invisible format characters are removed; letters of every script stay', () => {
  expect(withoutControls('a\u202Eb\u0007c\u2066d\u{E0041}e\u0000')).toBe('abcde')
  for (const text of ['क्‍ष', 'ښه راغلاست', 'می‌خواهم', '日本語', '👍🏽']) expect(withoutControls(text)).toBe(text)
})

test('a name of another writing direction is isolated', () => {
  expect(isolate('Riyadh', false)).toBe('Riyadh')
  expect(isolate('Riyadh', true)).toBe('\u2068Riyadh\u2069')
  expect(isolate('الرياض', false)).toBe('\u2068الرياض\u2069')
})

test('a link only leads to a portal or web page', () => {
  expect(safeUrl('/countries/JP')).toBe('/countries/JP')
  expect(safeUrl('/travel-faq#a(b)')).toBe('/travel-faq#a%28b%29')
  expect(safeUrl('https://dfa.example/a b)(x')).toBe('https://dfa.example/a%20b%29%28x')
  for (const address of [
    'javascript:alert(1)',
    'data:text/html,x',
    '//evil.example',
    '/\\evil.example',
    'ftp://x.y',
    'https://a:b@evil.example',
    '',
    'x',
    null,
  ])
    expect(safeUrl(address)).toBeNull()
})
