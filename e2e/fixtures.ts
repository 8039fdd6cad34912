import { type Browser, type BrowserContextOptions, expect, type Page } from '@playwright/test'
import { SAMPLE_PASSWORD } from './auth.ts'
import { type Portal, startPortal } from './portal.ts'
import { test } from './test.ts'

/** Without scripts. */
export const PLAIN: BrowserContextOptions = { javaScriptEnabled: false }

/** An anonymous visitor, and users signed in with a role. */
export function userFixture(portal: () => Portal) {
  async function visitor(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ baseURL: portal().url, reducedMotion: 'reduce', ...options })
    return context.newPage()
  }
  return {
    visitor,
    async as(browser: Browser, who: string, options: BrowserContextOptions = {}): Promise<Page> {
      const page = await visitor(browser, options)
      const data = { email: `${who}@sample.invalid`, password: SAMPLE_PASSWORD }
      expect((await page.request.post(`${portal().url}/api/auth/login`, { data })).status()).toBe(200)
      return page
    },
  }
}

/**
 * A portal for one file alone, since its tests write, with its users. The tests run in order: starting a portal takes
 * longer than most of them.
 */
export function ownPortal(mode: 'default' | 'serial' = 'default') {
  test.describe.configure({ mode })
  let portal: Portal
  test.beforeAll(async () => {
    test.setTimeout(180_000)
    portal = await startPortal()
  })
  test.afterAll(() => portal?.stop())
  return { portal: () => portal, ...userFixture(() => portal) }
}
