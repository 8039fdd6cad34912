import { expectOpenToAll } from './axe.ts'
import { listen, reportPolicyViolations } from './console.ts'
import { addressOf, expectNoSidewaysScrolling, isAlive, LANGUAGES, PAGES } from './pages.ts'
import { expect, test } from './test.ts'

// One visit per page and language for all checks, since loading the page is the expensive step.
for (const name of Object.keys(PAGES))
  test(`${name} is quiet, fits a small screen and is accessible in each language`, async ({ page, baseURL }) => {
    const heard = listen(page, baseURL!)
    await reportPolicyViolations(page)
    for (const language of LANGUAGES)
      await test.step(language, async () => {
        const address = await addressOf(baseURL!, name, language)

        await test.step('logs nothing to the console and sends no request elsewhere', async () => {
          await page.emulateMedia({ colorScheme: null, reducedMotion: null })
          heard.length = 0
          await page.goto(address)
          await isAlive(page)
          await page.waitForLoadState('networkidle')
          await page.mouse.wheel(0, 600)
          // The browser itself logs the 404 of a missing page.
          const isMissing = name === 'not found' || name === 'emergency of an unknown country'
          expect(heard.filter((text) => !(isMissing && /status of 404/.test(text)))).toEqual([])
        })

        await test.step('fits a screen of 320 px, and one of 1280 at double size', async () => {
          for (const width of [320, 640]) {
            await page.setViewportSize({ width, height: 640 })
            await expectNoSidewaysScrolling(page)
          }
        })

        await test.step('violates no accessibility rule, wide and narrow, light and dark', () => expectOpenToAll(page))
      })
  })
