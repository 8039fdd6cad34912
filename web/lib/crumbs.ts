import type { Key } from './i18n.tsx'

export interface Crumb {
  label: Key<'common'>
  to: string
}

const HOME: Crumb = { label: 'crumb_home', to: '/' }
const TRAVEL: Crumb = { label: 'crumb_travel', to: '/travel-advisories' }

/**
 * Breadcrumbs by route prefix, without Home; the last entry is the page itself. The labels differ from those of the
 * menu (C-03).
 */
const TRAILS: Record<string, readonly Crumb[]> = {
  '/travel-advisories': [TRAVEL],
  '/travel-advisories/sources': [TRAVEL, { label: 'crumb_sources', to: '/travel-advisories/sources' }],
  '/countries': [TRAVEL, { label: 'crumb_countries', to: '/countries' }],
  '/travel-faq': [TRAVEL, { label: 'crumb_faq', to: '/travel-faq' }],
  '/church-locator': [{ label: 'crumb_church_locator', to: '/church-locator' }],
  '/ai-chat': [{ label: 'crumb_ai_chat', to: '/ai-chat' }],
  '/inquiries': [{ label: 'crumb_inquiries', to: '/inquiries' }],
  '/pdos-register': [{ label: 'crumb_pdos_register', to: '/pdos-register' }],
  '/support': [{ label: 'crumb_support', to: '/support' }],
  '/status': [{ label: 'crumb_status', to: '/status' }],
  '/privacy-policy': [{ label: 'crumb_privacy_policy', to: '/privacy-policy' }],
  '/unsubscribe': [{ label: 'title_unsubscribe', to: '/unsubscribe' }],
  '/undo-change': [{ label: 'title_undo_change', to: '/undo-change' }],
  '/account-erased': [{ label: 'crumb_account_erased', to: '/account-erased' }],
  '/terms': [{ label: 'crumb_terms', to: '/terms' }],
}

/** The breadcrumbs of a URL, Home first. The longest prefix wins, as with titles. */
export function crumbsOf(pathname: string): readonly Crumb[] {
  const path = pathname.replace(/\/+$/, '')
  const prefix = Object.keys(TRAILS)
    .filter((known) => path === known || path.startsWith(`${known}/`))
    .sort((a, b) => b.length - a.length)[0]
  return prefix ? [HOME, ...TRAILS[prefix]!] : [HOME]
}
