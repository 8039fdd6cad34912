import { expect, test } from 'vitest'
import { readSettings } from './env.ts'

test('nothing configured: embedded, on this machine only', () => {
  expect(readSettings({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    isEmbedded: true,
    runsWeb: true,
    runsWorker: true,
    publicUrl: 'http://127.0.0.1:3000',
  })
})

test('every bad value is named in one message, and an empty one counts as not given', () => {
  const bad = { PORT: '80a', DATABASE_URL: 'mysql://x', ROLE: 'king', PUBLIC_URL: 'portal.example', DATA_DIR: '' }
  expect(() => readSettings(bad)).toThrow(
    /PORT: must be a whole number from 0 to 65535[\s\S]*DATABASE_URL: must begin with postgres:\/\/[\s\S]*PUBLIC_URL: must be an address[\s\S]*ROLE/,
  )
  expect(() => readSettings({ PORT: '70000' })).toThrow('PORT: must be at most 65535')
})

test('a process of only one kind needs a database that others share', () => {
  expect(() => readSettings({ ROLE: 'worker' })).toThrow('need DATABASE_URL')
  expect(readSettings({ ROLE: 'worker', DATABASE_URL: 'postgres://db/portal' })).toMatchObject({
    runsWeb: false,
    isEmbedded: false,
  })
})

test('the address people use has no slash at its end', () => {
  expect(readSettings({ PUBLIC_URL: 'https://portal.example/' }).publicUrl).toBe('https://portal.example')
})

test('providers are named in order, and what belongs together is asked for together', () => {
  const first = { SMS_ACCOUNT: 'AC1', SMS_TOKEN: 't', SMS_FROM: '+15005550006' }
  const second = { SMS_ACCOUNT_2: 'AC2', SMS_TOKEN_2: 't', SMS_FROM_2: 'MG1', SMS_URL_2: 'https://sms.example/' }
  expect(readSettings({ ...first, ...second }).sms).toMatchObject([
    { name: 'sms', url: 'https://api.twilio.com', account: 'AC1' },
    { name: 'sms-2', url: 'https://sms.example', account: 'AC2' },
  ])
  expect(readSettings({}).sms).toEqual([])
  expect(() => readSettings({ SMS_ACCOUNT: 'AC1', SMS_TOKEN: 't' })).toThrow('SMS_FROM')
  expect(() => readSettings({ WHATSAPP_TOKEN: 't' })).toThrow('WHATSAPP_PHONE_ID')
  expect(() => readSettings({ VAPID_PUBLIC_KEY: 'k' })).toThrow('VAPID_PRIVATE_KEY')
  expect(() => readSettings({ SMTP_URL_2: 'smtp://mail.example' })).toThrow('SMTP_URL')
  expect(() => readSettings({ MAIL_HOOK_TOKEN: 'short' })).toThrow('at least 20 characters')
})
