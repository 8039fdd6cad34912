import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { AUDIT_ACTIONS } from '#shared/audit/actions.ts'
import type { AuditEntry } from '#shared/audit/endpoints.ts'
import { registerMessages, translator } from '#web/lib/i18n.tsx'
import { namesIn, readableEntries } from './entries.server.ts'
import { sentenceOf } from './sentence.ts'

const LOCALES = path.resolve(import.meta.dirname, '../../public/locales')
const LANGUAGES = ['en', 'ar'] as const
for (const language of LANGUAGES)
  for (const file of readdirSync(path.join(LOCALES, language)))
    registerMessages(
      language,
      file.replace('.json', ''),
      JSON.parse(readFileSync(path.join(LOCALES, language, file), 'utf8')),
    )

const ANA = '0b5f3c6e-0000-4000-8000-000000000001'
const BEN = '0b5f3c6e-0000-4000-8000-000000000002'

const entry = (action: string, more: Partial<AuditEntry> = {}): AuditEntry => ({
  ...{ id: 1, at: '2026-09-27T08:12:00.000Z', action, before: null, after: null, reason: null, names: {} },
  ...{ actor_id: ANA, actor_name: 'Ana Cruz', actor_role: 'admin' },
  ...{ subject_type: 'user', subject_id: BEN, subject_name: 'Ben Reyes' },
  ...more,
})
const PORTAL = { actor_id: null, actor_name: null, actor_role: 'service' }
const subject = (subject_type: string, subject_id: string, subject_name: string | null = null) => ({
  ...{ subject_type, subject_id, subject_name },
})

function read(of: AuditEntry, language: (typeof LANGUAGES)[number] = 'en'): string {
  const parts = sentenceOf(of, {
    t: translator(language, 'audit'),
    settings: translator(language, 'settings'),
    admin: translator(language, 'admin'),
    names: namesIn(language),
  })
  return parts
    .map(({ text }) => text)
    .join('')
    .replace(/[\u2068\u2069]/g, '')
}

test.each([
  [
    entry('user.role', { before: { role: 'member' }, after: { role: 'mfa_coordinator', scope_countries: ['QA'] } }),
    'Ana Cruz made Ben Reyes MFA coordinator for Qatar.',
    'Ana Cruz: تعيين Ben Reyes بصفة منسّق MFA في قطر.',
  ],
  [
    entry('user.role', { before: { role: 'member' }, after: { role: 'admin', scope_countries: null } }),
    'Ana Cruz made Ben Reyes administrator.',
    'Ana Cruz: تعيين Ben Reyes بصفة مسؤول النظام.',
  ],
  [
    entry('user.role', {
      before: { role: 'mfa_coordinator' },
      after: { role: 'mfa_coordinator', scope_countries: ['HK', 'MO'] },
    }),
    'Ana Cruz changed what Ben Reyes looks after: Hong Kong, Macau.',
    null,
  ],
  [entry('user.verify'), 'Ana Cruz verified the account of Ben Reyes.', null],
  // Both were erased: nothing is left of their names.
  [
    entry('user.verify', { actor_name: null, subject_name: null }),
    'A deleted account verified the account of a deleted account.',
    'حساب محذوف: توثيق حساب حساب محذوف.',
  ],
  [
    entry('advisory.withdraw', { ...PORTAL, ...subject('travel_advisory', BEN, 'Do not travel') }),
    'The portal withdrew the advisory “Do not travel”.',
    'البوابة: سحب إرشاد السفر «Do not travel».',
  ],
  [
    entry('advisory.delete', { ...subject('travel_advisory', BEN), before: { title: 'Old news' } }),
    'Ana Cruz deleted the advisory “Old news”.',
    null,
  ],
  [entry('advisory.edit', subject('travel_advisory', BEN)), 'Ana Cruz edited a deleted advisory.', null],
  [
    entry('setting.change', {
      ...subject('setting', 'notifications.approval_above'),
      ...{ before: { value: 200 }, after: { value: 500 } },
    }),
    'Ana Cruz changed the setting “Announcements above this many recipients need a second approval” from 200 to 500.',
    null,
  ],
  [
    entry('roll_call.start', {
      ...subject('roll_call', BEN, 'Earthquake'),
      after: { title: 'Earthquake', people: 118 },
    }),
    'Ana Cruz started the roll call “Earthquake” for 118 people.',
    null,
  ],
  [
    entry('roll_call.start', { ...subject('roll_call', BEN, 'Earthquake'), after: { people: 1 } }),
    'Ana Cruz started the roll call “Earthquake” for one person.',
    null,
  ],
  [
    entry('roll_call.answer', {
      ...PORTAL,
      ...subject('roll_call', BEN, 'Earthquake'),
      ...{ after: { user_id: ANA, answer: 'need_help', via: 'web' }, names: { [ANA]: 'ليلى خوري' } },
    }),
    'ليلى خوري asked for help in the roll call “Earthquake”.',
    null,
  ],
  [
    entry('roll_call.ask_helper', {
      ...PORTAL,
      ...subject('roll_call', BEN, 'Earthquake'),
      ...{ after: { user_id: ANA, helpers: [BEN, 'gone'] }, names: { [ANA]: 'Leah', [BEN]: 'Ben Reyes' } },
    }),
    'The portal asked Ben Reyes, a deleted account to help Leah in the roll call “Earthquake”.',
    null,
  ],
  [
    entry('countries.alias', { ...subject('country_alias', 'Persia'), after: { country_code: 'IR', resolved: 2 } }),
    'Ana Cruz linked the name “Persia” to Iran.',
    null,
  ],
  [
    entry('file.read', { ...subject('file', BEN), before: { owner_id: BEN } }),
    'Ana Cruz opened a file of a deleted account.',
    null,
  ],
  [
    entry('user.status', { subject_name: 'Ben Reyes' }),
    'Ana Cruz recorded “Account status changed” about Ben Reyes.',
    null,
  ],
  [entry('thing.melt', subject('thing', '42')), 'Ana Cruz recorded “thing.melt” about 42.', null],
])('%#: what an entry says', (of, english, arabic) => {
  expect(read(of)).toBe(english)
  if (arabic) expect(read(of, 'ar')).toBe(arabic)
})

