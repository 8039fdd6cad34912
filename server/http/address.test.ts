import { expect, test } from 'vitest'
import { addressOf, networkOf, subnetOf } from './address.ts'

test.each([
  ['203.0.113.9', '203.0.113.9'],
  [' 203.0.113.9:51234 ', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['[::ffff:203.0.113.9]:443', '203.0.113.9'],
  ['::ffff:cb00:7109', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::9]:8443', '2001:db8:1:2::/64'],
  ['"[2001:db8:1:2::9]"', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['2001:db8::', '2001:db8:0:0::/64'],
  ['64:ff9b::203.0.113.9', '64:ff9b:0:0::/64'],
])('%s counts as %s', (text, counted) => expect(addressOf(text)).toBe(counted))

test.each(['', 'unknown', '_hidden', '203.0.113', '1.2.3.4.5', '999.1.1.1', '2001:db8', '<script>', 'x'.repeat(5_000)])(
  'invalid text has no address: %s',
  (text) => expect(addressOf(text)).toBeUndefined(),
)

test('wider networks', () => {
  expect(subnetOf('2001:db8:1:2ab::/64')).toBe('2001:db8:1:200::/56')
  expect(subnetOf('203.0.113.9')).toBeUndefined()
  expect(networkOf('2001:db8:1:2ab::/64')).toBe('2001:db8:1::/48')
  expect(networkOf('203.0.113.9')).toBe('203.0.113.0/24')
  expect(networkOf('')).toBe('')
})
