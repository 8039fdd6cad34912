import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SIGN_IN_CHANGE_KINDS } from '#shared/accounts/sign-in-changes.ts'
import { smsSize } from '#shared/delivery/sms.ts'
import { LANGUAGE_TAGS, LANGUAGES, type Language } from '#shared/language.ts'
import { render, TEXTS, type Template, type Text } from './render.ts'
import { checkValues, problemsOf } from './required-values.ts'

const TEMPLATES = Object.keys(TEXTS.en.templates) as Template[]
const VALUES = {
  brand: 'MFA Portal',
  link: 'https://portal.example/verify-email?token=abc&x=1',
  minutes: 10,
  code: '123456',
  name: 'Ana',
  email: 'ana@example.org',
  role: 'admin',
  status: 'active',
  change: 'phone_added',
  reason: 'Documents were missing.',
  question: 'Which church do you attend?',
  time: '21 November 2026, 13:00 UTC',
  place: 'Locale of Shinjuku',
  sender: 'Ben',
  contact: 'ben@example.org',
  title: 'The office is closed',
  message: 'Is there a service\nin English?',
  spoken: 'English',
  day: '29 November 2026',
  days: 30,
  count: 12,
  severity: '▲ Emergency',
  countries: 'Peru and Chile',
  snippet: 'Flights end tonight.',
  source: 'Department of State',
  dated: 'Published 21 November 2026',
} as const
const TO_MANY = {
  unsubscribe: 'https://portal.example/unsubscribe/abc',
  items: [{ title: 'Leave Peru', link: 'https://portal.example/travel-advisories/1' }],
}
const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '</p><script>alert(1)</script>',
    '" onmouseover="x',
    'a\r\nBcc: everybody@example.org',
    '{{link}}',
    '$&',
    '\u202Egpj.exe',
    '\u2028x',
    'علي <b>',
    '\ud800',
  ),
)
const tagsOf = (html: string) => html.match(/<\/?[a-z!][^>]*>/gi)
const placeholders = (text: string) => text.match(/\{\{\w+\}\}/g) ?? []

test('all languages have the same templates with the same parts and placeholders', () => {
  const shape = (language: Language) =>
    Object.entries(TEXTS[language].templates).map(([name, text]) => {
      const { subject, lines, button, answers = {}, greets, isRequested, sms } = text as Text
      const filled = [...placeholders(subject), ...lines.flatMap(placeholders), ...placeholders(sms ?? '')].sort()
      return [name, lines.length, Boolean(button), Object.keys(answers), greets, isRequested, Boolean(sms), filled]
    })
  for (const language of LANGUAGES) expect(shape(language), language).toEqual(shape('en'))
  for (const text of Object.values(TEXTS.ar.templates))
    expect(
      [text.subject, ...text.lines].every(
        (line) => /^(\{\{\w+\}\}[: ]*)+$/.test(line) || /\p{Script=Arabic}/u.test(line),
      ),
    ).toBe(true)
})

test.each(TEMPLATES.flatMap((template) => LANGUAGES.map((language) => [template, language] as const)))(
  '%s in %s is filled completely, and no value becomes markup or a header',
  (template, language) => {
    const usual = render(template, language, { ...VALUES, ...TO_MANY } as never)
    expect(placeholders(usual.subject + usual.text + usual.html + (usual.sms ?? ''))).toEqual([])
    expect(usual.html).toContain(`<html lang="${LANGUAGE_TAGS[language]}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`)
    const names = ['brand', 'code', 'name', 'email', 'time', 'place', 'sender', 'contact', 'day', 'title'] as const
    const text = fc.record(Object.fromEntries(names.map((name) => [name, hostile])))
    fc.assert(
      fc.property(text, hostile, (values, query) => {
        const link = `https://portal.example/x?token=${encodeURIComponent(query.toWellFormed())}`
        const { subject, html, text } = render(template, language, { ...VALUES, ...TO_MANY, ...values, link } as never)
        const address = new URL(link).href.replaceAll("'", '&#39;')
        expect(tagsOf(html.replaceAll(address, ''))).toEqual(
          tagsOf(usual.html.replaceAll(VALUES.link.replace('&', '&amp;'), '')),
        )
        expect(subject).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e]/u)
        expect(subject.isWellFormed() && subject.length <= 200).toBe(true)
        expect(text).not.toMatch(/\r|\u202e/)
      }),
    )
  },
)