test.each(LANGUAGES)('every action has a sentence of its own in %s, whatever is left of its record', (language) => {
  const t = translator(language, 'audit')
  const general = t('other').replaceAll(/\{\{\w+\}\}/g, '')
  for (const action of AUDIT_ACTIONS)
    for (const of of [
      entry(action),
      entry(action, { ...PORTAL, subject_name: null, after: { people: 3, locales: 3 } }),
    ]) {
      const text = read(of, language)
      expect(text, action).not.toContain('{{')
      expect(text, action).not.toContain(action)
      expect(text, action).not.toContain(general)
      expect(text, action).toMatch(/\.$/)
      // Both languages say the same: no text of the other one shines through.
      if (language === 'ar')
        expect(text.replace(/Ana Cruz|Ben Reyes|PDOS|0b5f[\w-]+|user/g, ''), action).not.toMatch(/[a-z]{3}/i)
    }
})

test('a sentence does not run markup or placeholders that a name contains', () => {
  const [shown] = readableEntries('en', [entry('user.verify', { actor_name: '{{object}} <b>' })])
  expect(shown?.sentence[0]).toEqual({ kind: 'actor', text: '{{object}} <b>', to: `/admin/users/${ANA}` })
  expect(shown?.sentence.filter(({ text }) => text === 'Ben Reyes')).toHaveLength(1)
})

test('only records that exist have a link', () => {
  const linked = (of: AuditEntry) => readableEntries('en', [of])[0]!.sentence.flatMap(({ to }) => to ?? [])
  expect(linked(entry('advisory.edit', subject('travel_advisory', 'x y', 'Now')))).toContain(
    '/admin/travel-advisories/x%20y',
  )
  expect(linked(entry('advisory.edit', subject('travel_advisory', 'x')))).toEqual([`/admin/users/${ANA}`])
})

test('changed fields have names that people know, and values they can read', () => {
  const [shown] = readableEntries('en', [
    entry('user.role', {
      before: { role: 'member', scope_countries: null, role_ends_at: null, odd_field: 1 },
      after: {
        role: 'mfa_coordinator',
        scope_countries: ['HK'],
        role_ends_at: '2027-12-31T23:59:59.000Z',
        odd_field: true,
      },
    }),
  ])
  expect(shown?.changes).toEqual([
    { field: 'Role', before: { text: 'member' }, after: { text: 'MFA coordinator' } },
    { field: 'Countries', before: { text: 'none' }, after: { text: '\u2068Hong Kong\u2069' } },
    { field: 'Until', before: { text: 'none' }, after: { at: '2027-12-31T23:59:59.000Z' } },
    { field: 'odd field', before: { text: '1' }, after: { text: 'yes' } },
  ])
})

test('a long value is cut, and one of any shape is shown', () => {
  const of = entry('user.update', { before: 'one', after: { deep: { a: [{ b: 1 }] }, text: 'x'.repeat(5000) } })
  const { changes } = readableEntries('en', [of])[0]!
  expect(changes[0]).toEqual({ field: 'Value', before: { text: 'one' }, after: null })
  expect(changes[1]).toEqual({ field: 'deep', before: null, after: { text: '{"a":[{"b":1}]}' } })
  expect((changes[2]!.after as { text: string }).text).toHaveLength(401)
})
