import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'
import { expectNoSidewaysScrolling, isAlive } from './pages.ts'

declare global {
  interface Window {
    axe: typeof axe
  }
}

/** WCAG 2.2 AA. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa']

/**
 * Each theme and width, half of the pairs in each language: contrast depends only on the theme, and layout only on the
 * width.
 */
const PAIRS = {
  en: [
    { width: 1280, colorScheme: 'light' },
    { width: 360, colorScheme: 'dark' },
  ],
  ar: [
    { width: 1280, colorScheme: 'dark' },
    { width: 360, colorScheme: 'light' },
  ],
} as const

/** The current page has no axe violations and no horizontal overflow, wide and narrow, light and dark. */
export async function expectOpenToAll(page: Page) {
  const language = await page.evaluate(() => document.documentElement.lang)
  const found: string[] = []
  for (const { width, colorScheme } of PAIRS[language === 'ar' ? 'ar' : 'en']) {
    await page.setViewportSize({ width, height: 900 })
    // Colours must not be measured during a fade.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await isAlive(page)
    await expectNoSidewaysScrolling(page)
    found.push(
      ...(await violations(page)).map((text) => `${new URL(page.url()).pathname} ${width} ${colorScheme}: ${text}`),
    )
  }
  expect(found).toEqual([])
  await page.setViewportSize({ width: 1280, height: 800 })
}

/**
 * Violations on the current page, at this width and in this theme. Frames are excluded: the only ones are mail
 * previews, where scripts do not run, so a mail is checked as a page of its own.
 */
export async function violations(page: Page): Promise<string[]> {
  // Injected once per document, and only violations are returned: each costs as much as the check itself.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(async (tags) => {
    const { violations } = await window.axe.run(document, {
      runOnly: { type: 'tag', values: tags },
      resultTypes: ['violations'],
      iframes: false,
    })
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.slice(0, 3).map(({ html, any }) => `${id}: ${help}: ${html.slice(0, 160)} ${any[0]?.message ?? ''}`),
    )
  }, RULES)
}
