import { expectOpenToAll, violations } from './axe.ts'
import { addressOf, open, PAGES } from './pages.ts'
import { expect, test } from './test.ts'

// Colours must not be measured during a fade.
test.use({ contextOptions: { reducedMotion: 'reduce' } })

test('an advisory opened from the list is accessible', async ({ page }) => {
  await open(page, '/travel-advisories')
  await page
    .getByRole('link', { name: /View Details/ })
    .first()
    .click()
  await expect(page.getByRole('dialog').getByRole('heading', { name: 'Why' })).toBeVisible()
  await expectOpenToAll(page)
})

test('the suggestions of the country search are accessible', async ({ page }) => {
  await open(page, '/')
  await page.getByRole('combobox').pressSequentially('guin')
  await expect(page.getByRole('option').first()).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expectOpenToAll(page)
})

test('expanded sections are accessible', async ({ page, baseURL }) => {
  for (const name of ['advisory', 'faq']) {
    await open(page, await addressOf(baseURL!, name))
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('main details')) details.setAttribute('open', '')
    })
    await expectOpenToAll(page)
  }
})

test('the menu on a phone is accessible', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 })
  await open(page, '/')
  await page.locator('header summary').click()
  expect(await violations(page)).toEqual([])
})

test('a list that failed to refresh and an error page are accessible', async ({ page }) => {
  await open(page, '/travel-advisories')
  await page.route('**/api/travel-advisories/refresh', (route) => route.abort())
  await page.getByRole('button', { name: 'Refresh', exact: true }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await expectOpenToAll(page)
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.route(/\/travel-faq\.data/, (route) => route.abort())
  await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Travel FAQ' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Page Error' })).toBeVisible()
  await expectOpenToAll(page)
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('no page skips a heading level', async ({ page, baseURL }) => {
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
