import { describe, expect, test } from 'vitest'
import { bannerSeverity, cardOf, chipText, countryNames, shortenSource, tileCounts } from './cards.ts'

describe('chips (ADV-CARD-06)', () => {
  test.each([
    ['Saudi Arabia', 'Saudi Arabia'],
    ['Liechtenstein', 'Liechtenstei…'],
    ['United Arab Emirates', 'United Arab…'],
    ['المملكة العربية السعودية', 'المملكة العر…'],
    ['🇯🇵🇯🇵🇯🇵🇯🇵🇯🇵🇯🇵', '🇯🇵🇯🇵🇯🇵🇯🇵🇯🇵🇯🇵'],
    ['', ''],
  ])('%s', (name, chip) => expect(chipText(name)).toBe(chip))
})

test('shortens only the one long source name (ADV-CARD-07, D-05)', () => {
  expect(shortenSource('Department of Foreign Affairs')).toBe('DFA')
  expect(shortenSource('Department of Foreign Affairs and Trade')).toBe('Department of Foreign Affairs and Trade')
  expect(shortenSource('United States')).toBe('United States')
})

describe('severity of the banner', () => {
  const item = (severity_level: 'critical' | 'warning' | 'info', is_urgent = false) => ({ severity_level, is_urgent })
  test('takes the highest severity, treats urgent as emergency, and is null for an empty list', () => {
    expect(bannerSeverity([])).toBeNull()
    expect(bannerSeverity([item('info'), item('warning')])).toBe('warning')
    expect(bannerSeverity([item('critical'), item('info')])).toBe('critical')
    expect(bannerSeverity([item('critical'), item('info', true)])).toBe('emergency')
  })
})

test('tiles count critical with emergency and info with caution (ADV-PAGE-03..06)', () => {
  expect(tileCounts({ emergency: 1, critical: 8, warning: 14, caution: 20, info: 7 })).toEqual({
    total: 50,
    critical: 9,
    warnings: 14,
    info: 27,
  })
  expect(tileCounts({})).toEqual({ total: 0, critical: 0, warnings: 0, info: 0 })
})

test('a card names two countries, counts all, and shows an unresolved country by its source name', () => {
  const advisory = {
    id: '1',
    title: 'Cook Islands, Tokelau, Niue and Atlantis',
    description: 'word '.repeat(100),
    severity_level: 'info' as const,
    is_urgent: false,
    affected_countries: ['Cook Islands', 'Tokelau', 'Niue', 'Atlantis'],
    country_codes: ['CK', 'TK', 'NU'],
    source_id: 'us',
    original_wording: 'Level 1',
    language: 'en',
    last_updated: '2026-09-27T00:00:00Z',
    date_precision: 'day' as const,
    pending_reason: null,
    captured_on: '2026-02-15',
    detailed_information: 'left behind',
  }
  const nameOf = (code: string) => `name of ${code}`
  const titleOf = ({ title, language }: { title: string; language: string }) => ({ title, title_language: language })
  const card = cardOf(advisory, { nameOf, titleOf })
  expect(card.countries).toEqual(['name of CK', 'name of TK'])
  expect(card.country_count).toBe(4)
  expect(card.captured_on).toBe('2026-02-15')
  expect([...card.description].length).toBeLessThanOrEqual(220)
  expect(card).not.toHaveProperty('detailed_information')
  expect(cardOf({ ...advisory, description: 'level 1.' }, { nameOf, titleOf }).description).toBe('')
  expect(countryNames(advisory, nameOf)[3]).toBe('Atlantis')
})
