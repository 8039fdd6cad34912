import type { Access } from './roles.ts'

/**
 * Who may open which page (001 §6, the guard table). The longest matching beginning counts; what is not listed is open
 * to anyone. Guards, menus and the search of the admin area read it.
 */
export const PAGE_ACCESS: Readonly<Record<string, Access>> = {
  '/two-step': 'firstStep',
  '/dashboard': 'signedIn',
  '/notifications': 'signedIn',
  '/admin': 'overview',
  '/admin/account': 'signedIn',
  '/admin/coordinator': 'coordinate',
  '/admin/search': 'searchAdmin',
  '/admin/my-churches': 'careForLocales',
  '/admin/users': 'verifyAccounts',
  '/admin/roles': 'manageUsers',
  '/admin/travel-advisories': 'manageAdvisories',
  '/admin/locales': 'manageLocales',
  '/admin/chapters': 'readChapters',
  '/admin/chapters/new': 'manageChapters',
  '/admin/settings': 'manageSettings',
  '/admin/data': 'readAudit',
  '/admin/outbox': 'readOutbox',
  '/admin/notifications': 'composeNotices',
  '/admin/notifications/templates': 'manageNotifications',
  '/admin/notifications/reminders': 'manageNotifications',
  '/admin/roll-calls': 'rollCalls',
  '/admin/assistant': 'manageAssistant',
  '/admin/assistant/cases': 'takeCases',
}

/** The row of the access table for a page's address; `.data` is the same page asked for by its scripts. */
export function accessOfPage(pathname: string): Access {
  // Addresses are matched whatever their case.
  const path = pathname
    .toLowerCase()
    .replace(/\.data$/, '')
    .replace(/\/_root$/, '')
  for (let at = path; at; at = at.slice(0, at.lastIndexOf('/')))
    if (Object.hasOwn(PAGE_ACCESS, at)) return PAGE_ACCESS[at]!
  return 'anyone'
}

/** An address on this portal to go to after signing in, or null for anything else (F-17). */
export function safeReturnTo(target: string | null | undefined): string | null {
  if (!target || target.length > 500 || !/^\/(?![/\\])/.test(target)) return null
  // Control characters are dropped by browsers, which could leave '//' behind.
  if (/[\p{Cc}\\]/u.test(target)) return null
  const url = new URL(target, 'http://portal.invalid')
  // Without its dots '/..//evil.example' is '//evil.example'.
  if (url.host !== 'portal.invalid' || url.pathname.startsWith('//')) return null
  return `${url.pathname}${url.search}${url.hash}`
}
