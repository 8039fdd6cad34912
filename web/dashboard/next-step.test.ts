import { expect, test } from 'vitest'
import { nextStep } from './next-step.ts'

test('an address that is not confirmed comes before all else', () => {
  expect(nextStep({ email_verified: false, missing: ['countries', 'phone_number'] })).toEqual({ kind: 'confirm_email' })
})

test('then the countries, without which there is no advice', () => {
  expect(nextStep({ email_verified: true, missing: ['countries', 'phone_number'] })).toEqual({
    kind: 'choose_countries',
  })
})

test('then what is missing of the profile, by name', () => {
  expect(nextStep({ email_verified: true, missing: ['phone_number', 'emergency_contact'] })).toEqual({
    kind: 'finish_profile',
    missing: ['phone_number', 'emergency_contact'],
  })
})

test('and nothing when nothing is missing', () => {
  expect(nextStep({ email_verified: true, missing: [] })).toBeNull()
})
