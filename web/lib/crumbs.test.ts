import { describe, expect, test } from 'vitest'
import { nearestPage, pageAt } from '#shared/pages/pages.ts'
import common from '../../public/locales/en/common.json' with { type: 'json' }
import { crumbsOf } from './crumbs.ts'

const en: Record<string, string> = common

describe('breadcrumbs', () => {
  test.each([
    ['/', ['Home']],
    ['/travel-advisories', ['Home', 'Travel']],
    ['/travel-advisories/', ['Home', 'Travel']],
    ['/travel-advisories/0190b7c2', ['Home', 'Travel']],
    ['/travel-advisories/sources', ['Home', 'Travel', 'Official sources']],
    ['/countries', ['Home', 'Travel', 'Countries']],
    ['/travel-faq', ['Home', 'Travel', 'FAQ']],
    ['/church-locator', ['Home', 'Church Locator']],
    ['/ai-chat', ['Home', 'AI Chat']],
    ['/inquiries', ['Home', 'Inquiries']],
    ['/pdos-register', ['Home', 'PDOS Registration']],
    ['/support', ['Home', 'Support']],
    ['/privacy-policy', ['Home', 'Privacy Policy']],
    ['/terms', ['Home', 'Terms of Service']],
    ['/no-such-path', ['Home']],
  ])('%s', (path, labels) => {
    expect(crumbsOf(path, { pageAt, nearestPage }).map(({ label }) => en[label])).toEqual(labels)
  })

  test('link to the canonical URLs (C-01, C-02)', () => {
    expect(crumbsOf('/pdos-register', { pageAt, nearestPage }).at(-1)?.to).toBe('/pdos-register')
    expect(crumbsOf('/privacy-policy').at(-1)?.to).toBe('/privacy-policy')
    expect(crumbsOf('/travel-faq').map(({ to }) => to)).toEqual(['/', '/travel-advisories', '/travel-faq'])
  })
})
