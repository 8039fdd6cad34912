import { expect, test } from 'vitest'
import { nextStep } from './next-step.ts'

test('an unconfirmed address comes before all else', () => {
  expect(nextStep({ email_verified: false, missing: ['countries', 'phone_number'] })).toEqual({ kind: 'confirm_email' })
})

test('then the countries, without which there is no advice', () => {
  expect(nextStep({ email_verified: true, missing: ['countries', 'phone_number'] })).toEqual({
    kind: 'choose_countries',
  })
})

test('then the missing profile fields, by name', () => {
  expect(nextStep({ email_verified: true, missing: ['phone_number', 'emergency_contact'] })).toEqual({
    kind: 'finish_profile',
    missing: ['phone_number', 'emergency_contact'],
  })
})

test('null when nothing is missing', () => {
  expect(nextStep({ email_verified: true, missing: [] })).toBeNull()
})
