import { expect, test } from 'vitest'
import { smsSize } from '#shared/delivery/sms.ts'
import texts from './messages.json' with { type: 'json' }
import { translate } from './messages.ts'

const KEYS = Object.keys(texts.tl) as (keyof typeof texts.tl)[]
const placeholders = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort()

test('the languages have the same texts for recipients, with the same placeholders', () => {
  expect(Object.keys(texts.ar)).toEqual(Object.keys(texts.en))
  expect(KEYS.filter((key) => /^(sms|asked|taken)_/.test(key))).toEqual(
    Object.keys(texts.en).filter((key) => /^(sms|asked|taken)_/.test(key)),
  )
  for (const key of KEYS) expect(placeholders(texts.tl[key]), key).toEqual(placeholders(texts.en[key]))
})

test('a reply in Tagalog fits into one text message wherever the English does', () => {
  const values = { helper: 'Maria Dela Cruz', number: '999', link: 'https://portal.example/emergency/SA' }
  const textOf = (language: 'en' | 'tl', key: keyof typeof texts.tl) => translate(language, key, values)
  const replies = [
    ...(['sms_safe', 'sms_not_there', 'sms_not_read'] as const).map((key) => [key]),
    ...(['sms_need_help', 'sms_need_help_nobody', 'sms_ask_back', 'sms_ask_who'] as const).flatMap((key) => [
      [key, 'sms_call'] as const,
      [key, 'sms_call_local'] as const,
    ]),
  ]
  for (const keys of replies) {
    const [english, tagalog] = (['en', 'tl'] as const).map((language) =>
      smsSize(keys.map((key) => textOf(language, key)).join(' ')),
    )
    expect(tagalog!.encoding, keys.join()).toBe('GSM-7')
    expect(tagalog!.segments, keys.join()).toBeLessThanOrEqual(english!.segments)
  }
})
