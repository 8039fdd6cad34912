import { expect, test } from 'vitest'
import { signInAdvice } from './sign-in-advice.ts'

const NOW = new Date('2026-11-23T10:00:00Z')
/** Signed in on one device, with nothing to advise. */
const FINE = {
  profile_status: 'active',
  email_verified: true,
  can_get_mail: true,
  sign_in_methods: ['credential'],
  passkeys: 0,
  role_ends_at: null,
  last_login_at: '2026-11-20T10:00:00.000Z',
  sessions: 1,
} as const

test.each([
  ['nothing is in the way', {}, null],
  ['no way to sign in', { sign_in_methods: [], can_get_mail: false, last_login_at: null, sessions: 0 }, 'no_method'],
  ['no session yet', { last_login_at: null, sessions: 0 }, 'never_signed_in'],
  ['no complete account', { email_verified: false, last_login_at: null, sessions: 0 }, 'unconfirmed'],
  ['permission denied: suspended', { profile_status: 'suspended', sessions: 0 }, 'suspended'],
  ['permission denied: the role has ended', { role_ends_at: '2026-11-23T09:59:59.000Z' }, 'role_ended'],
  ['a session that has ended', { sessions: 0 }, 'session_ended'],
  ['a code by mail is a way to sign in', { sign_in_methods: [] }, null],
  ['a passkey is one too', { sign_in_methods: [], can_get_mail: false, passkeys: 1 }, null],
  [
    'who signs in with the hub needs no confirmed address',
    { email_verified: false, sign_in_methods: ['mcgi-hub'] },
    null,
  ],
  ['a role that ends later', { role_ends_at: '2026-11-23T10:00:01.000Z' }, null],
  ['a new account may use the portal', { profile_status: 'pending' }, null],
  ['an erased account', { profile_status: 'deleted', sessions: 0 }, null],
  // The first that has to be removed counts.
  ['suspended and never confirmed', { profile_status: 'suspended', email_verified: false }, 'suspended'],
] as const)('%s', (_name, more, advice) => {
  expect(signInAdvice({ ...FINE, ...more }, NOW)).toBe(advice)
})
