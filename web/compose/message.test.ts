import { expect, test } from 'vitest'
import { clocksThere, isJump } from './estimate.ts'
import { messageIn } from './message.server.ts'
import { carriedIn, EMPTY_MESSAGE, mainText, personLine, withMainText } from './message.ts'

const COUNTRIES = [
  { code: 'PH', name: 'Philippines' },
  { code: 'CI', name: 'Côte d’Ivoire' },
]
const formOf = (fields: Record<string, string | string[]>) => {
  const form = new FormData()
  for (const [name, values] of Object.entries(fields)) for (const value of [values].flat()) form.append(name, value)
  return form
}
const carriedBy = (message: unknown) => ({ carried: JSON.stringify(message) })

test('text and recipients go from kind to kind and back', () => {
  const announcement = messageIn(
    formOf({
      kind: 'announcement',
      title_en: 'Storm',
      message_en: 'Stay inside.\r\nCall us.',
      title_ar: 'عاصفة',
      countries: ['PH'],
      roles: ['member'],
      people: 'ana@example.org; ben@example.org',
      found: 'Carla <carla@example.org>',
    }),
    COUNTRIES,
  )
  expect(announcement).toMatchObject({
    texts: { en: { title: 'Storm', message: 'Stay inside.\nCall us.' }, ar: { title: 'عاصفة' } },
    people: ['ana@example.org', 'ben@example.org', 'Carla <carla@example.org>'],
  })
  const rollCall = messageIn(
    formOf({ kind: 'roll_call', title: 'Storm!', message: '', countries: ['PH'], ...carriedBy(announcement) }),
    COUNTRIES,
  )
  // What a roll call does not show stays.
  expect(rollCall).toMatchObject({ texts: { en: { title: 'Storm!' }, ar: { title: 'عاصفة' } }, roles: ['member'] })
  const advisory = messageIn(
    formOf({
      kind: 'advisory',
      title: 'Storm!',
      description: 'Why',
      countries: 'philippines\ncote d’ivoire\nAtlantis',
      ...carriedBy(rollCall),
    }),
    COUNTRIES,
  )
  expect(advisory).toMatchObject({
    texts: { en: { message: 'Why' } },
    countries: ['PH', 'CI'],
    places: ['Atlantis'],
    roles: ['member'],
  })
})

test('the only text of a kind is the first one written, and goes back to its language', () => {
  const arabic = { ...EMPTY_MESSAGE, texts: { ...EMPTY_MESSAGE.texts, ar: { title: 'عاصفة', message: '' } } }
  expect(mainText(arabic)).toMatchObject({ language: 'ar', title: 'عاصفة' })
  expect(withMainText(arabic, { title: 'زلزال', message: '' }).texts).toMatchObject({
    en: { title: '' },
    ar: { title: 'زلزال' },
  })
})

test.each([
  null,
  '',
  'null',
  '[]',
  '7',
  '{"texts":7,"countries":{"a":1},"roles":[{}],"people":null}',
  '{"__proto__":{"countries":["PH"]}}',
  `{"countries":["<script>","ph","PHL"],"texts":{"en":{"title":["x"]}}}`,
  '{"countries":',
])('a hidden field that is not a message is an empty one: %s', (field) => {
  expect(carriedIn(field)).toEqual(EMPTY_MESSAGE)
})

test('a person is named by a line that holds one address, whatever the name contains', () => {
  expect(personLine({ name: 'Ana; <b>\n, Cruz', email: 'ana@example.org' })).toMatch(/^[^<>;,\n]+ <ana@example\.org>$/)
})

test.each([
  [7, 700, true],
  [20, 201, true],
  [0, 100_000, true],
  [21, 100_000, false],
  [20, 200, false],
  [7, 7, false],
])('from %i to %i recipients is a jump: %s', (before, now, expected) => {
  expect(isJump(before, now)).toBe(expected)
})

test('the time there is that of the recipients, also around the date line', () => {
  const readers = ['Asia/Riyadh', 'Asia/Riyadh', 'Pacific/Apia', 'America/Lima', 'Europe/Berlin'].map((time_zone) => ({
    time_zone,
  }))
  const counted = { estimate: { readers } as never, now: '2026-09-27T08:40:00.000Z' }
  expect(clocksThere(counted, 'en')).toEqual(['11:40 (Riyadh)', '21:40 (Apia)', '03:40 (Lima)'])
})
