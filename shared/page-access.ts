import { nearestPage } from '#shared/pages/pages.ts'
import type { Access } from './roles.ts'

/** Who may open the page at a path (001 §6, the guard table). Guards, menus and the admin search read it. */
export const accessOfPage = (pathname: string): Access => nearestPage(pathname, 'access')?.access ?? 'anyone'

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
