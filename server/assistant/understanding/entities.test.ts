import { describe, expect, test } from 'vitest'
import { understand } from '#server/testing/understanding.ts'
import { Entities } from '#shared/assistant/intents.ts'
import { findDate } from './dates.ts'
import { findReference } from './entities.ts'

const entitiesOf = (question: string) => understand(question).analysis.entities
const named = (question: string) =>
  Object.fromEntries(Object.entries(entitiesOf(question)).filter(([, value]) => value !== null))

test('there are the twelve entities of the specification', () => {
  expect(Object.keys(entitiesOf('church'))).toEqual(Object.keys(Entities.shape))
  expect(Object.keys(Entities.shape)).toHaveLength(12)
})

describe('countries and cities', () => {
  test.each([
    ['Is it safe in Niger?', { country: 'NE' }],
    ['Is it safe in Nigeria?', { country: 'NG' }],
    ['Is it safe in Oman?', { country: 'OM' }],
    ['Is it safe in Romania?', { country: 'RO' }],
    ['Is it safe in Guinea-Bissau?', { country: 'GW' }],
    ['Is it safe in Equatorial Guinea?', { country: 'GQ' }],
    ['Is it safe in Papua New Guinea?', { country: 'PG' }],
    ['Is it safe in South Sudan?', { country: 'SS' }],
    ['Is it safe in the Dominican Republic?', { country: 'DO' }],
    ['Is it safe in Somalia?', { country: 'SO' }],
    ['Is it safe in Mali?', { country: 'ML' }],
    ['church in Dubai', { city: 'Dubai', country: 'AE' }],
    ['church in riyadh', { city: 'Riyadh', country: 'SA' }],
    ['church in Singapore', { country: 'SG' }],
    ['church in Hong Kong', { country: 'HK' }],
    ['church in Kuwait', { country: 'KW' }],
    ['church in Mexico City', { city: 'Mexico City', country: 'MX' }],
    ['church in New York', { city: 'New York City', country: 'US' }],
    ['church in London, Canada', { city: 'London', country: 'CA' }],
    ['church in London', { city: 'London', country: 'GB' }],
    ['church in KSA', { country: 'SA' }],
    ['church in Qatif', { city: 'Al Qatif', country: 'SA' }],
    ['church in Makati', { city: 'Makati City', country: 'PH' }],
    ['church in Nice', { city: 'Nice', country: 'FR' }],
    ['a nice church', {}],
    ['Can you help us?', {}],
  ])('%j names %j', (question, expected) => {
    const { city, country } = entitiesOf(question)
    expect({ city, country }).toEqual({ city: null, country: null, ...expected })
  })

  test.each([
    ['I am going from Saudi to Japan', { country: 'SA', destination: 'JP' }],
    ['from Japan to Saudi Arabia, what papers?', { country: 'JP', destination: 'SA' }],
    ['I live in Qatar and will travel to Italy', { country: 'QA', destination: 'IT' }],
    ['What is it like in Japan?', { country: 'JP', destination: null }],
    ['Is there a Philippine embassy in Oman?', { country: 'OM', destination: null }],
    ['I want to go to Dubai', { city: 'Dubai', country: null, destination: 'AE' }],
  ])('%j is from and to %j', (question, expected) => {
    expect(entitiesOf(question)).toMatchObject(expected)
  })
})

describe('in real questions', () => {
  const ROWS = [
    ['tl', 'Mula Saudi papuntang Japan po ako', { country: 'SA', destination: 'JP' }],
    ['tl', 'mali po ba ang address?', { contactType: 'address' }],
    ['tl', 'Anong oras po ang pagsamba sa Linggo?', { serviceType: 'worship_service', dayOfWeek: 'sunday' }],
    ['ar', 'أنا مسافر من السعودية إلى اليابان', { country: 'SA', destination: 'JP' }],
    [
      'ar',
      'متى اجتماع الصلاة يوم الجمعة في الكويت؟',
      { country: 'KW', serviceType: 'prayer_meeting', dayOfWeek: 'friday' },
    ],
    ['ar', 'سلطنة عمان', { country: 'OM' }],
    ['ar', 'عمان الأردن', { city: 'Amman', country: 'JO' }],
    ['hi', 'सऊदी अरब से जापान जाना है', { country: 'SA', destination: 'JP' }],
    ['hi', 'दुबई में चर्च कहाँ है?', { city: 'Dubai', country: 'AE' }],
    ['de', 'Ich reise von Österreich nach Japan', { country: 'AT', destination: 'JP' }],
    ['zh', '我从沙特到日本', { country: 'SA', destination: 'JP' }],
    ['zh', '印度尼西亚的教会', { country: 'ID' }],
    ['ja', '東京の教会はどこですか', { city: 'Tokyo', country: 'JP' }],
    ['ja', 'サウジアラビアから日本に行きます', { country: 'SA', destination: 'JP' }],
    ['ko', '서울 교회는 어디에 있나요?', { city: 'Seoul', country: 'KR' }],
    ['ko', '사우디아라비아에서 일본으로 갑니다', { country: 'SA', destination: 'JP' }],
    ['es', '¿Hay una iglesia en Emiratos Árabes Unidos?', { country: 'AE' }],
    ['fr', 'Je voyage de Dubaï vers le Japon', { city: 'Dubai', country: 'AE', destination: 'JP' }],
    ['it', 'Vado dall’Italia verso il Giappone', { country: 'IT', destination: 'JP' }],
    ['pt', 'Há uma igreja na Arábia Saudita?', { country: 'SA' }],
    ['pt', 'Quando o coordenador irá ligar?', { role: 'coordinator' }],
  ] as const
  test.each(ROWS)('%s: %j names %j', (_, question, expected) => {
    expect(named(question)).toMatchObject(expected)
    if (!('country' in expected)) expect(entitiesOf(question).country).toBeNull()
  })
})

