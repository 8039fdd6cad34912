import { test as base } from '@playwright/test'

export * from '@playwright/test'

/** A journey whose pages are closed with it: those that stay open go on working, and slow all that come after. */
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
