import type { Language } from '#shared/language.ts'
import { type Key, translator } from './i18n.tsx'

/** Page titles by route prefix (000 §2, 001 §2, D-04); the longest match wins. */
const TITLES: Record<string, Key<'common'>> = {
  '/travel-advisories': 'title_travel_advisories',
  '/travel-advisories/sources': 'title_sources',
  '/countries': 'title_countries',
  '/church-locator': 'title_church_locator',
  '/pdos-register': 'title_pdos_register',
  '/travel-faq': 'title_travel_faq',
  '/ai-chat': 'title_ai_chat',
  '/inquiries': 'title_inquiries',
  '/verify-certificate': 'title_verify_certificate',
  '/support': 'title_support',
  '/emergency': 'title_emergency',
  '/privacy-policy': 'title_privacy_policy',
  '/terms': 'title_terms',
  '/login': 'title_login',
  '/signup': 'title_signup',
  '/forgot-password': 'title_forgot_password',
  '/reset-password': 'title_reset_password',
  '/verify-email': 'title_verify_email',
  '/sign-in-link': 'title_sign_in_link',
  '/two-step': 'title_two_step',
  '/authorize': 'title_authorize',
  '/unauthorized': 'title_unauthorized',
  '/dashboard': 'title_dashboard',
  '/dashboard/profile': 'title_profile',
  '/notifications': 'title_notifications',
  '/notifications/preferences': 'title_notification_preferences',
  '/unsubscribe': 'title_unsubscribe',
  '/dashboard/subscriptions': 'title_subscriptions',
  '/status': 'title_status',
  '/undo-change': 'title_undo_change',
  '/account-erased': 'crumb_account_erased',
  '/admin': 'title_admin',
  '/admin/users': 'title_admin_users',
  '/admin/roles': 'title_admin_roles',
  '/admin/travel-advisories': 'title_admin_travel_advisories',
  '/admin/locales/import': 'title_admin_locale_import',
  '/admin/locales': 'title_admin_locales',
  '/admin/chapters': 'title_admin_chapters',
  '/admin/settings': 'title_admin_settings',
  '/admin/analytics': 'title_admin_analytics',
  '/admin/data': 'title_admin_data',
  '/admin/my-churches': 'title_my_churches',
  '/admin/notifications': 'title_admin_notifications',
  '/admin/notifications/new': 'title_new_notice',
  '/admin/notifications/templates': 'title_templates',
  '/admin/notifications/reminders': 'title_reminders',
  '/admin/outbox': 'title_outbox',
  '/admin/roll-calls': 'title_roll_calls',
  '/admin/pdos-modules': 'title_pdos_modules',
  '/admin/assistant': 'title_assistant_admin',
  '/admin/assistant/facts': 'title_facts',
  '/admin/assistant/knowledge': 'title_knowledge',
  '/admin/assistant/cases': 'title_cases',
  '/outbox': 'title_outbox',
  '/internal': 'title_dashboard',
  '/internal/admin': 'title_admin',
  '/internal/admin/users': 'title_admin_users',
  '/internal/admin/roles': 'title_admin_roles',
  '/internal/admin/travel-advisories': 'title_admin_travel_advisories',
  '/internal/admin/settings': 'title_admin_settings',
  '/internal/admin/analytics': 'title_admin_analytics',
}

/** The title key of a URL, or undefined for the portal's own title. */
function titleKeyFor(pathname: string): Key<'common'> | undefined {
  const path = pathname.replace(/\/+$/, '')
  const prefix = Object.keys(TITLES)
    .filter((known) => path === known || path.startsWith(`${known}/`))
    .sort((a, b) => b.length - a.length)[0]
  return prefix === undefined ? undefined : TITLES[prefix]
}

/** '{text} - {product name}'; the product name alone on the landing page and if nothing else is known (C-08). */
export function documentTitle(language: Language, pathname: string, own?: string): string {
  const t = translator(language, 'common')
  const key = titleKeyFor(pathname)
  const text = own ?? (key && t(key))
  return text ? `${text} - ${t('brand')}` : t('brand')
}
