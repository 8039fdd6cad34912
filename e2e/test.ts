import { test as base } from '@playwright/test'
import { type Portal, startPortal } from './portal.ts'

export * from '@playwright/test'

export const test = base.extend<{ closing: undefined }, { workerPortal: Portal }>({
  /** Closes all pages after each test: pages left open keep running and slow down the following tests. */
  closing: [
    async ({ browser }, use) => {
      const before = new Set(browser.contexts())
      await use(undefined)
      const newContexts = browser.contexts().filter((context) => !before.has(context))
      await Promise.all(newContexts.map((context) => context.close()))
    },
    { auto: true },
  ],
  /** See `sharedPortal`. */
  workerPortal: [
    async ({ playwright: _ }, use) => {
      const portal = await startPortal()
      await use(portal)
      await portal.stop()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
})
