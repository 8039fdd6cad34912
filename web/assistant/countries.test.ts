import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { COUNTRY_CODES, countriesIn } from './countries.ts'

test('are those of the portal', () => {
  const file = new URL('../../shared/countries/countries.json', import.meta.url)
  const codes = JSON.parse(readFileSync(file, 'utf8')).map(({ code }: { code: string }) => code)
  expect([...COUNTRY_CODES].sort()).toEqual(codes.sort())
})

test('have their names in the language of the answer', () => {
  expect(countriesIn('tl')).toContainEqual({ code: 'JP', name: 'Japan' })
  expect(countriesIn('ar')).toContainEqual({ code: 'JP', name: 'اليابان' })
  expect(countriesIn('es')).toContainEqual({ code: 'DE', name: 'Alemania' })
})
