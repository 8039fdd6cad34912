import { openPages } from '#shared/pages/open.ts'
import type { Key } from './i18n.tsx'

export interface Crumb {
  label: Key<'common'>
  to: string
}

/**
 * Breadcrumbs of a URL, Home first, down to the nearest page that has a name in them. The labels differ from those of
 * the menu (C-03).
 */
export function crumbsOf(pathname: string, { nearestPage, pageAt } = openPages): readonly Crumb[] {
  const crumbs: Crumb[] = []
  let page = nearestPage(pathname, 'crumb')
  while (page?.crumb) {
    crumbs.unshift({ label: page.crumb, to: page.path })
    page = page.parent && pageAt(page.parent)
  }
  return [{ label: 'crumb_home', to: '/' }, ...crumbs]
}
