import type { Access } from './roles.ts'

/**
 * Access rule per page (001 §6, the guard table). The longest matching prefix applies; pages not listed are open to
 * anyone. Guards, menus and the admin search read it.
 */
export const PAGE_ACCESS: Readonly<Record<string, Access>> = {
  '/two-step': 'firstStep',
  '/authorize': 'signedIn',
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
  '/admin/pdos-modules': 'readPdosModules',
  '/admin/pdos-modules/new': 'managePdosModules',
  '/admin/assistant': 'manageAssistant',
  '/admin/assistant/cases': 'takeCases',
}

/** The access-table row for a page's path; `.data` is the same page requested by its scripts. */
export function accessOfPage(pathname: string): Access {
  // Paths are matched case-insensitively.
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
  // Browsers drop control characters, which could leave '//' behind.
  if (/[\p{Cc}\\]/u.test(target)) return null
  const url = new URL(target, 'http://portal.invalid')
  // With dot segments removed, '/..//evil.example' is '//evil.example'.
  if (url.host !== 'portal.invalid' || url.pathname.startsWith('//')) return null
  return `${url.pathname}${url.search}${url.hash}`
}
