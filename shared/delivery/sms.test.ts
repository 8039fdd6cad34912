import fc from 'fast-check'
import { expect, test } from 'vitest'
import { composeSms, isPhone, smsSize } from './sms.ts'

test.each([
  ['+1234567', true],
  ['+123456789012345', true],
  ['+123456', false],
  ['+1234567890123456', false],
  ['+0123456789', false],
  ['1234567', false],
  ['+1 234 567', false],
  ['+12345a7', false],
  ['+1234567\n', false],
])('%j is a phone number: %s', (text, expected) => {
  expect(isPhone(text)).toBe(expected)
})

test.each([
  ['', 'GSM-7', 0, 1],
  ['é'.repeat(160), 'GSM-7', 160, 1],
  ['a'.repeat(161), 'GSM-7', 161, 2],
  ['a'.repeat(306), 'GSM-7', 306, 2],
  ['a'.repeat(307), 'GSM-7', 307, 3],
  ['€'.repeat(80), 'GSM-7', 160, 1],
  ['€'.repeat(81), 'GSM-7', 162, 2],
  // A two-unit character does not fit into the last unit of a segment.
  [`${'a'.repeat(152)}€${'a'.repeat(152)}`, 'GSM-7', 306, 3],
  ['م'.repeat(70), 'UCS-2', 70, 1],
  ['م'.repeat(71), 'UCS-2', 71, 2],
  ['ç', 'UCS-2', 1, 1],
  ['…', 'UCS-2', 1, 1],
  ['🚨'.repeat(35), 'UCS-2', 70, 1],
  [`${'م'.repeat(66)}🚨${'م'.repeat(66)}`, 'UCS-2', 134, 3],
])('size of %j', (text, encoding, units, segments) => {
  expect(smsSize(text)).toEqual({ encoding, units, segments })
})

const link = 'https://portal.example/a/1'

test('keeps 160 characters unchanged, and cuts 161 to 157 and three dots', () => {
  const title = 'Leave Peru'
  const exact = composeSms({ title, message: 'x'.repeat(149), link: null })
  expect(exact).toBe(`Leave Peru\n${'x'.repeat(149)}`)
  const cut = composeSms({ title, message: 'x'.repeat(150), link: null })
  expect(cut).toBe(`${exact.slice(0, 157)}...`)
  expect(cut).toHaveLength(160)
})

test('never cuts the link', () => {
  const text = composeSms({ title: 'Leave Peru', message: 'x'.repeat(500), link })
  expect(text).toMatch(/^Leave Peru\nx+\.\.\.\nhttps:\/\/portal\.example\/a\/1$/)
  expect(text).toHaveLength(160)
  const long = composeSms({ title: 'T'.repeat(300), message: 'x', link })
  expect([long.length, long.endsWith(`...\n${link}`)]).toEqual([160, true])
  const longLink = `${link}?${'x'.repeat(300)}`
  expect(composeSms({ title: 'Leave Peru', message: 'x', link: longLink })).toBe(longLink)
})

test('sends a text without title and link unchanged', () => {
  expect(composeSms({ title: '', message: 'x'.repeat(1_700), link: null })).toHaveLength(1_700)
})

test('separates neither combining marks nor joined emoji', () => {
  for (const sign of ['كّ', '👩‍🚒', 'é']) {
    const text = composeSms({ title: 'T', message: sign.repeat(160), link })
    const middle = text.slice(2, text.indexOf('...'))
    expect(middle.replaceAll(sign, '')).toBe('')
  }
})

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.string({ unit: fc.constantFrom('[', 'a', 'ش'), maxLength: 300 }),
)

test('any text with its link fits into 160 units, and a text that fits is not cut', () => {
  fc.assert(
    fc.property(anyText, anyText, fc.boolean(), (title, message, hasLink) => {
      fc.pre(title !== '' || hasLink)
      const text = composeSms({ title, message, link: hasLink ? link : null })
      const whole = [title, message, hasLink ? link : null].filter(Boolean).join('\n')
      expect(smsSize(text).units).toBeLessThanOrEqual(160)
      if (hasLink) expect(text.endsWith(link)).toBe(true)
      if (smsSize(whole).units <= 160) expect(text).toBe(whole)
      else expect(text).toContain('...')
      expect(text.isWellFormed()).toBe(true)
    }),
  )
})

test('the segments hold the whole text', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '€', 'م', '🚨'), maxLength: 700 }), (text) => {
      const { encoding, units, segments } = smsSize(text)
      const [alone, segment] = encoding === 'GSM-7' ? [160, 153] : [70, 67]
      if (units <= alone) expect(segments).toBe(1)
      else {
        expect(segments).toBeGreaterThanOrEqual(Math.ceil(units / segment))
        // At most one unit of each segment stays empty.
        expect(segments).toBeLessThanOrEqual(Math.ceil(units / (segment - 1)))
      }
    }),
  )
})
