import { expect, test } from 'vitest'
import forms from '../../public/locales/ar/forms.json' with { type: 'json' }
import english from '../../public/locales/en/forms.json' with { type: 'json' }
import { translator } from './i18n.tsx'
import { translateMessage } from './server-messages.ts'

const ar = translator('ar', 'forms', forms)
const en = translator('en', 'forms', english)

test('a server message is translated into the user’s language', () => {
  expect(translateMessage(ar, 'This field is required')).toBe(forms['This field is required'])
  expect(translateMessage(en, 'This field is required')).toBe('This field is required')
})

test('its number is preserved', () => {
  expect(translateMessage(ar, 'Must be at least 10 characters')).toContain('10')
  expect(translateMessage(en, 'Too many attempts. Please try again in 12 minutes.')).toBe(
    'Too many attempts. Please try again in 12 minutes.',
  )
})

test('several reasons are translated separately', () => {
  const both = 'Must be at least 10 characters. This password is on a list of common or leaked passwords.'
  expect(translateMessage(en, both)).toBe(both)
  expect(translateMessage(ar, both)).toBe(
    [
      forms['Must be at least {{n}} characters.'].replace('{{n}}', '10'),
      forms['This password is on a list of common or leaked passwords.'],
    ].join(' '),
  )
})

test('an untranslated message stays readable', () => {
  expect(translateMessage(ar, 'The moon is down 3 times.')).toBe('The moon is down 3 times.')
})
