import { expect, test } from 'vitest'
import type { Advisory, AdvisorySource } from '#shared/advisories/endpoints.ts'
import type { SourceStateName } from '#shared/advisories/freshness.ts'
import type { Severity } from '#shared/advisories/severity.ts'
import { countryLevels } from './country-levels.ts'

const source = (id: string, state: SourceStateName) =>
  ({ id, state, reading: state, captured_on: null }) as AdvisorySource
const SOURCES = [
  source('uk', 'confirmed'),
  source('us', 'not_confirmed'),
  source('ph', 'manual'),
  source('ca', 'captured'),
]

const advisory = (source_id: string, severity_level: Severity, ...country_codes: string[]) =>
  ({ source_id, severity_level, country_codes, captured_on: null }) as unknown as Advisory
const levelsOf = (...advisories: Advisory[]) =>
  countryLevels(advisories, SOURCES).map(
    ({ code, severity_level, is_confirmed }) => `${code} ${severity_level}${is_confirmed ? '' : '?'}`,
  )

test('each country has the most serious level of any source, most serious first', () => {
  expect(levelsOf(advisory('uk', 'info', 'QA', 'FR'), advisory('ph', 'warning', 'QA'))).toEqual([
    'QA warning',
    'FR info',
  ])
})

test('a level of sources that are not confirmed stays, and is marked', () => {
  expect(levelsOf(advisory('us', 'emergency', 'QA'), advisory('uk', 'caution', 'QA'))).toEqual(['QA emergency?'])
  expect(levelsOf(advisory('ca', 'caution', 'QA'))).toEqual(['QA caution?'])
})

test('one confirmed source of the same level is enough, in either order', () => {
  const [late, current] = [advisory('us', 'warning', 'QA'), advisory('uk', 'warning', 'QA')]
  expect(levelsOf(late, current)).toEqual(['QA warning'])
  expect(levelsOf(current, late)).toEqual(['QA warning'])
})

test('an advisory from a snapshot is not confirmed merely because its source is', () => {
  expect(levelsOf({ ...advisory('uk', 'warning', 'QA'), captured_on: '2026-05-20' })).toEqual(['QA warning?'])
})

test('advisories on no country, unknown sources and an empty list', () => {
  expect(levelsOf(advisory('uk', 'emergency'))).toEqual([])
  expect(levelsOf(advisory('gone', 'warning', 'QA'))).toEqual(['QA warning?'])
  expect(levelsOf()).toEqual([])
})
