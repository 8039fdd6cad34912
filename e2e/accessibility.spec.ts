import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { addressOf, isAlive, LANGUAGES, open, PAGES } from './pages.ts'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa']
const WIDTHS = [1280, 360]
const THEMES = ['light', 'dark'] as const

// Colours must not be measured in the middle of a fade.
test.use({ contextOptions: { reducedMotion: 'reduce' } })

for (const name of Object.keys(PAGES))
  for (const language of LANGUAGES)
    test(`${name} in ${language} is open to everybody, in each theme and width`, async ({ page, baseURL }) => {
      await open(page, await addressOf(baseURL!, name, language))
      await expectEverywhere(page)
    })

test('so is an advisory opened from the list', async ({ page }) => {
  await open(page, '/travel-advisories')
  await page
    .getByRole('link', { name: /View Details/ })
    .first()
    .click()
  await expect(page.getByRole('dialog').getByRole('heading', { name: 'Timeline' })).toBeVisible()
  await expectEverywhere(page)
})

test('so are the suggestions of the country search', async ({ page }) => {
  await open(page, '/')
  await page.getByRole('combobox').pressSequentially('guin')
  await expect(page.getByRole('option').first()).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expectEverywhere(page)
})

test('so are folded parts when they are unfolded', async ({ page, baseURL }) => {
  for (const name of ['advisory', 'faq']) {
    await open(page, await addressOf(baseURL!, name))
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('main details')) details.setAttribute('open', '')
    })
    await expectEverywhere(page)
  }
})

test('so is the menu of a phone', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 })
  await open(page, '/')
  await page.locator('header summary').click()
  expect(await violations(page)).toEqual([])
})

test('so is a list that could not be refreshed, and a page that failed', async ({ page }) => {
  await open(page, '/travel-advisories')
  await page.route('**/api/travel-advisories/refresh', (route) => route.abort())
  await page.getByRole('button', { name: 'Refresh', exact: true }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await expectEverywhere(page)
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.route(/\/travel-faq\.data/, (route) => route.abort())
  await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Travel FAQ' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Page Error' })).toBeVisible()
  await expectEverywhere(page)
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('headings follow each other without a gap on every page', async ({ page, baseURL }) => {
    for (const name of Object.keys(PAGES)) {
      await page.goto(await addressOf(baseURL!, name))
      const levels = await page
        .getByRole('heading')
        .evaluateAll((headings) => headings.map(({ tagName }) => Number(tagName[1])))
      const gaps = levels.filter((level, i) => level > (levels[i - 1] ?? 0) + 1)
      expect([name, levels.filter((level) => level === 1).length, gaps]).toEqual([name, 1, []])
    }
  })
})

async function expectEverywhere(page: Page) {
  const found = []
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    await isAlive(page)
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      // The themes differ in their colours alone.
      const problems = await violations(page, colorScheme === 'light' ? 'everything' : 'colours')
      found.push(...problems.map((text) => `${colorScheme}, ${width} px: ${text}`))
    }
  }
  expect(found).toEqual([])
}

async function violations(page: Page, what: 'everything' | 'colours' = 'everything'): Promise<string[]> {
  const axe = new AxeBuilder({ page })
  const checked = what === 'everything' ? axe.withTags(RULES) : axe.withRules('color-contrast')
  const { violations, incomplete } = await checked.analyze()
  const unmeasured = incomplete.filter(({ id }) => id === 'color-contrast').flatMap(({ nodes }) => nodes)
  return [
    ...violations.flatMap(({ id, help, nodes }) =>
      nodes.slice(0, 3).map(({ html, any }) => `${id}: ${help}: ${html.slice(0, 160)} ${any[0]?.message ?? ''}`),
    ),
    ...(await tooFaint(
      page,
      unmeasured.map(({ target }) => String(target[0])),
    )),
  ]
}

/**
 * axe does not measure text on stripes, nor under the link that reaches over a whole card. Here every colour of the
 * stripes counts, each over what lies behind it, and what lies over the text is taken to be clear, as it is with us.
 */
const tooFaint = (page: Page, selectors: string[]) =>
  page.evaluate((all) => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!
    type Colour = [number, number, number]

    /** A colour as it appears over another one. */
    function over(colour: string, ground: Colour): Colour {
      canvas.fillStyle = `rgb(${ground.join()})`
      canvas.fillRect(0, 0, 1, 1)
      canvas.fillStyle = colour
      canvas.fillRect(0, 0, 1, 1)
      const [red, green, blue] = canvas.getImageData(0, 0, 1, 1).data
      return [red!, green!, blue!]
    }

    function grounds(element: Element | null): Colour[] {
      if (!element) return [[255, 255, 255]]
      const { backgroundColor, backgroundImage } = getComputedStyle(element)
      const plain = grounds(element.parentElement).map((ground) => over(backgroundColor, ground))
      const stops = backgroundImage.match(/(rgba?|color|oklab|oklch)\([^()]*\)/g) ?? []
      return [...plain, ...stops.flatMap((stop) => plain.map((ground) => over(stop, ground)))]
    }

    function luminance(colour: Colour) {
      const [red, green, blue] = colour.map((part) => {
        const share = part / 255
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
    }

    return all.flatMap((selector) => {
      const element = document.querySelector(selector)
      if (!element) return []
      const { color, fontSize, fontWeight } = getComputedStyle(element)
      const size = Number.parseFloat(fontSize)
      const needed = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700) ? 3 : 4.5
      const ratios = grounds(element).map((ground) => {
        const [light, dark] = [luminance(over(color, ground)), luminance(ground)].sort((a, b) => b - a)
        return (light! + 0.05) / (dark! + 0.05)
      })
      const worst = Math.min(...ratios)
      return worst < needed ? [`contrast ${worst.toFixed(2)}: ${element.outerHTML.slice(0, 160)}`] : []
    })
  }, selectors)
