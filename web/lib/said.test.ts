import { expect, test } from 'vitest'
import forms from '../../public/locales/ar/forms.json' with { type: 'json' }
import english from '../../public/locales/en/forms.json' with { type: 'json' }
import { translator } from './i18n.tsx'
import { said } from './said.ts'

const ar = translator('ar', 'forms', forms)
const en = translator('en', 'forms', english)

test('a sentence of the server is said in the reader’s language', () => {
  expect(said(ar, 'This field is required')).toBe(forms['This field is required'])
  expect(said(en, 'This field is required')).toBe('This field is required')
})

test('its number is kept', () => {
  expect(said(ar, 'Must be at least 10 characters')).toContain('10')
  expect(said(en, 'That was too often. Please try again in 12 minutes.')).toBe(
    'That was too often. Please try again in 12 minutes.',
  )
})

test('several reasons are each said', () => {
  const both = 'Must be at least 10 characters. This password is on lists of common and leaked passwords.'
  expect(said(en, both)).toBe(both)
  expect(said(ar, both)).toBe(
    [
      forms['Must be at least {{n}} characters.'].replace('{{n}}', '10'),
      forms['This password is on lists of common and leaked passwords.'],
    ].join(' '),
  )
})

test('what nobody translated stays readable', () => {
  expect(said(ar, 'The moon is down 3 times.')).toBe('The moon is down 3 times.')
})
