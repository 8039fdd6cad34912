import { expect, test } from 'vitest'
import { pageStateOf } from './page-state.ts'

const base = { isLoading: false, hasFailed: false, shown: 9, total: 50, isFiltered: true }

test.each([
  ['loading', { isLoading: true, hasFailed: true }],
  ['error', { hasFailed: true }],
  ['list', {}],
  ['no_match', { shown: 0 }],
  ['empty', { shown: 0, total: 0 }],
  ['empty', { shown: 0, total: 0, isFiltered: false }],
] as const)('%s', (state, more) => expect(pageStateOf({ ...base, ...more })).toBe(state))
