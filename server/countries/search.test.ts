import { expect, test } from 'vitest'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'

const app = await testApp(await testDatabase())

async function found(search: string) {
  const response = await app.request(`http://portal.test/api/public/countries?search=${encodeURIComponent(search)}`)
  const { countries, is_guess } = (await response.json()) as { countries: { code: string }[]; is_guess: boolean }
  return { codes: countries.map(({ code }) => code), is_guess }
}

test.each([
  ['Kuwiat', 'KW'],
  ['Jappan', 'JP'],
  ['Singapor e', 'SG'],
])('%s is not a name of a country: suggestions are marked as guesses', async (search, code) => {
  const { codes, is_guess } = await found(search)
  expect(is_guess).toBe(true)
  expect(codes).toContain(code)
})

test.each([
  ['Kuwait', 'KW'],
  ['Singap', 'SG'],
  ['Deutschland', 'DE'],
  ['الكويت', 'KW'],
  ['日本', 'JP'],
])('%s is a name, or the beginning of one: not a guess', async (search, code) => {
  const { codes, is_guess } = await found(search)
  expect([is_guess, codes[0]]).toEqual([false, code])
})

test.each(['Zubrowka', 'Wakanda', 'Nutella'])('%s has no match', async (search) => {
  expect(await found(search)).toEqual({ codes: [], is_guess: false })
})
