import { expectOpenToAll } from '../axe.ts'
import { LANGUAGES, texts } from '../pages.ts'
import { expect, type Page, test } from '../test.ts'

const PHONE = { width: 360, height: 740 }
const WEATHER = 'https://worldweather.wmo.int/'

test.use({ viewport: PHONE })

/** The first content link of the page, below the heading and the quick exit. */
const firstLink = (page: Page) => page.getByRole('main').getByRole('link').first()
const danger = (page: Page, language: 'en' | 'ar') =>
  page.getByRole('region', { name: texts(language, 'countries')('danger_title') })

for (const language of LANGUAGES) {
  const t = texts(language, 'emergency')
  const common = texts(language, 'common')
  const qatar = language === 'ar' ? 'قطر' : 'Qatar'
  const japan = language === 'ar' ? 'اليابان' : 'Japan'

  for (const javaScriptEnabled of [true, false])
    test.describe(`in ${language}, ${javaScriptEnabled ? 'with' : 'without'} scripts`, () => {
      test.use({ javaScriptEnabled, timezoneId: 'UTC' })

      test('the landing page has a call link, and one tap leads to what to do', async ({ page }) => {
        await page.goto(`/?lng=${language}`)
        const strip = danger(page, language)
        await expect(strip.getByRole('link').first()).toHaveAttribute('href', 'tel:112')
        await strip.getByRole('link', { name: common('emergency_what_to_do') }).click()
        await expect(page).toHaveURL('/emergency')
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('page_title'))
        await expect(firstLink(page)).toHaveAttribute('href', 'tel:112')
        await expect(firstLink(page)).toBeInViewport()
      })

      test('a country is changed with one tap and a name, and is remembered', async ({ page }) => {
        await page.goto(`/emergency/QA?lng=${language}`)
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('title_in', { country: qatar }))
        await expect(firstLink(page)).toHaveAttribute('href', 'tel:999')
        await page.getByRole('link', { name: t('change_label') }).click()
        await page.getByRole('searchbox').fill(japan)
        await page.getByRole('button', { name: t('search_button') }).click()
        await expect(page).toHaveURL('/emergency/JP')
        await expect(firstLink(page)).toHaveAttribute('href', 'tel:110')

        await page.goto('/')
        await expect(danger(page, language).getByRole('link').first()).toHaveAttribute('href', 'tel:110')
        await expect(danger(page, language)).toContainText(common('emergency_from_last', { country: japan }))
        await page.goto('/support')
        await expect(firstLinkTo(page, 'tel:110')).toBeVisible()
        await page.goto('/emergency')
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('title_in', { country: japan }))
        await expect(page.getByText(t('from_last', { country: japan }))).toBeVisible()
      })

      test('an unknown name gives 112 and the list, an unknown code gives 112', async ({ page }) => {
        await page.goto(`/emergency/countries?search=Wakanda&lng=${language}`)
        await expect(page.getByText(t('found_none'))).toBeVisible()
        await expect(firstLink(page)).toHaveAttribute('href', 'tel:112')
        await expect(page.getByRole('link', { name: qatar, exact: true })).toBeVisible()
        // A city leads to its country; nothing is selected automatically.
        await page.getByRole('searchbox').fill('Jeddah')
        await page.getByRole('button', { name: t('search_button') }).click()
        await expect(page.getByRole('link', { name: /Jeddah/ }).first()).toHaveAttribute('href', '/emergency/SA')
        await page.goto('/emergency/ZZ')
        await expect(page.getByText(/ZZ/)).toBeVisible()
        await expect(firstLink(page)).toHaveAttribute('href', 'tel:112')
      })

      test('each situation expands to its steps with their sources, and one number', async ({ page }) => {
        await page.goto(`/emergency/QA?lng=${language}`)
        const help = page.locator('#ill')
        await expect(help.getByRole('listitem').first()).toBeHidden()
        await help.locator('summary').click()
        for (const step of await help.getByRole('listitem').all())
          await expect(step.getByRole('link')).toHaveAttribute('href', /^https:\/\/111\.wales\.nhs\.uk\//)
        await expect(help.locator('a[href^="tel:"]')).toHaveAttribute('href', 'tel:999')
      })

      test('without an account, a coordinator is notified; an invalid number is reported, with the one to call', async ({
        page,
      }) => {
        await page.goto(`/emergency/QA?lng=${language}`)
        const form = page.locator('#not-safe')
        await form.getByText(t('not_safe'), { exact: true }).click()
        await form.getByLabel(t('safe_phone')).fill('x')
        await form.getByRole('button', { name: t('send') }).click()
        await expect(form.getByRole('alert')).toContainText('999')
        await expect(firstLink(page)).toHaveAttribute('href', 'tel:999')
        await form.getByLabel(t('safe_phone')).fill('+974 5555 1234')
        await form.getByLabel(t('note')).fill('help')
        await form.getByRole('button', { name: t('send') }).click()
        await expect(form.getByRole('status')).toContainText(/CASE-\d{4}-\w{7}/)
        await expect(form.getByRole('status')).toContainText('999')
      })
    })

  test(`in ${language}: expanded or collapsed, failed or sent, the page is accessible`, async ({ page }) => {
    await page.goto(`/emergency/JP?lng=${language}`)
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.setAttribute('open', '')
    })
    await expectOpenToAll(page)
    await page.getByLabel(t('safe_phone')).fill('x')
    await page.getByRole('button', { name: t('send') }).click()
    await expect(page.getByRole('alert')).toBeVisible()
    await expectOpenToAll(page)
  })

  test(`in ${language}: offline, the last country is still available and shows its date`, async ({ page, context }) => {
    await page.goto(`/emergency/QA?lng=${language}`)
    await expect(page.getByText(t('saved'))).toBeVisible()
    await expect
      .poll(() => page.evaluate(async () => (await caches.open('emergency-copies')).keys().then((keys) => keys.length)))
      .toBe(3)
    await context.setOffline(true)
    const savedCopyNote = page.getByText(
      t('saved_copy', { date: '\n' })
        .split('\n')
        .find((part) => part.length > 3)!,
    )
    for (const address of ['/emergency/QA', '/emergency']) {
      // The worker is offline a moment after the page.
      await expect(async () => {
        await page.goto(address)
        await expect(savedCopyNote).toBeVisible({ timeout: 1_000 })
      }).toPass()
      await expect(firstLink(page)).toHaveAttribute('href', 'tel:999')
    }
    // A country that was never opened is in the list.
    await page.goto('/emergency/JP')
    await expect(savedCopyNote).toBeVisible()
    await expect(page.locator('a[href="tel:110"]').first()).toBeVisible()

    await page.goto('/emergency/QA')
    await page.locator('#not-safe').getByText(t('not_safe'), { exact: true }).click()
    await page.getByLabel(t('safe_phone')).fill('+974 5555 1234')
    await page.getByRole('button', { name: t('send') }).click()
    await expect(page.locator('#not-safe').getByText(/999/)).toBeVisible()

    // No other page is ever served from the offline cache.
    expect(await page.goto('/support').catch((error: Error) => error.message)).toContain('ERR_INTERNET_DISCONNECTED')
    await context.setOffline(false)
    await page.goto('/emergency/QA')
    await expect(savedCopyNote).toBeHidden()
  })
}

