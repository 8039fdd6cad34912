import { expect, test } from 'vitest'
import { readSettings } from './env.ts'
import { unconfigured } from './missing-settings.ts'

const DATABASE = { DATABASE_URL: 'postgres://db/portal' }
const WHOLE = {
  ...DATABASE,
  PUBLIC_URL: 'https://portal.example',
  TRUSTED_PROXIES: '1',
  AUTH_SECRET: 'a secret of at least thirty-two characters',
  SMTP_URL: 'smtp://mail.example',
  SMS_ACCOUNT: 'AC1',
  SMS_TOKEN: 't',
  SMS_FROM: '+15005550006',
  WHATSAPP_PHONE_ID: '1',
  WHATSAPP_TOKEN: 't',
  MODEL_BASE_URL: 'https://model.example/v1',
  GOOGLE_CLIENT_ID: 'id',
  GOOGLE_CLIENT_SECRET: 's',
  GOOGLE_PLACES_KEY: 'k',
}

test('the start logs each missing setting and what does not work without it', () => {
  const lines = unconfigured(readSettings(DATABASE))
  for (const setting of [
    'SMTP_URL',
    'SMS_ACCOUNT',
    'WHATSAPP',
    'MODEL_BASE_URL',
    'GOOGLE_CLIENT_ID',
    'AUTH_SECRET',
    'PUBLIC_URL',
  ])
    expect(lines.join('\n')).toContain(setting)
  for (const line of lines) expect(line).toMatch(/^[A-Z].*: \S/)
})

test('nothing is logged when everything is configured', () => {
  expect(unconfigured(readSettings(WHOLE))).toEqual([])
})

test('behind TLS without a known proxy, it warns that all callers count as one', () => {
  expect(unconfigured(readSettings({ ...WHOLE, TRUSTED_PROXIES: '0' }))).toEqual([
    expect.stringContaining('TRUSTED_PROXIES'),
  ])
})
