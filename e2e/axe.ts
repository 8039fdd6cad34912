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
 * Each theme and each width in both languages, half of the pairs in one and half in the other: contrast depends on the
 * theme alone, and what fits on the width alone.
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

/** The page as it stands now breaks no rule and reaches over no side, wide and narrow, light and dark. */
export async function expectOpenToAll(page: Page) {
  const language = await page.evaluate(() => document.documentElement.lang)
  const found: string[] = []
  for (const { width, colorScheme } of PAIRS[language === 'ar' ? 'ar' : 'en']) {
    await page.setViewportSize({ width, height: 900 })
    // Colours must not be measured in the middle of a fade.
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
 * What breaks a rule on the page as it stands, at this width and in this theme. Not what is in its frames: the only ones
 * there are, those of mails, let nothing run, so a mail is looked at as a page of its own.
 */
export async function violations(page: Page): Promise<string[]> {
  // Brought to each document once, and only what is not well comes back: both cost as much as the looking itself.
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
