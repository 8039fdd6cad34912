import { expect, describe as group, test } from 'vitest'
import { translator } from '#web/lib/i18n.tsx'
import texts from '../../public/locales/en/content.json' with { type: 'json' }
import { describe } from './error-details.ts'
import { reportAddress } from './report.ts'

group('words and severity of a failure', () => {
  test.each([
    ['Failed to fetch dynamically imported module: /assets/x.js', 'warning', 'error_chunk'],
    ['error loading dynamically imported module', 'warning', 'error_chunk'],
    ['Importing a module script failed.', 'warning', 'error_chunk'],
    ['Unable to preload CSS for /assets/x.css', 'warning', 'error_chunk'],
    ['Failed to fetch', 'info', 'error_network'],
    ['NetworkError when attempting to fetch resource.', 'info', 'error_network'],
    ['Load failed', 'info', 'error_network'],
    ['Request timed out', 'info', 'error_network'],
    ['x is undefined', 'error', 'error_unexpected_plain'],
  ])('%s', (message, severity, key) => {
    expect(describe(new Error(message))).toMatchObject({ severity, message: key })
  })

  test('only says that the team was notified when it was', () => {
    expect(describe(new Error('x'), 'E-1234')).toMatchObject({ message: 'error_unexpected', id: 'E-1234' })
    expect(describe(answer(500, { error: 'x', id: 'R-1', at: '2026-11-21T10:00:00Z' }))).toMatchObject({
      message: 'error_unexpected',
      id: 'R-1',
      isNamed: true,
    })
  })

  test("shows the server's expected errors, and hides internal ones", () => {
    expect(describe(answer(422, { error: 'limit: at most 100' })).text).toBe('limit: at most 100')
    expect(describe(answer(500, { error: 'password of the database' })).text).toBeUndefined()
  })

  test('explains what is wrong with an invalid URL', () => {
    const body = {
      error: 'Please correct the marked fields.',
      fields: { search: 'The text contains a character we cannot save. Delete it or type the text again.' },
    }
    expect(describe(answer(422, body)).text).toBe(
      'The text contains a character we cannot save. Delete it or type the text again.',
    )
  })

  test('any thrown value has an id that can be read aloud', () => {
    for (const thrown of [null, undefined, 'text', 7, {}])
      expect(describe(thrown).id).toMatch(/^E-[2-9A-Z]{4}-[2-9A-Z]{4}$/)
  })
})

test('the report is a mail draft with id, component, error, stack and URL', () => {
  const address = reportAddress(translator('en', 'content', texts), {
    site: { brand: 'MFA Portal', support_email: 'help@example.org', public_url: 'https://portal.example.org' },
    error: {
      id: 'E-7Q2K-0931',
      at: '2026-11-21T10:00:00Z',
      name: 'Error: broken & gone',
      stack: 'at Part (x.js:1)'.repeat(200),
    },
    component: 'NewsTicker',
    path: '/countries/JP?search=a&b=ü',
  })
  expect(address).toMatch(/^mailto:help@example\.org\?subject=[^&]*&body=[^&]*$/)
  expect(address.length).toBeLessThan(3500)
  const query = new URLSearchParams(address.split('?')[1])
  expect(query.get('subject')).toContain('E-7Q2K-0931')
  for (const fragment of [
    'E-7Q2K-0931',
    'NewsTicker',
    'Error: broken & gone',
    'at Part (x.js:1)',
    'https://portal.example.org/countries/JP?search=a&b=ü',
  ])
    expect(query.get('body')).toContain(fragment)
})

/** In the shape in which the router passes a thrown response. */
const answer = (status: number, data: unknown) => ({ status, statusText: '', internal: false, data })
