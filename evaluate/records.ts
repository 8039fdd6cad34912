import type { Severity } from '#shared/advisories/severity.ts'
import type { FactKind, HotlineCode, RequirementCode } from '#shared/assistant/facts.ts'

// Fixed records of the evaluation, few enough that the expected answer to each question is obvious.

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

interface WrittenFact {
  id: string
  kind: FactKind
  code: string
  country_code?: string
  purpose?: 'work' | 'study' | 'visit'
  value?: Record<string, unknown>
  checked_on?: string
  valid_until?: string
}

const need = (
  country: string,
  code: RequirementCode,
  more: Pick<WrittenFact, 'purpose' | 'value' | 'checked_on' | 'valid_until'> = {},
): WrittenFact => ({ id: `need.${country}.${code}`, kind: 'requirement', code, country_code: country, ...more })

const call = (country: string, code: HotlineCode, phone: string, name: string | null = null): WrittenFact => ({
  id: `call.${country}.${code}`,
  kind: 'hotline',
  code,
  ...(country === 'any' ? {} : { country_code: country }),
  value: { phone, name },
})

const WORK = { purpose: 'work' } as const
const STUDY = { purpose: 'study' } as const

export const FACTS: WrittenFact[] = [
  { id: 'rule.pdos.required', kind: 'rule', code: 'pdos.required' },
  { id: 'rule.pdos.duration', kind: 'rule', code: 'pdos.duration', value: { days: 1, hours: 8 } },
  { id: 'rule.pdos.validity', kind: 'rule', code: 'pdos.validity', value: { years: 1 } },
  { id: 'rule.pdos.register', kind: 'rule', code: 'pdos.register' },
  { id: 'need.any.pdos', kind: 'requirement', code: 'pdos' },
  need('SA', 'passport', { value: { months: 6 } }),
  need('SA', 'visa'),
  need('SA', 'contract', WORK),
  need('KW', 'passport', { value: { months: 6 } }),
  need('KW', 'visa'),
  need('KW', 'contract', WORK),
  need('KW', 'medical', WORK),
  need('HK', 'passport'),
  need('HK', 'visa', WORK),
  need('HK', 'contract', WORK),
  need('JP', 'passport'),
  // Expired: the answer must state when it was last confirmed.
  need('JP', 'visa', { checked_on: '2024-01-10', valid_until: '2025-01-10' }),
  need('JP', 'admission_letter', STUDY),
  need('JP', 'proof_of_funds', STUDY),
  call('SA', 'police', '999'),
  call('SA', 'ambulance', '997'),
  call('SA', 'trafficking', '+966 11 555 0101'),
  call('SA', 'embassy', '+966 11 555 0102', 'Philippine Embassy in Riyadh'),
  call('AE', 'police', '901'),
  call('AE', 'trafficking', '+971 800 5550'),
  call('AE', 'embassy', '+971 4 555 0103', 'Philippine Consulate General in Dubai'),
  call('KW', 'emergency', '112'),
  call('KW', 'domestic_violence', '+965 2555 0104'),
  call('KW', 'labour_authority', '+965 2555 0106'),
  call('KW', 'embassy', '+965 2555 0105', 'Philippine Embassy in Kuwait'),
  call('HK', 'emergency', '999'),
  call('HK', 'suicide_prevention', '+852 2555 0107'),
  call('HK', 'embassy', '+852 2555 0108', 'Philippine Consulate General in Hong Kong'),
  call('SG', 'police', '999'),
  call('SG', 'ambulance', '995'),
  call('SG', 'embassy', '+65 6555 0109', 'Philippine Embassy in Singapore'),
  call('JP', 'police', '110'),
  call('JP', 'ambulance', '119'),
  call('JP', 'embassy', '+81 3 5555 0110', 'Philippine Embassy in Tokyo'),
  call('any', 'emergency', '112'),
  call('any', 'home_government', '+63 2 1348', 'Department of Migrant Workers'),
]

interface WrittenAdvisory {
  name: string
  id: string
  title: string
  severity_level: Severity
  is_urgent?: boolean
  country_codes: string[]
}

export const ADVISORIES: WrittenAdvisory[] = [
  {
    name: 'japan-typhoon',
    id: id(101),
    title: 'Japan: Typhoon',
    severity_level: 'emergency',
    is_urgent: true,
    country_codes: ['JP'],
  },
  {
    name: 'japan-caution',
    id: id(102),
    title: 'Japan: Exercise Increased Caution',
    severity_level: 'caution',
    country_codes: ['JP'],
  },
  {
    name: 'saudi-arabia',
    id: id(103),
    title: 'Saudi Arabia: Reconsider Travel',
    severity_level: 'warning',
    country_codes: ['SA'],
  },
  {
    name: 'emirates',
    id: id(104),
    title: 'United Arab Emirates: Exercise Increased Caution',
    severity_level: 'caution',
    country_codes: ['AE'],
  },
  {
    name: 'kuwait',
    id: id(105),
    title: 'Kuwait: Some Areas Have Increased Risk',
    severity_level: 'critical',
    country_codes: ['KW'],
  },
  {
    name: 'hong-kong',
    id: id(106),
    title: 'Hong Kong: Exercise Normal Precautions',
    severity_level: 'info',
    country_codes: ['HK'],
  },
]

