import { describe, expect, test } from 'vitest'
import { insertSource } from '#server/testing/factory.ts'
import { administration, haiti } from './testing.ts'

const { ask, audits, inside } = await administration()

describe('rejected input', () => {
  const refused: [string, Record<string, unknown>, string][] = [
    ['no title', { title: '  ' }, 'title'],
    ['a title of invisible characters', { title: '\u200b\u2060' }, 'title'],
    ['a NUL character', { title: 'Haiti\0' }, 'title'],
    ['a country that is none', { countries: ['Haiti', 'Atlantis'] }, 'countries.1'],
    ['a name that two countries share', { countries: ['Congo'] }, 'countries.0'],
    ['an end before the beginning', { effective_date: '2027-02-01', expiry_date: '2027-01-01' }, 'expiry_date'],
    ['an end at the beginning', { effective_date: '2027-02-01', expiry_date: '2027-02-01' }, 'expiry_date'],
    ['an end that has passed', { expiry_date: '2020-01-01' }, 'expiry_date'],
    ['a date that is none', { effective_date: '2027-02-31' }, 'effective_date'],
    ['an address of another kind', { source_url: 'javascript:alert(1)' }, 'source_url'],
    ['a data address', { source_url: 'data:text/html,x' }, 'source_url'],
    ['neither level nor alert level', { national_alert_level: null, original_wording: 'Stay away' }, 'severity_level'],
    ['no words for a level of its own', { national_alert_level: null, severity_level: 'info' }, 'original_wording'],
    ['a level that the alert level is not', { severity_level: 'info' }, 'severity_level'],
    ['an alert level that there is not', { national_alert_level: 5 }, 'national_alert_level'],
    ['more lines than anybody reads', { recommendations: Array(201).fill('Go.') }, 'recommendations'],
    ['a line too long', { recommendations: ['x'.repeat(1_001)] }, 'recommendations.0'],
    ['more countries than there are', { countries: Array(261).fill('Haiti') }, 'countries'],
    ['a language that is none', { language: 'English please' }, 'language'],
    ['a source with a feed', { source_id: 'us' }, 'source_id'],
    ['a source that is not there', { source_id: 'nobody' }, 'source_id'],
    ['a field that nobody may set', { version: 9 }, 'version'],
    ['a standing of its own', { is_active: false }, 'is_active'],
  ]
  test.each(refused)('%s', async (_, more, field) => {
    await inside((db) => insertSource(db, { id: 'us' }))
    const answer = await ask('POST', '/travel-advisories', haiti(more))
    expect([answer.status, Object.keys(answer.body.fields ?? {})]).toEqual([422, [field]])
    const preview = await ask('POST', '/admin/travel-advisories/preview', haiti(more))
    expect([preview.status, Object.keys(preview.body.fields ?? {})]).toEqual([422, [field]])
    expect(await audits()).toEqual([])
  })

  test('a body larger than a megabyte', async () => {
    const answer = await ask('POST', '/travel-advisories', haiti({ detailed_information: 'x'.repeat(1_100_000) }))
    expect(answer.status).toBe(413)
  })
})
