import { describe, expect, test } from 'vitest'
import type { SourceRow } from './source-rows.ts'
import { verdictOf } from './verdict.ts'

const row = (name: string, wording: string, more: Partial<SourceRow> = {}): SourceRow =>
  ({
    kind: 'says',
    source: { id: name, name },
    authority: name,
    country_code: 'CA',
    advisories: [{ wording, language: 'en' }],
    ...more,
  }) as unknown as SourceRow
const verdict = (rows: SourceRow[], country = 'Qatar') =>
  verdictOf(rows, { country, nameOf: ({ source }) => source.name })
const sentence = (rows: SourceRow[]) =>
  verdict(rows)
    .map(({ source, wording }) => `${source} says “${wording}”.`)
    .join(' ')
const UK = 'FCDO advises against all travel to parts of the country, and all but essential travel to other parts'

describe('the verdict', () => {
  test('quotes the first three sources that speak, in the order of the rows', () => {
    const silent = row('Germany', '', { kind: 'silent', advisories: [] })
    const rows = [row('United States', 'Level 4: Do Not Travel'), silent, row('A', 'x'), row('B', 'y'), row('C', 'z')]
    expect(sentence(rows)).toBe('United States says “Do Not Travel”. A says “x”. B says “y”.')
  })

  test('quotes an authority with two feeds once', () => {
    const feeds = [row('US', 'Do Not Travel'), row('US', 'Reconsider Travel')]
    expect(sentence(feeds)).toBe('US says “Do Not Travel”.')
  })

  test.each([
    ['three long ones', [UK, 'Exercise a high degree of caution (with regional advisories)', UK]],
    ['a very long one', [`${'Avoid all travel to the region of Q. '.repeat(60)}`]],
    ['one without spaces', ['旅'.repeat(3_000)]],
    ['twelve', Array.from({ length: 12 }, () => UK)],
  ])('has at most 38 words and fits on a small phone: %s', (_, wordings) => {
    const text = sentence(wordings.map((wording, i) => row(`Source number ${i}`, wording)))
    expect(text.split(' ').length).toBeLessThanOrEqual(38)
    expect(text.length).toBeLessThanOrEqual(200)
    expect(text).toContain('…”')
  })

  test('shortens the longest wording, and marks what is cut', () => {
    const rows = [row('The UK', UK), row('The US', 'Level 3: Reconsider Travel'), row('Canada', `Exercise ${UK}`)]
    const [uk, us, canada] = verdict(rows)
    expect(uk!.wording).toMatch(/^FCDO advises against all travel to parts of the country.*…$/)
    expect(us!.wording).toBe('Reconsider Travel')
    expect(canada!.wording).toMatch(/…$/)
  })

  test('never cuts a wording to where it says something else: it drops the last source first', () => {
    const [uk, us, ...others] = verdict(
      [row('The UK', UK), row('The US', 'Reconsider Travel'), row('Canada', UK)],
      'Democratic',
    )
    expect(uk!.wording).toContain('to parts of the country')
    expect(us!.wording).toBe('Reconsider Travel')
    for (const { wording } of others) expect(wording).toContain('to parts of the country')
  })

  test('is shorter beside a long name', () => {
    const rows = [row('The UK', UK), row('The US', 'Reconsider Travel'), row('Canada', UK)]
    const length = (country: string) => verdict(rows, country).reduce((sum, { wording }) => sum + wording.length, 0)
    expect(length('Qatar')).toBeGreaterThan(120)
    expect(length('Democratic Republic of the Congo')).toBeLessThan(125)
  })

  test('keeps markup and other directions as text', () => {
    const [only] = verdict([row('A', '<img src=x onerror=alert(1)> \u202eabc')])
    expect(only!.wording).toBe('<img src=x onerror=alert(1)> \u202eabc')
  })
})
