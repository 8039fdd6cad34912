import { expect, test } from 'vitest'
import { FactInput, type ManagedFact } from '#shared/assistant/facts.ts'
import { bodyOf, freshnessOf, newFactId, newValues, valuesOf } from './fact-values.ts'

const FACT: ManagedFact = {
  id: 'hotline.sa.police',
  kind: 'hotline',
  country_code: 'SA',
  code: 'police',
  purpose: null,
  value: { phone: '999', name: 'Public Security' },
  source_title: 'Ministry of Interior',
  source_url: 'https://moi.example/numbers',
  checked_on: '2026-01-10',
  valid_until: '2026-07-10',
  position: 3,
  is_active: true,
  is_expired: false,
  updated_at: '2026-01-10T10:00:00.000Z',
}

test('saving an unchanged fact leaves it unchanged', () => {
  const { id: _, is_expired: __, updated_at: ___, ...input } = FACT
  const { updated_at, ...body } = bodyOf(valuesOf(FACT))
  expect(body).toEqual(input)
  expect(updated_at).toBeNull()
})

test('empty fields are omitted, and months are a number', () => {
  const passport = { ...newValues('requirement', 'JP', new Date('2026-03-01')), code: 'passport', 'value.months': '6' }
  expect(bodyOf(passport)).toMatchObject({ purpose: null, value: { months: 6 }, country_code: 'JP' })
  expect(bodyOf({ ...passport, 'value.months': ' ' }).value).toEqual({})
})

test('text in a number field is passed on unchanged, to be rejected with a field error', () => {
  const body = bodyOf({ ...newValues('rule', '', new Date('2026-03-01')), position: 'first' })
  expect(FactInput.safeParse({ ...body, updated_at: undefined }).error?.issues.map(({ path }) => path[0])).toContain(
    'position',
  )
})

test('a new fact was checked today and must be confirmed within a year', () => {
  expect(newValues('rule', '', new Date('2026-09-27T12:00:00Z'))).toMatchObject({
    checked_on: '2026-09-27',
    valid_until: '2027-09-27',
  })
})

test('two numbers of one kind in one country are two facts', () => {
  const values = { kind: 'hotline', country_code: 'SA', code: 'police' }
  expect(newFactId({ ...values, own: '1a2b3c4d' })).toBe('hotline.sa.police.1a2b3c4d')
  expect(newFactId({ kind: 'rule', code: 'pdos.validity', own: '1a2b3c4d' })).toBe('rule.any.pdos.validity.1a2b3c4d')
  expect(newFactId({ ...values, own: '../x y' })).toMatch(/^[a-zA-Z0-9_.-]+$/)
})

test.each([
  ['2026-03-01', 'fresh'],
  ['2026-06-20', 'due'],
  ['2026-07-10', 'due'],
])('on %s a fact that is valid until July is %s', (today, freshness) => {
  expect(freshnessOf(FACT, new Date(today))).toBe(freshness)
})

test('a fact that the server calls expired is expired', () => {
  expect(freshnessOf({ ...FACT, is_expired: true }, new Date('2026-03-01'))).toBe('expired')
})
