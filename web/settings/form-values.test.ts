import { expect, test } from 'vitest'
import { isSame, readValues, valuesOf } from './form-values.ts'

function formData(...pairs: [string, string][]): FormData {
  const form = new FormData()
  for (const [name, value] of pairs) form.append(name, value)
  return form
}

test('form values of advisories are parsed by type', () => {
  const form = formData(
    ['advisories.approved_sources', 'Department of State'],
    ['advisories.approved_sources', 'DFA'],
    ['advisories.ticker_source', ''],
    ['advisories.show_acknowledgments', 'yes'],
    ['advisories.missing_grace_days', ' 14 '],
  )
  expect(valuesOf('advisories', form)).toEqual({
    'advisories.approved_sources': ['Department of State', 'DFA'],
    'advisories.ticker_source': '',
    'advisories.show_acknowledgments': true,
    'advisories.missing_grace_days': 14,
  })
})

test('an unticked box is off, and an invalid number is left for the server to reject', () => {
  const form = formData(['advisories.missing_grace_days', 'soon'])
  expect(valuesOf('advisories', form)).toMatchObject({
    'advisories.approved_sources': [],
    'advisories.show_acknowledgments': false,
    'advisories.missing_grace_days': 'soon',
  })
  expect(valuesOf('advisories', formData(['advisories.missing_grace_days', '']))).toMatchObject({
    'advisories.missing_grace_days': '',
  })
})

test('the values that the page was made from come back as they were, and no others', () => {
  const form = formData(
    ['was.brand', '"MFA Portal"'],
    ['was.support_email', 'no JSON'],
    ['was.advisories.missing_grace_days', '7'],
  )
  expect(readValues('brand', form)).toEqual({ brand: 'MFA Portal' })
  expect(readValues('advisories', form)).toEqual({ 'advisories.missing_grace_days': 7 })
})

test('a list has no order', () => {
  expect(isSame(['a', 'b'], ['b', 'a'])).toBe(true)
  expect(isSame(['a'], ['a', 'b'])).toBe(false)
  expect(isSame(7, '7')).toBe(false)
})
