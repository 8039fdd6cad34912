import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isShown, isShownInTicker } from './visibility.ts'

const advisory = (title: string, more: { id?: string; source_organization?: string } = {}) => ({
  id: '0b0c7f0e-8b1e-4a55-9d5e-1f2a3b4c5d6e',
  source_organization: 'U.S. Department of State',
  title,
  ...more,
})

describe('keeps every real advisory', () => {
  test.each([
    'Protests in Lima',
    'Protests in Paris',
    'Latest security update',
    'Contested election',
    'COVID testing rules',
    'Tests required on arrival',
    'North Korea: nuclear test announced',
    'Ballistic-missile test near Japan',
    'PCR test required for entry',
    'Health system: hospitals are full',
    'Ecosystem: fires in the park',
    'Attestation of documents',
    'Testour: unrest',
  ])('%s', (title) => {
    expect(isShown(advisory(title), [])).toBe(true)
    expect(isShownInTicker(advisory(title), '')).toBe(true)
  })

  test('keeps a title that does not contain the word on its own', () => {
    const words = fc
      .stringMatching(/^[A-Za-zÀ-ÖØ-öøء-ي]{0,6}(test|Test|TEST)?[A-Za-z]{1,6}$/)
      .filter((word) => word.toLowerCase() !== 'test')
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 8 }), fc.uuid(), (tokens, id) => {
        expect(isShownInTicker(advisory(tokens.join(' '), { id }), '')).toBe(true)
        expect(isShown(advisory(tokens.join(' '), { id }), [])).toBe(true)
      }),
    )
  })
})

describe('any single rule removes an advisory (C-23)', () => {
  test.each([
    'Test advisory',
    'TEST - please ignore',
    'This is a test.',
    '[test] Japan',
    'System: maintenance tonight',
    '[SYSTEM: info]',
    'system : restart',
  ])('%s', (title) => {
    expect(isShown(advisory(title), [])).toBe(false)
    expect(isShownInTicker(advisory(title), '')).toBe(false)
  })

  test('ids', () => {
    expect(isShown(advisory('Japan', { id: 'test-1' }), [])).toBe(false)
    expect(isShown(advisory('Japan', { id: 'MCGI-General-7' }), [])).toBe(false)
    expect(isShownInTicker(advisory('Japan', { id: 'advisory-test' }), '')).toBe(false)
    expect(isShown(advisory('Japan', { id: 'latest-9' }), [])).toBe(true)
  })

  test('filters by source only if a list is configured', () => {
    const approved = ['Department of Foreign Affairs', 'System', 'System Monitor']
    const dfa = advisory('Alert level 3', { source_organization: ' department of  foreign affairs' })
    expect(isShown(dfa, approved)).toBe(true)
    expect(isShownInTicker(dfa, approved[0]!)).toBe(true)
    expect(isShown(advisory('Japan', { source_organization: 'System Monitor' }), approved)).toBe(true)
    expect(isShownInTicker(advisory('Japan', { source_organization: 'System Monitor' }), approved[0]!)).toBe(false)
    expect(isShown(advisory('Japan'), approved)).toBe(false)
  })
})
