import { describe, expect, test } from 'vitest'
import { dialled, safeLink } from './links.ts'

describe('a link in an answer', () => {
  test.each(['/countries/JP', '/church-locator?near=Tokyo#list', 'https://www.dfa.gov.ph/', 'http://example.org'])(
    'leads to %s',
    (address) => expect(safeLink(address)).toBe(address),
  )
  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'mailto:someone@example.org',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://portal@evil.example/',
    'https://',
    'https:evil.example',
    'relative/page',
    '/a\u202Eb',
    '',
    `/${'x'.repeat(3_000)}`,
  ])('leads nowhere with %j', (address) => expect(safeLink(address)).toBeNull())
})

test('a number is dialled without spaces and punctuation', () => {
  expect(dialled('+971 (2) 639-0006')).toBe('tel:+97126390006')
  expect(dialled('*#1343')).toBe('tel:*#1343')
})
