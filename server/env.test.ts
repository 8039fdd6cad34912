import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readSettings } from './env.ts'

test('defaults: embedded database, on this machine only', () => {
  expect(readSettings({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    isEmbedded: true,
    runsWeb: true,
    runsWorker: true,
    publicUrl: 'http://127.0.0.1:3000',
  })
})

test('every bad value is named in one message, and an empty one counts as unset', () => {
  const bad = { PORT: '80a', DATABASE_URL: 'mysql://x', ROLE: 'king', PUBLIC_URL: 'portal.example', DATA_DIR: '' }
  expect(() => readSettings(bad)).toThrow(
    /PORT: must be a whole number from 0 to 65535[\s\S]*DATABASE_URL: must start with postgres:\/\/[\s\S]*PUBLIC_URL: must be a URL[\s\S]*ROLE/,
  )
  expect(() => readSettings({ PORT: '70000' })).toThrow('PORT: must be at most 65535')
})

test('a process of only one kind needs a shared database', () => {
  expect(() => readSettings({ ROLE: 'worker' })).toThrow('need DATABASE_URL')
  expect(readSettings({ ROLE: 'worker', DATABASE_URL: 'postgres://db/portal' })).toMatchObject({
    runsWeb: false,
    isEmbedded: false,
  })
})

test('the public URL loses its trailing slash', () => {
  expect(readSettings({ PUBLIC_URL: 'https://portal.example/' }).publicUrl).toBe('https://portal.example')
})

test('providers are listed in order, and settings that belong together are required together', () => {
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

test('every setting may come from a file, so that no secret needs to be in the environment', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'portal-env-'))
  const file = (name: string, text: string) => {
    const full = path.join(folder, name)
    writeFileSync(full, text)
    return full
  }
  const url = file('url', 'postgres://db/portal\n')
  const secret = file('secret', ' 32 characters, of which the first is a space')
  expect(readSettings({ DATABASE_URL_FILE: url, AUTH_SECRET_FILE: secret })).toMatchObject({
    databaseUrl: 'postgres://db/portal',
    authSecret: ' 32 characters, of which the first is a space',
    isEmbedded: false,
  })
  expect(() =>
    readSettings({
      DATABASE_URL: 'postgres://db/portal',
      DATABASE_URL_FILE: url,
      AUTH_SECRET_FILE: path.join(folder, 'nowhere'),
      SMTP_URL_FILE: file('empty', '\n'),
      RESEND_API_KEY_FILE: folder,
    }),
  ).toThrow(
    /DATABASE_URL and DATABASE_URL_FILE are both set[\s\S]*AUTH_SECRET_FILE: .* does not exist[\s\S]*SMTP_URL_FILE: .* is empty[\s\S]*RESEND_API_KEY_FILE: .* cannot be read \(EISDIR\)/,
  )
  // Values from files are validated like any other.
  expect(() => readSettings({ PORT_FILE: file('port', '80a') })).toThrow('PORT: must be a whole number')
  // Names that are not settings of the portal are ignored.
  expect(readSettings({ SOMETHING_ELSE_FILE: '/nowhere' }).isEmbedded).toBe(true)
})

test.skipIf(process.getuid?.() === 0)('an unreadable file is named with advice', () => {
  const full = path.join(mkdtempSync(path.join(os.tmpdir(), 'portal-env-')), 'secret')
  writeFileSync(full, 'x')
  chmodSync(full, 0)
  expect(() => readSettings({ AUTH_SECRET_FILE: full })).toThrow('the user that runs the portal cannot read')
})
