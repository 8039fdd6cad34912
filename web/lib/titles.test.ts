import { beforeAll, describe, expect, test } from 'vitest'
import { nearestPage, pageAt } from '#shared/pages/pages.ts'
import ar from '../../public/locales/ar/common.json' with { type: 'json' }
import en from '../../public/locales/en/common.json' with { type: 'json' }
import { registerMessages } from './i18n.tsx'
import { documentTitle } from './titles.ts'

beforeAll(() => {
  registerMessages('en', 'common', en)
  registerMessages('ar', 'common', ar)
})

describe('document title', () => {
  test.each([
    ['/', 'MFA Portal'],
    ['/zzz', 'MFA Portal'],
    ['/travel-advisories', 'Travel Advisories - MFA Portal'],
    ['/travel-advisories/', 'Travel Advisories - MFA Portal'],
    ['/travel-advisories/0190b7c2', 'Travel Advisories - MFA Portal'],
    ['/travel-advisories/sources', 'Official sources - MFA Portal'],
    ['/travel-advisoriesX', 'MFA Portal'],
    ['/countries/JP', 'Countries - MFA Portal'],
    ['/church-locator', 'Church Locator - MFA Portal'],
    ['/pdos-register', 'PDOS Registration - MFA Portal'],
    ['/travel-faq', 'Travel FAQ - MFA Portal'],
    ['/ai-chat', 'AI Assistant - MFA Portal'],
    ['/inquiries', 'Inquiries - MFA Portal'],
    ['/verify-certificate/ABC', 'Verify Certificate - MFA Portal'],
    ['/support', 'Support - MFA Portal'],
    ['/privacy-policy', 'Privacy Policy - MFA Portal'],
    ['/terms', 'Terms of Service - MFA Portal'],
    ['/login', 'Login - MFA Portal'],
    ['/signup', 'Sign Up - MFA Portal'],
    ['/internal', 'Dashboard - MFA Portal'],
    ['/internal/admin', 'Admin Dashboard - MFA Portal'],
    ['/internal/admin/users/1', 'User Management - MFA Portal'],
    ['/internal/admin/roles', 'Role Management - MFA Portal'],
    ['/internal/admin/travel-advisories', 'Travel Advisories Admin - MFA Portal'],
    ['/internal/admin/settings', 'System Settings - MFA Portal'],
    ['/internal/admin/analytics', 'System Analytics - MFA Portal'],
    ['/admin/data', 'Data Management - MFA Portal'],
    ['/admin/users', 'User Management - MFA Portal'],
  ])('%s is %s', (path, title) => {
    expect(documentTitle('en', path, undefined, { pageAt, nearestPage })).toBe(title)
  })

  test('a page with its own title uses it', () => {
    expect(documentTitle('en', '/countries/JP', 'Japan')).toBe('Japan - MFA Portal')
  })

  test('is translated into Arabic', () => {
    expect(documentTitle('ar', '/travel-faq')).toBe('أسئلة السفر الشائعة - بوابة MFA')
    expect(documentTitle('ar', '/')).toBe('بوابة MFA')
  })
})
