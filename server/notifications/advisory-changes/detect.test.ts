import { expect, test } from 'vitest'
import { SEVERITIES } from '#shared/advisories/severity.ts'
import { SEVERITY_SIGNS } from '#shared/advisories/signs.ts'
import { priorityOf } from './announce.ts'
import { type AdvisoryState, notifyReasonOf } from './detect.ts'

const NOW = new Date('2026-11-21T12:00:00Z')
const warning: AdvisoryState = {
  status: 'actual',
  is_active: true,
  is_urgent: false,
  severity_level: 'warning',
  expiry_date: null,
  withdrawn_at: null,
  country_codes: ['PE'],
  unresolved_countries: [],
  recommendations: ['Register with the embassy.'],
  detailed_information: '<p>Roads are <b>closed</b>.</p>',
}
const draft = { status: 'draft' as const }
const off = { is_active: false, withdrawn_at: NOW }
const ended = { is_active: false, expiry_date: new Date('2026-11-20T00:00:00Z') }

test.each<[string, Partial<AdvisoryState> | null, Partial<AdvisoryState>, ReturnType<typeof notifyReasonOf>]>([
  ['nobody has seen it before', null, {}, 'new'],
  ['a draft is published', draft, {}, 'new'],
  ['a draft is written on', draft, draft, null],
  ['an exercise', null, { status: 'exercise' }, null],
  ['a new one that has ended already', null, ended, null],
  ['read again and the same', {}, {}, null],
  ['more severe', {}, { severity_level: 'critical' }, 'escalated'],
  ['less severe', { severity_level: 'critical' }, {}, null],
  ['urgent now', {}, { is_urgent: true }, 'escalated'],
  ['no longer urgent', { is_urgent: true }, {}, null],
  ['for one country more', {}, { country_codes: ['BO', 'PE'] }, 'escalated'],
  ['for the whole world now', {}, { country_codes: [] }, 'escalated'],
  ['a name found its country', { country_codes: [], unresolved_countries: ['Pérou'] }, {}, 'escalated'],
  ['for the whole world, then for one country', { country_codes: [] }, {}, null],
  ['for one country less', { country_codes: ['BO', 'PE'] }, {}, null],
  ['another instruction', {}, { recommendations: ['Leave now.'] }, 'instruction_changed'],
  ['another detailed instruction', {}, { detailed_information: '<p>Roads are open.</p>' }, 'instruction_changed'],
  ['the same words in other markup', {}, { detailed_information: '<p>Roads are\n closed.</p>' }, null],
  [
    'another instruction of what asks for little',
    { severity_level: 'caution' },
    { severity_level: 'caution', recommendations: ['Look around.'] },
    null,
  ],
  [
    'a further type is named',
    { advisory_type: 'health', advisory_types: ['health'] },
    { advisory_type: 'health', advisory_types: ['health', 'security'] },
    'escalated',
  ],
  [
    'a type is named where everybody was notified: no reason was given',
    { advisory_type: 'general', advisory_types: ['health'] },
    { advisory_type: 'security', advisory_types: ['security', 'health'] },
    null,
  ],
  ['taken off the list by hand', {}, off, 'withdrawn'],
  ['put on the list again', off, {}, 'new'],
  ['it expired', {}, ended, null],
])('%s', (_, before, after, reason) => {
  const change = {
    before: before && { ...warning, ...before },
    after: { ...warning, ...after },
    isTakenBack: after.withdrawn_at instanceof Date,
  }
  expect(notifyReasonOf(change, NOW)).toBe(reason)
})

test('a text that a feed delivers after its list is not a new instruction; one added by an administrator is', () => {
  const change = { before: { ...warning, detailed_information: null }, after: warning }
  expect(notifyReasonOf({ ...change, isFromFeed: true }, NOW)).toBe(null)
  expect(notifyReasonOf(change, NOW)).toBe('instruction_changed')
})

test('urgent and emergency advisories have priority, the end of a danger never does', () => {
  const of = (severity_level: AdvisoryState['severity_level'], is_urgent = false) => ({ severity_level, is_urgent })
  expect(SEVERITIES.map((severity) => priorityOf(of(severity), 'new'))).toEqual([
    'urgent',
    'high',
    'medium',
    'low',
    'low',
  ])
  expect(priorityOf(of('info', true), 'escalated')).toBe('urgent')
  expect(priorityOf(of('emergency', true), 'withdrawn')).toBe('high')
})

test('each level has its own sign and colour, none of them green', () => {
  const signs = SEVERITIES.map((severity) => SEVERITY_SIGNS[severity])
  expect(new Set(signs.map(({ sign }) => sign)).size).toBe(5)
  for (const { sign, colour } of signs) {
    expect(sign).not.toMatch(/[🟢✅💚🟩]/u)
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
    expect(green).toBeLessThan(Math.max(red, blue))
  }
})
