import { adminLanguage, type Language } from '#shared/language.ts'
import { lookupIn, type PageEntry } from './entry.ts'
import { OPEN_PAGES } from './open.ts'
import { SIGNED_IN_PAGES } from './signed-in.ts'

/**
 * What else the specification names: pages that do not exist yet. Once one does, its entry moves above, with its item:
 * in the public menu PDOS Registration and Inquiries after Find Churches; in `core` PDOS Applications, Inquiries,
 * Brethren Monitoring (to /admin/overseas-brethren), Endorsements, Notifications, Attendance; in `system` Reports &
 * Analytics after Data Management; in `operations` PDOS Applications (not for local servants, C-10), Inquiries,
 * Endorsements, Attendance (only for local servants and MFA coordinators).
 */
const PLANNED = {
  '/pdos-register': { title: 'title_pdos_register', crumb: 'crumb_pdos_register' },
  '/inquiries': { title: 'title_inquiries', crumb: 'crumb_inquiries', keywords: ['inquiries'] },
  '/verify-certificate': { title: 'title_verify_certificate' },
  '/admin/pdos-applications': { keywords: ['pdos', 'applications'] },
  '/admin/analytics': { title: 'title_admin_analytics' },
  // Not a page: redirects to the administration.
  '/internal': { title: 'title_dashboard' },
} satisfies Record<`/${string}`, PageEntry>

/** The path of an existing page; `:name` matches one segment. */
export type PagePath = keyof typeof OPEN_PAGES | keyof typeof SIGNED_IN_PAGES

/**
 * The pages, each stated once: routes (web/routes.ts adds the components), guards, titles, menus, breadcrumbs, the
 * admin search, the site map and the response cache read them.
 */
export const PAGES: Readonly<Record<PagePath, PageEntry>> = { ...OPEN_PAGES, ...SIGNED_IN_PAGES }
export const PAGE_PATHS = Object.keys(PAGES) as PagePath[]

/** Those that exist and those that are planned. */
export const SPECIFIED_PAGES: Readonly<Record<string, PageEntry>> = { ...PAGES, ...PLANNED }

export const { pageAt, nearestPage } = lookupIn(SPECIFIED_PAGES)

/** The language of the page at this path, for a reader of `language`. */
export const pageLanguage = (pathname: string, language: Language): Language =>
  nearestPage(pathname, 'access')?.path.startsWith('/admin') ? adminLanguage(language) : language
