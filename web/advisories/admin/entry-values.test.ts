import fc from 'fast-check'
import { expect, test } from 'vitest'
import { entryOf, NOTHING_WRITTEN, plainOf, valuesIn, wrongLines } from './entry-values.ts'

test('an empty form is an empty entry', () => {
  const entry = entryOf(valuesIn(new FormData()))
  expect(entry).toMatchObject({
    title: '',
    countries: [],
    national_alert_level: null,
    expiry_date: '',
    is_urgent: false,
  })
  expect(entry).not.toHaveProperty('severity_level')
})

test('lists are parsed line by line, times as UTC, ticks as booleans', () => {
  const form = new FormData()
  form.set('countries', 'Japan\r\n\r\n  Peru \n')
  form.set('expiry_date', '2026-11-21T16:28')
  form.set('is_urgent', 'on')
  form.set('national_alert_level', '3')
  expect(entryOf(valuesIn(form))).toMatchObject({
    countries: ['Japan', 'Peru'],
    expiry_date: '2026-11-21T16:28:00Z',
    is_urgent: true,
    national_alert_level: 3,
  })
})

test('an error names the content of its line, empty lines not counted', () => {
  const values = { ...NOTHING_WRITTEN, countries: 'Japan\n\nAtlantis' }
  expect(wrongLines('countries', values, { 'countries.1': 'No.', title: 'x', 'recommendations.0': 'y' })).toEqual([
    { line: 'Atlantis', message: 'No.' },
  ])
})

test.each([
  ['<p>Go &amp; see.</p>\n<p>Prices &lt; 5<br>rise</p>', 'Go & see.\n\nPrices < 5\nrise'],
  ['', ''],
  ['<p>A <b>bold</b> word</p>', '<p>A <b>bold</b> word</p>'],
  ['<p>A</p><ul><li>b</li></ul>', '<p>A</p><ul><li>b</li></ul>'],
])('%s is edited as %s', (html, plain) => expect(plainOf(html)).toBe(plain))

test('text that would be parsed as markup stays escaped; any other survives a round trip', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
      const escaped = text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
      const html = `<p>${escaped}</p>`
      expect([text, html]).toContain(plainOf(html))
      expect(plainOf(html)).not.toMatch(/^[^<]*<(?!\/?p>)[a-z]/i)
    }),
  )
})