describe('other entities', () => {
  test.each([
    ['when is the prayer meeting', { serviceType: 'prayer_meeting' }],
    ['worship service schedule', { serviceType: 'worship_service' }],
    ['is there thanksgiving', { serviceType: 'thanksgiving' }],
    ...['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map(
      (day) => [`service on ${day}`, { dayOfWeek: day }] as [string, object],
    ),
    ['service tomorrow', { dayOfWeek: 'sunday', travelDate: null }],
    ['phone number of the church', { contactType: 'phone' }],
    ['email of the church', { contactType: 'email' }],
    ['address of the church', { contactType: 'address' }],
    ['who is the local servant', { role: 'local_servant' }],
    ['who is the coordinator', { role: 'coordinator' }],
    ['a church worker', { role: 'worker' }],
    ['I have a job in Japan', { purpose: 'work' }],
    ['I am a student', { purpose: 'study' }],
    ['as a tourist', { purpose: 'visit' }],
    ['my passport', { documentType: 'passport' }],
    ['a visa', { documentType: 'visa' }],
    ['my contract', { documentType: 'contract' }],
    ['the certificate', { documentType: 'certificate' }],
    ['medical exam', { documentType: 'medical' }],
    ['I lost my passport', { emergencyType: 'document' }],
    ['I need an ambulance', { emergencyType: 'medical' }],
    ['I am stranded at the airport, flight cancelled', { emergencyType: 'travel' }],
    ['I was robbed', { emergencyType: 'safety' }],
    ['status of PDOS-2025-001', { applicationId: 'PDOS-2025-001' }],
    ['I go to Japan on 12 March 2027', { destination: 'JP', travelDate: '2027-03-12' }],
    ['Do I need PDOS? I leave next month', { travelDate: '2026-12-21' }],
  ] as [string, object][])('%j: %j', (question, expected) => {
    expect(entitiesOf(question)).toMatchObject(expected)
  })
})

test.each([
  ['pdos-2025-001', 'PDOS-2025-001'],
  ['app-2024-1234', 'APP-2024-1234'],
  ['my number is pdos 2026 0042.', 'PDOS-2026-0042'],
  ['app2026001', 'APP-2026-001'],
  ['pdos–2026–001は', 'PDOS-2026-001'],
  ['xyz-2024-1', null],
  ['pdos-2024-1', null],
  ['pdos-2024-12345', null],
  ['whatsapp-2024-1234', null],
  ['pdos 1', null],
])('the reference in %j is %j', (text, expected) => {
  expect(findReference(text)).toBe(expected)
})

test('a reference may be typed in digits of any script', () => {
  expect(entitiesOf('PDOS-٢٠٢٦-٠٠١').applicationId).toBe('PDOS-2026-001')
  expect(entitiesOf('APP-२०२६-००१२').applicationId).toBe('APP-2026-0012')
  expect(entitiesOf('ＰＤＯＳ－２０２６－００１').applicationId).toBe('PDOS-2026-001')
})

test.each([
  ['2027-03-12', '2027-03-12'],
  ['on 12 march 2027', '2027-03-12'],
  ['march 12, 2027', '2027-03-12'],
  ['march 12', '2027-03-12'],
  ['the 25th of december', '2026-12-25'],
  ['12/03/2027', '2027-03-12'],
  ['03/25/2027', '2027-03-25'],
  ['2027年3月12日', '2027-03-12'],
  ['3月12日', '2027-03-12'],
  ['2027년 3월 12일', '2027-03-12'],
  ['12 مارس 2027', '2027-03-12'],
  ['12 मार्च 2027', '2027-03-12'],
  ['12 de marzo de 2027', '2027-03-12'],
  ['12. marz', '2027-03-12'],
  ['ika-12 ng marso', '2027-03-12'],
  ['12 fevrier', '2027-02-12'],
  ['31 february 2027', null],
  ['2027-13-45', null],
  ['i may go', null],
  ['room 12', null],
])('the date in %j is %s', (text, expected) => {
  expect(findDate(text, new Date('2026-11-21T09:00:00Z'))).toBe(expected)
})
