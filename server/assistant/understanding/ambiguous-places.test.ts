import { expect, test } from 'vitest'
import { understand } from '#server/testing/understanding.ts'

const placed = (question: string) => {
  const { city, country, destination } = understand(question).analysis.entities
  return { city, country: country ?? destination }
}

test.each([
  ['وين الكنيسة في عمّان', 'Amman', 'JO'],
  ['الكنيسة في عمان الاردن', 'Amman', 'JO'],
  ['مدينة عمان فيها كنيسة؟', 'Amman', 'JO'],
  ['العاصمة عمان', 'Amman', 'JO'],
  ['هل السفر الى سلطنة عمان آمن', null, 'OM'],
  ['انا في عمان مسقط', 'Muscat', 'OM'],
  ['ما هي عاصمة عمان', null, 'OM'],
])('Amman and Oman are distinguished by their context: %s', (question, city, country) => {
  expect(placed(question)).toEqual({ city, country })
})

test.each([
  'عمان هل هي امنة',
  'وين الكنيسة في عمان',
  'اشتغل في عمان',
  'is it safe in Congo',
  'コンゴは安全ですか',
  '刚果安全吗',
])('without context the user is asked which of two places is meant: %s', (question) => {
  expect(placed(question)).toEqual({ city: null, country: null })
})

test.each([
  ['刚果金安全吗', 'CD'],
  ['刚果（布）安全吗', 'CG'],
  ['渡航費の借金が終わるまで帰れない', null],
  ['is it safe in the Republic of the Congo', 'CG'],
  ['is it safe in Georgia', 'GE'],
  ['church in Savannah, Georgia', 'US'],
  ['church in Niger', 'NE'],
  ['church in Nigeria', 'NG'],
  ['is it safe in Guinea', 'GN'],
  ['is it safe in Equatorial Guinea', 'GQ'],
  ['is it safe in Dominica', 'DM'],
  ['es seguro en República Dominicana', 'DO'],
  ['is it safe in Northern Ireland', 'GB'],
  ['is it safe in North Korea', 'KP'],
  ['est-ce sûr en Guyane', 'GF'],
  ['is it safe in Guyana', 'GY'],
  ['متى الصلاة في مكاو', 'MO'],
  ['متى الصلاة في مكة', 'SA'],
  ['church in Mexico City', 'MX'],
  ['church in Panama City', 'PA'],
  ['church in Luxembourg', 'LU'],
  ['church in San Marino', 'SM'],
])('%s is in %s', (question, country) => {
  expect(placed(question).country).toBe(country)
})

test.each([
  ['my friend Jordan is asking where is the church', null],
  ['Jordan and I go to Japan, what papers?', 'JP'],
  ['my boss Chad wants me to go to Japan', 'JP'],
  ['mi amigo Jordán pregunta por la iglesia', null],
  ['victoria asked where the church is in Hong Kong', 'HK'],
  ['we cook turkey for thanksgiving in Dubai', 'AE'],
])('a person named like a country is not a place: %s', (question, country) => {
  expect(placed(question).country).toBe(country)
})

test.each([
  ['is it safe in Jordan', 'JO'],
  ['is it safe in Chad', 'TD'],
  ['is there a church in turkey', 'TR'],
])('such a name is a place if the context says so: %s', (question, country) => {
  expect(placed(question).country).toBe(country)
})
