import type { Access } from '#shared/roles.ts'

type Admin = typeof import('../../public/locales/en/admin.json', { with: { type: 'json' }})
type Common = typeof import('../../public/locales/en/common.json', { with: { type: 'json' }})
/** Node sees the texts of a file as its default export, the bundler as exports. */
type TextsOf<File> = File extends { default: infer Texts } ? Texts : File
/** A text by its key, which has to exist. */
type Label<File, Prefix extends string> = Extract<keyof TextsOf<File>, `${Prefix}_${string}`>

/**
 * What the portal knows of a page besides its component. Pages below it (`/admin/users/:id` below `/admin/users`) have
 * the same access, title, menu item and urgency unless they state their own.
 */
export interface PageEntry {
  /** Who may open it; without any above it either: anyone. Every endpoint behind a page checks again. */
  access?: Access
  /** The document title. Pages about a record return theirs as `title` in their loader's data. */
  title?: Label<Common, 'title' | 'crumb'>
  /** Its name in breadcrumbs. Without: the `title` in its loader's data. */
  crumb?: Label<Common, 'title' | 'crumb'>
  /** The page above it in breadcrumbs, if that is not Home. */
  parent?: `/${string}`
  /** Its name in the menu of the public pages, whose order is that of this table. */
  nav?: Label<Common, 'nav'>
  /** Its item in the admin menu. */
  menu?: MenuEntry
  /** Its name in the admin search, if it has no item in the menu. */
  name?: Label<Admin, 'page'>
  /** Words that lead to it in the admin search. */
  keywords?: readonly string[]
  /** Listed in the site map. */
  isListed?: true
  /** Never refused, however busy the portal is: emergency help and sign-in. */
  isUrgent?: true
  /** Open to anyone but never cached: its address contains a secret. */
  isPrivate?: true
  /** Shows the emergency number of the country last chosen in this browser. */
  showsPlace?: true
}

/** With its place in each group. */
interface MenuEntry extends Partial<Record<MenuGroup, number>> {
  label: Label<Admin, 'menu'>
  /** Shown alone in the narrow drawer. */
  icon:
    | ('bell' | 'box' | 'calendar' | 'check' | 'church' | 'data' | 'grid' | 'hands' | 'key')
    | ('people' | 'sliders' | 'speech' | 'unknown' | 'warning')
  /** The count at the end of the line. */
  count?: 'new_accounts' | 'failed_messages' | 'church_care' | 'notices_to_approve' | 'open_cases'
}

/** Operations are for coordinators and local servants, core and system for administrators. */
export type MenuGroup = 'overview' | 'core' | 'system' | 'operations'

export interface Page extends PageEntry {
  path: string
}

/** Finds pages of a table by the path of a URL. */
export interface PageLookup {
  /** The page at a path; `.data` is the same page requested by its scripts. */
  pageAt(pathname: string): Page | undefined
  /** The page at a path, or the nearest one above it, that states something: who may open it, its title. */
  nearestPage(pathname: string, states: keyof PageEntry): Page | undefined
}

/** Finds pages of this table. */
export function lookupIn(table: Readonly<Record<string, PageEntry>>): PageLookup {
  const patterns = Object.keys(table)
    .filter((path) => path.includes(':'))
    .map((path) => ({ path, pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`) }))
  function entryOf(path: string): Page | undefined {
    const known = Object.hasOwn(table, path) ? path : patterns.find(({ pattern }) => pattern.test(path))?.path
    return known === undefined ? undefined : { path: known, ...table[known] }
  }
  return {
    pageAt: (pathname) => entryOf(plain(pathname)),
    nearestPage(pathname, states) {
      for (let at = plain(pathname); at; at = at.slice(0, at.lastIndexOf('/'))) {
        const page = entryOf(at)
        if (page?.[states] !== undefined) return page
      }
      return undefined
    },
  }
}

/** Routes match in any case, decoded, and whatever the number of slashes at the end. */
const plain = (pathname: string) =>
  decoded(pathname)
    .toLowerCase()
    .replace(/(\/_(root)?)?\.data$/, '')
    .replace(/\/+$/, '') || '/'

/** As the router decodes: a slash that is encoded does not separate segments, an invalid path stays as it is. */
function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname.replace(/%2f/gi, '%252f'))
  } catch {
    return pathname
  }
}
