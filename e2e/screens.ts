// Screenshots of every page for review: node scripts/run.mjs e2e/screens.ts --out DIR [--only NAME] [--url ADDRESS]
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium, type Page } from '@playwright/test'
import { addressOf, isAlive, LANGUAGES, type Language, PAGES } from './pages.ts'
import { ROOT, startPortal } from './portal.ts'

const WIDTHS = [1280, 360]
const THEMES = ['light', 'dark'] as const
/** Taller pages are cropped: the rest looks the same. */
const TALLEST = 3_200

/** States that have no URL. */
const ACTS: Record<string, { page: string; act: (page: Page) => Promise<unknown> }> = {
  dialog: {
    page: 'advisories',
    act: async (page) => {
      await page.locator('a[data-advisory], [data-advisory] a').first().click()
      await page.locator('dialog dl').first().waitFor()
    },
  },
  menu: {
    page: 'landing',
    act: (page) =>
      page
        .locator('header summary')
        .click({ timeout: 1_000 })
        .catch(() => {}),
  },
  suggestions: {
    page: 'landing',
    act: async (page) => {
      await page.locator('main input').pressSequentially('guin')
      await page.getByRole('option').first().waitFor()
      await page.keyboard.press('ArrowDown')
    },
  },
  'refresh failed': {
    page: 'advisories',
    act: async (page) => {
      await page.route('**/refresh', (route) => route.abort())
      const filters = page.locator('main form summary')
      if (await filters.isVisible()) await filters.click()
      await page.locator('main form button[type=button].needs-script:not([aria-label])').click()
      await page.getByRole('alert').waitFor()
    },
  },
  loading: {
    page: 'advisories',
    act: async (page) => {
      await page.route(/\.data/, () => {})
      await page.locator('main ul a[href*="severity_level=warning"]').click()
      await page.locator('[data-skeleton]').first().waitFor()
    },
  },
  'page failed': {
    page: 'landing',
    act: async (page) => {
      await page.route(/\.data/, (route) => route.abort())
      await page.locator('main a[href="/travel-faq"]').first().click()
      await page.waitForURL('**/travel-faq')
    },
  },
  unfolded: {
    page: 'advisory',
    act: (page) =>
      page.evaluate(() => {
        for (const details of document.querySelectorAll('main details')) details.setAttribute('open', '')
      }),
  },
  offline: { page: 'country', act: (page) => page.context().setOffline(true) },
}

interface Look {
  language: Language
  width: number
  theme: 'light' | 'dark'
  scripts: boolean
}

const { values } = parseArgs({
  options: { out: { type: 'string' }, only: { type: 'string' }, url: { type: 'string' } },
})
if (!values.out) throw new Error('Say where the pictures go: --out DIR')
mkdirSync(values.out, { recursive: true })
const portal = values.url ? undefined : await startPortal()
const base = values.url ?? portal!.url
// Plain JavaScript without types, since it runs before anything is installed.
const tools: string = path.join(ROOT, 'scripts/testing/chromium.mjs')
const { path: executablePath, args } = await (await import(tools)).findChromium()
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', ...args] })
let count = 0
try {
  for (const language of LANGUAGES)
    for (const width of WIDTHS)
      for (const theme of THEMES)
        for (const scripts of [true, false]) await takeAll(browser, { language, width, theme, scripts })
} finally {
  await browser.close()
  await portal?.stop()
}
console.log(`${count} pictures in ${values.out}`)

async function takeAll(browser: Browser, look: Look) {
  const context = await browser.newContext({
    baseURL: base,
    viewport: { width: look.width, height: 900 },
    colorScheme: look.theme,
    javaScriptEnabled: look.scripts,
    reducedMotion: 'reduce',
  })
  for (const [name, subject] of subjects(look)) {
    if (values.only && !name.includes(values.only)) continue
    const page = await context.newPage()
    await page.goto(await addressOf(base, subject.page, look.language))
    if (look.scripts) await isAlive(page)
    await page.waitForLoadState('networkidle')
    await subject.act?.(page)
    await take(page, name, look)
    await context.setOffline(false)
    await page.close()
  }
  await context.close()
}

/** Every page; with scripts, also the states reached by interaction. */
function subjects({ scripts }: Look): [string, { page: string; act?: (page: Page) => Promise<unknown> }][] {
  const pages = Object.keys(PAGES).map((page) => [page, { page }] as [string, { page: string }])
  const paper = (page: Page) => page.emulateMedia({ media: 'print' })
  return scripts ? [...pages, ...Object.entries(ACTS)] : [...pages, ['paper', { page: 'advisory', act: paper }]]
}

async function take(page: Page, name: string, { language, width, theme, scripts }: Look) {
  const kind = [name.replaceAll(' ', '-'), width, language, theme, ...(scripts ? [] : ['without-scripts'])].join('-')
  // The page behind a dialog does not scroll, so only the visible part is captured.
  const isCovered = await page.evaluate(() => document.querySelector('dialog:modal') !== null)
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.screenshot({
    path: path.join(values.out!, `${kind}.png`),
    ...(isCovered ? {} : { fullPage: true, clip: { x: 0, y: 0, width, height: Math.min(height, TALLEST) } }),
  })
  count++
}
