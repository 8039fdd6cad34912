import { type Browser, type BrowserContext, type BrowserContextOptions, expect, type Page } from '@playwright/test'
import { SAMPLE_PASSWORD } from './auth.ts'
import { type Portal, startPortal } from './portal.ts'
import { test } from './test.ts'

/** Without scripts. */
export const PLAIN: BrowserContextOptions = { javaScriptEnabled: false }

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>
type Mode = 'default' | 'serial'

/** The session cookies of a sample user at a portal, by both. */
const sessions = new Map<string, Cookies>()

/**
 * Signs a sample user in without the sign-in page, which has its own tests. Later calls reuse the session while it is
 * valid: hashing a password has the lowest priority, and takes seconds on a busy machine.
 */
export async function signInAs(context: BrowserContext, url: string, who: string): Promise<void> {
  const key = `${url} ${who}`
  const stored = sessions.get(key)
  if (stored) {
    await context.addCookies(stored)
    if ((await context.request.get(`${url}/api/auth/user`)).ok()) return
    await context.clearCookies()
  }
  const data = { email: `${who}@sample.invalid`, password: SAMPLE_PASSWORD }
  const answer = await context.request.post(`${url}/api/auth/login`, { data, headers: { origin: url } })
  expect(answer.status(), await answer.text()).toBe(200)
  sessions.set(key, await context.cookies(url))
}

/** An anonymous visitor, and users signed in with a role. */
function usersOf(portal: () => Portal) {
  async function visitor(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ baseURL: portal().url, reducedMotion: 'reduce', ...options })
    return context.newPage()
  }
  return {
    visitor,
    async as(browser: Browser, who: string, options: BrowserContextOptions = {}): Promise<Page> {
      const page = await visitor(browser, options)
      await signInAs(page.context(), portal().url, who)
      return page
    },
  }
}

/**
 * A portal for one file alone, for tests that change what others rely on (roles, settings, numbers of users) or need
 * settings of their own. The tests run in order: starting a portal takes longer than most of them.
 */
export function ownPortal(mode: Mode = 'default', start: () => Promise<Portal> = startPortal) {
  test.describe.configure({ mode })
  let portal: Portal
  test.beforeAll(async () => {
    // Starting a whole portal is slow on a busy machine.
    test.setTimeout(180_000)
    portal = await start()
  })
  test.afterAll(() => portal?.stop())
  return { portal: () => portal, ...usersOf(() => portal) }
}

/**
 * The portal that all files of a worker write to, one after the other. Their tests leave users, roles and settings as
 * they were, and look only at records that they made.
 */
export function sharedPortal(mode: Mode = 'default') {
  test.describe.configure({ mode })
  let portal: Portal
  test.beforeAll(({ workerPortal }) => {
    portal = workerPortal
  })
  return { portal: () => portal, ...usersOf(() => portal) }
}