test('a message without a link has no button, and one with a link has it as text too', () => {
  expect(render('sign-in-code', 'en', VALUES).html).not.toContain('<a ')
  const { text, html } = render('reset-password', 'en', VALUES)
  expect(text).toContain(VALUES.link)
  expect(html.match(/href="https:\/\/portal\.example\/verify-email\?token=abc&amp;x=1"/g)).toHaveLength(2)
})

test('a message with an invalid link is not sent', () => {
  expect(() => render('welcome', 'en', { ...VALUES, link: 'javascript:alert(1)' })).toThrow('leads to a page')
})

test('roles and statuses are in the recipient’s language', () => {
  expect(render('role-changed', 'ar', VALUES).text).toContain('مسؤول النظام')
  expect(render('status-changed', 'en', { ...VALUES, status: 'suspended' }).text).toContain('suspended.')
})

test('a status change without a reason omits its line', () => {
  expect(render('status-changed', 'en', { ...VALUES, reason: '' }).text).not.toContain('Reason')
})

test('a code fits into one text message', () => {
  expect(render('sign-in-code', 'en', VALUES).sms!.length).toBeLessThanOrEqual(160)
  expect(render('sign-in-code', 'ar', VALUES).sms!.length).toBeLessThanOrEqual(70)
})

test('a text message in Tagalog takes no more segments than in English', () => {
  const link = `https://portal.example/undo-change/${'a'.repeat(43)}`
  for (const change of SIGN_IN_CHANGE_KINDS) {
    const [english, tagalog] = (['en', 'tl'] as const).map((language) =>
      smsSize(render('sign-in-changed', language, { ...VALUES, change, link }).sms!),
    )
    expect(tagalog!.encoding).toBe('GSM-7')
    expect(tagalog!.segments, change).toBeLessThanOrEqual(english!.segments)
  }
  expect(smsSize(render('sign-in-code', 'tl', VALUES).sms!)).toMatchObject({ encoding: 'GSM-7', segments: 1 })
})

test('visitor text keeps its line breaks, and the message names where replies go', () => {
  const { text, html } = render('locale-question', 'en', VALUES, true)
  expect(text).toContain('Is there a service\n\nin English?')
  expect(html).toContain('<bdi>in English?</bdi></p>')
  expect(text).toContain('Your reply goes to the person who wrote')
  const bare = render('locale-question', 'en', { ...VALUES, message: '\n', spoken: '' }).text
  expect(bare).not.toMatch(/Languages:|\{\{/)
  expect(bare).toContain('We do not read replies')
})

test('bulk mail has an unsubscribe link, and a roll call a button for each answer', () => {
  const { text, html } = render('roll-call', 'en', { ...VALUES, link: '{{answer}}', unsubscribe: '{{unsubscribe}}' })
  for (const answer of ['safe', 'need_help', 'not_there']) {
    expect(html).toContain(`href="{{answer}}?answer=${answer}"`)
    expect(text).toContain(`{{answer}}?answer=${answer}`)
  }
  expect(html).toContain('href="{{unsubscribe}}"')
  expect(text).toContain('Unsubscribe from messages like this: {{unsubscribe}}')
})

test('a digest lists its advisories with their links', () => {
  const { text, html } = render('digest', 'en', { ...VALUES, ...TO_MANY })
  expect(text).toContain('- Leave Peru\n  https://portal.example/travel-advisories/1')
  expect(html).toContain('<bdi>Leave Peru</bdi></a>')
})

test('an advisory without required values is not rendered', () => {
  expect(problemsOf('advisory', { name: ' ', title: '', severity: undefined, countries: [] })).toEqual({
    name: 'User name is required',
    title: 'Advisory title is required',
    severity: 'Advisory severity is required',
    countries: 'Affected countries are required',
  })
  expect(() => checkValues('advisory', { ...VALUES, countries: '' })).toThrow('Template validation failed')
  expect(() => checkValues('advisory', VALUES)).not.toThrow()
  expect(problemsOf('announcement', { title: 'x' })).toEqual({ message: 'This field is required' })
})
