import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { accountApp, createBrowser } from '#server/testing/accounts.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createSession, createTestUser } from '#server/testing/users.ts'
import { accessOfPage } from '#shared/page-access.ts'
import { PAGE_PATHS } from '#shared/pages/pages.ts'
import { mayPass, ROLES } from '#shared/roles.ts'
import type { PageBuild } from './pages.ts'

// The built pages. npm test builds them before.
const BUILD = path.resolve(import.meta.dirname, '../../build/server/index.js')
const isBuilt = existsSync(BUILD)
const build: PageBuild | undefined = isBuilt ? await import(/* @vite-ignore */ pathToFileURL(BUILD).href) : undefined

const database = await testDatabase()
const app = await accountApp(database, build ? { pages: () => build } : {}, { needsSecondStep: false })
const locationOf = async (browser: ReturnType<typeof createBrowser>, address: string) => {
  const response = await browser.visit(address, { headers: { accept: 'text/html' } })
  return response.headers.get('location') ?? response.status
}

/** The id of no record. */
const MISSING = '00000000-0000-4000-8000-000000000000'
const GUARDED = PAGE_PATHS.filter((page) => !['anyone', 'firstStep'].includes(accessOfPage(page))).map((page) =>
  page.replace(/:\w+/g, MISSING),
)
/** Pages that need an account and no record. */
const OVERVIEWS = PAGE_PATHS.filter((page) => !page.includes(':') && GUARDED.includes(page))
/** Addresses that answer a signed-in user with a file or a redirect. */
const WITHOUT_PAGE = ['/dashboard/profile/my-data/file', '/dashboard/profile/link-google']
const TRAVELER_MAY_NOT = GUARDED.filter((page) => !mayPass(accessOfPage(page), 'traveler'))
/** Other spellings of an address that the router takes for the same page. */
const SPELLINGS: [string, (page: string) => string][] = [
  ['as it is', (page) => page],
  ['in capitals', (page) => page.toUpperCase()],
  ['with an encoded letter', (page) => page.replace(/^\/(.)/, (_, first) => `/%${first.charCodeAt(0).toString(16)}`)],
]

test.skipIf(!isBuilt).each(SPELLINGS)('an address written %s is guarded', async (_, spell) => {
  const visitor = createBrowser(app)
  const traveler = createBrowser(app, await createSession(database, await createTestUser(database, 'traveler')))
  expect(GUARDED.length).toBeGreaterThan(60)
  for (const page of GUARDED) {
    const address = spell(page)
    expect(await locationOf(visitor, address), address).toBe(`/login?returnTo=${encodeURIComponent(address)}`)
  }
  for (const page of TRAVELER_MAY_NOT) expect(await locationOf(traveler, spell(page)), page).toBe('/unauthorized')
})

test.skipIf(!isBuilt)('the data of a page is guarded as the page is', async () => {
  const visitor = createBrowser(app)
  expect(OVERVIEWS.length).toBeGreaterThan(30)
  for (const page of OVERVIEWS) {
    const response = await visitor.visit(`${page}.data`)
    const redirect = `${response.headers.get('location') ?? ''} ${await response.text()}`
    expect(redirect, page).toContain(`/login?returnTo=${encodeURIComponent(page)}`)
  }
})

test.skipIf(!isBuilt).each(ROLES)(
  'a %s opens the pages of the role and no others, and no cache stores them',
  async (role) => {
    const browser = createBrowser(app, await createSession(database, await createTestUser(database, role)))
    expect(await locationOf(browser, '/traveler')).toBe('/dashboard')
    for (const page of OVERVIEWS) {
      const { headers } = await browser.visit(page, { headers: { accept: 'text/html' } })
      expect(headers.get('cache-control'), page).toContain('no-store')
      const location = headers.get('location')
      if (mayPass(accessOfPage(page), role)) expect(location, page).toBeNull()
      // For administrators, the equivalent of that page is the overview (C-14).
      else expect(location, page).toBe(page === '/admin/coordinator' && role === 'admin' ? '/admin' : '/unauthorized')
    }
  },
)

test.skipIf(!isBuilt)(
  'no cache stores what a signed-in user gets of the public pages, or of missing records',
  async () => {
    const browser = createBrowser(app, await createSession(database, await createTestUser(database, 'admin')))
    const pages = [...PAGE_PATHS.filter((page) => !OVERVIEWS.includes(page)), ...WITHOUT_PAGE]
    expect(pages.length).toBeGreaterThan(40)
    for (const page of pages) {
      const response = await browser.visit(page.replace(/:\w+/g, MISSING), { headers: { accept: 'text/html' } })
      expect(response.headers.get('cache-control'), `${page} ${response.status}`).toContain('no-store')
    }
  },
)

test.skipIf(!isBuilt)('a reader of Tagalog gets the portal in Tagalog and the administration in English', async () => {
  const browser = createBrowser(app, await createSession(database, await createTestUser(database, 'admin')))
  const languageOf = async (page: string, headers: Record<string, string>) => {
    const response = await browser.visit(page, { headers: { accept: 'text/html', ...headers } })
    return [response.headers.get('content-language'), /<html lang="([\w-]+)"/.exec(await response.text())?.[1]]
  }
  const device = { 'accept-language': 'fil-PH,fil;q=0.9,en;q=0.5' }
  for (const page of ['/', '/dashboard', '/emergency']) expect(await languageOf(page, device)).toEqual(['fil', 'fil'])
  for (const page of ['/admin', '/admin/users']) expect(await languageOf(page, device)).toEqual(['en', 'en'])
  // The choice remains for the other pages.
  expect(await languageOf('/admin?lng=tl', {})).toEqual(['en', 'en'])
  expect(browser.cookies.get('lng')).toBe('tl')
  expect(await languageOf('/dashboard', {})).toEqual(['fil', 'fil'])
  expect(await languageOf('/admin', { 'accept-language': 'ar' })).toEqual(['en', 'en'])
})

test.skipIf(!isBuilt)(
  'a failed link with Google is reported where sign-in methods are managed, to every role',
  async () => {
    for (const role of ROLES) {
      const browser = createBrowser(app, await createSession(database, await createTestUser(database, role)))
      expect(await locationOf(browser, '/login?error=google&reason=email_taken'), role).toBe(
        '/dashboard/profile/sign-in?error=email_taken',
      )
    }
  },
)
