import { afterEach, expect, test, vi } from 'vitest'
import { registerMessages, translator } from './i18n.tsx'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.resetModules()
})

test('a missing text is the English one, by the plural rules of English', () => {
  registerMessages('en', 'advisories', { found_one: '{{count}} advisory', found_other: '{{count}} advisories' })
  registerMessages('tl', 'advisories', {})
  const t = translator('tl', 'advisories') as (key: string, parameters: object) => string
  // 7 is `one` in Tagalog, and 1 is `one` in both.
  expect([1, 4, 7].map((count) => t('found', { count }))).toEqual(['1 advisory', '4 advisories', '7 advisories'])
  registerMessages('tl', 'advisories', { found_one: '{{count}} advisory', found_other: '{{count}} na advisory' })
  const own = translator('tl', 'advisories') as typeof t
  expect([1, 4, 7].map((count) => own('found', { count }))).toEqual(['1 advisory', '4 na advisory', '7 advisory'])
})

test('so it is in the browser, which loads the English texts of a page that has no others', async () => {
  vi.stubEnv('SSR', false)
  vi.resetModules()
  const { load, translator: translatorOf }: typeof import('./i18n.tsx') = await import('./i18n.tsx')
  expect(await load('tl', 'outbox')).toEqual({})
  expect(translatorOf('tl', 'outbox')('open_title')).toBe('Messages on this computer')
  expect(await load('tl', 'emergency')).toHaveProperty('page_title')
  expect(translatorOf('en', 'emergency')('page_title')).toBe('page_title')
})