const firstLinkTo = (page: Page, href: string) => page.locator(`a[href="${href}"]`).first()

test('the quick exit opens the weather, and Back does not return here', async ({ page }) => {
  await page.route(`${WEATHER}**`, (route) => route.fulfill({ body: '<h1>Weather</h1>', contentType: 'text/html' }))
  await page.goto('/countries/QA')
  await page.getByRole('link', { name: 'What to do in an emergency' }).click()
  await expect(page).toHaveURL('/emergency/QA')
  await page.getByRole('link', { name: 'Leave this page' }).click()
  await expect(page.getByRole('heading', { name: 'Weather' })).toBeVisible()
  await page.goBack()
  expect(page.url()).not.toContain('/emergency')
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('the quick exit is a link to the weather', async ({ page }) => {
    await page.goto('/emergency/QA')
    const leave = page.getByRole('link', { name: 'Leave this page' })
    await expect(leave).toHaveAttribute('href', WEATHER)
    await expect(leave).toHaveAttribute('rel', 'noreferrer')
  })
})

test.describe('on a phone set to the time zone of Doha', () => {
  test.use({ timezoneId: 'Asia/Qatar' })

  test('Qatar’s number is offered, with the reason, and can be changed', async ({ page }) => {
    await page.goto('/')
    const strip = danger(page, 'en')
    await expect(strip.getByRole('link').first()).toHaveAttribute('href', 'tel:999')
    await expect(strip).toContainText('for Qatar, based on this phone’s time zone.')
    await expect(strip.getByRole('link', { name: 'Change' })).toBeVisible()
    await page.goto('/emergency')
    await expect(page.getByRole('heading', { level: 1, name: 'Emergency in Qatar' })).toBeVisible()
    await expect(page.getByText('Qatar: based on this phone’s time zone.')).toBeVisible()
    // A guess is not a choice, so nothing is remembered.
    expect((await page.context().cookies()).filter(({ name }) => name === 'place')).toEqual([])
  })
})

test('the compressed page is under 15 kB', async ({ baseURL }) => {
  for (const path of ['/emergency', '/emergency/QA', '/emergency/countries']) {
    const response = await fetch(`${baseURL}${path}`, { headers: { 'accept-encoding': 'br' } })
    expect(Number(response.headers.get('content-length')), path).toBeLessThan(15_000)
    expect(await response.text()).not.toContain('type="module"')
  }
})
