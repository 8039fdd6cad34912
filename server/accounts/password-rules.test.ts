import { argon2Sync, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from './password-rules.ts'

const PASSWORD = 'seven purple lanterns'
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '')

test('a password is stored as argon2id with a cost of 19 MiB and two passes, and no two hashes are equal', async () => {
  const hashes = [await hashPassword(PASSWORD), await hashPassword(PASSWORD)]
  for (const hash of hashes) {
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(await verifyPassword({ hash, password: PASSWORD })).toBe(true)
    expect(await verifyPassword({ hash, password: `${PASSWORD}.` })).toBe(false)
  }
  expect(hashes[0]).not.toBe(hashes[1])
})

test('a password stored with other parameters is checked with those', async () => {
  const nonce = randomBytes(16)
  const cost = { memory: 64, passes: 3, parallelism: 2, tagLength: 32 }
  const tag = argon2Sync('argon2id', { message: Buffer.from(PASSWORD), nonce, ...cost })
  const hash = `$argon2id$v=19$m=64,t=3,p=2$${base64(nonce)}$${base64(tag)}`
  expect(await verifyPassword({ hash, password: PASSWORD })).toBe(true)
  expect(await verifyPassword({ hash, password: 'another password' })).toBe(false)
})

test.each([
  '',
  'seven purple lanterns',
  '$2b$10$abcdefghijklmnopqrstuv',
  '$argon2id$v=19$m=64,t=3,p=2$',
  '$argon2id$$$$',
])('a stored %j matches no password', async (hash) => {
  expect(await verifyPassword({ hash, password: PASSWORD })).toBe(false)
})