const place = (city: string, country_code: string, timezone: string, latitude: number, longitude: number) => ({
  ...{ city, country_code, timezone, latitude, longitude },
})

export const LOCALES = [
  {
    name: 'riyadh',
    id: id(201),
    hasTimes: true,
    ...place('Riyadh', 'SA', 'Asia/Riyadh', 24.7136, 46.6753),
    address_line1: '12 Olaya Street',
    phone: '+966 11 555 0201',
    email: 'riyadh@church.example',
  },
  {
    name: 'dubai',
    id: id(202),
    hasTimes: true,
    ...place('Dubai', 'AE', 'Asia/Dubai', 25.2048, 55.2708),
    address_line1: '5 Al Rigga Road',
    phone: '+971 4 555 0202',
    email: 'dubai@church.example',
  },
  {
    name: 'tokyo',
    id: id(203),
    hasTimes: true,
    ...place('Tokyo', 'JP', 'Asia/Tokyo', 35.6895, 139.6917),
    address_line1: '3-1 Shinjuku',
    phone: '+81 3 5555 0203',
    email: 'tokyo@church.example',
  },
  {
    name: 'hongkong',
    id: id(204),
    hasTimes: true,
    ...place('Hong Kong', 'HK', 'Asia/Hong_Kong', 22.2793, 114.1628),
    address_line1: '88 Nathan Road',
    phone: '+852 2555 0204',
    email: 'hongkong@church.example',
  },
  {
    name: 'singapore',
    id: id(205),
    // Its service times are unconfirmed.
    hasTimes: false,
    ...place('Singapore', 'SG', 'Asia/Singapore', 1.2897, 103.8501),
    address_line1: '20 Orchard Road',
    phone: '+65 6555 0205',
    email: 'singapore@church.example',
  },
]

export const SERVICES = [
  { day_of_week: 3, start_time: '19:00', end_time: '20:30', service_type: 'prayer_meeting' as const },
  { day_of_week: 6, start_time: '18:00', end_time: '20:00', service_type: 'thanksgiving' as const },
  { day_of_week: 0, start_time: '10:00', end_time: '12:00', service_type: 'worship_service' as const },
]

export const PAGES = [
  {
    name: 'luggage',
    page_title: 'Luggage on the flight',
    page_url: 'https://dfa.example/luggage',
    language: 'en',
    text: 'Luggage of up to 30 kilos may be brought on the flight free of charge. Each kilo more is paid for at the counter.',
  },
  {
    name: 'box',
    page_title: 'Balikbayan box',
    page_url: 'https://customs.example/balikbayan',
    language: 'tl',
    text: 'Ang balikbayan box ay walang limitasyon sa kilo. Ilang beses sa isang taon ito puwedeng ipadala: tatlo, nang walang buwis.',
  },
  {
    name: 'owwa',
    page_title: 'OWWA membership',
    page_url: 'https://owwa.example/membership',
    language: 'en',
    text: 'Membership of OWWA costs 25 US dollars and lasts two years. Renew it in the app or at the counter of the welfare office.',
  },
  {
    name: 'oec',
    page_title: 'Exit clearance of workers',
    page_url: 'https://dmw.example/exit-clearance',
    language: 'en',
    text: 'An Overseas Employment Certificate (OEC) is valid for 60 days. The Department of Migrant Workers (DMW), once the Philippine Overseas Employment Administration (POEA), issues it without a fee.',
  },
]

const city = (n: number, name: string, country_code: string, latitude: number, longitude: number) => ({
  ...{ id: n, name, country_code, latitude, longitude, state_province: null, population: 1_000_000 },
  search_text: `|${name.toLowerCase()}|`,
})

export const CITIES = [
  city(1, 'Tokyo', 'JP', 35.6895, 139.6917),
  city(2, 'Dubai', 'AE', 25.2048, 55.2708),
  city(3, 'Riyadh', 'SA', 24.7136, 46.6753),
  city(4, 'Hong Kong', 'HK', 22.2793, 114.1628),
  city(5, 'Singapore', 'SG', 1.2897, 103.8501),
  city(6, 'Doha', 'QA', 25.2854, 51.531),
  city(7, 'Jeddah', 'SA', 21.4858, 39.1925),
  city(8, 'Kuwait City', 'KW', 29.3759, 47.9774),
  city(9, 'Manila', 'PH', 14.5995, 120.9842),
]
