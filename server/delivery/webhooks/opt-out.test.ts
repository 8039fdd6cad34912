import { expect, test } from 'vitest'
import { optOutOf } from './opt-out.ts'

test.each([
  ['STOP', 'stop'],
  [' stop. ', 'stop'],
  ['إيقاف', 'stop'],
  ['ITIGIL', 'stop'],
  ['Itigil!', 'stop'],
  ['START', 'start'],
  ['ابدأ', 'start'],
  ['SIMULAN', 'start'],
  ['simulan', 'start'],
] as const)('%j alone is the keyword "%s"', (text, command) => {
  expect(optOutOf(text)).toBe(command)
})

test.each(['please stop the bus', 'itigil ang away, tulong', 'simulan na natin', 'TULONG', 'LIGTAS', ''])(
  '%j is no keyword',
  (text) => {
    expect(optOutOf(text)).toBeUndefined()
  },
)
