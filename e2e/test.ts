import { test as base } from '@playwright/test'

export * from '@playwright/test'

/** Closes all pages after each test: pages left open keep running and slow down the following tests. */
export const test = base.extend<{ closing: undefined }>({
  closing: [
    async ({ browser }, use) => {
      const before = new Set(browser.contexts())
      await use(undefined)
      const newContexts = browser.contexts().filter((context) => !before.has(context))
      await Promise.all(newContexts.map((context) => context.close()))
    },
    { auto: true },
  ],
})
