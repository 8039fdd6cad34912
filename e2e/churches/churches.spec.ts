import { aChurch, anAdvisory, expectNoSidewaysScrolling, LANGUAGES, open, texts } from '../pages.ts'
import { expect, type Page, test } from '../test.ts'

const SHINJUKU = { latitude: 35.6938123, longitude: 139.7034456 }
const PHONE = { width: 360, height: 740 }

const rows = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.locator('h3') })
const names = (page: Page) => rows(page).locator('h3 a')
const field = (page: Page) => page.getByRole('searchbox')
const openFilters = (page: Page) => page.getByRole('search').locator('summary').click()
/** Distance of each row: '1.2 km' or 'about 35 km' as a number. */
const distances = async (page: Page) =>
  (await rows(page).locator('h3 + span').allTextContents()).map((text) =>
    Number(/[\d.,]+/.exec(text)![0].replace(',', '')),
  )

// The first start loads the world's cities in the background.
test.beforeAll(async ({ playwright, baseURL }) => {
  const request = await playwright.request.newContext()
  await expect
    .poll(async () => (await (await request.get(`${baseURL}/api/public/cities?search=Kushiro`)).json()).cities.length, {
      timeout: 50_000,
    })
    .toBeGreaterThan(0)
  await request.dispose()
})

for (const language of LANGUAGES) {
  const t = texts(language, 'churches')

  test.describe(`on a phone in ${language}, without scripts`, () => {
    test.use({ javaScriptEnabled: false, viewport: PHONE })

    test('a church is found by its name, and its page opens', async ({ page }) => {
      await page.goto(`/church-locator?lng=${language}`)
      await page.getByRole('searchbox', { name: t('near') }).fill('shinjuku')
      await page.getByRole('button', { name: t('find'), exact: true }).click()
      await expect(page).toHaveURL(/near=shinjuku/)
      await expect(rows(page)).toHaveCount(1)
      const row = rows(page).first()
      for (const fact of ['Nishi-Shinjuku', '+00 00 0000 0001', t('service_worship_service'), t('role_local_servant')])
        await expect(row).toContainText(fact)
      await expectNoSidewaysScrolling(page)
      await names(page).first().click()
      await expect(page.getByRole('heading', { level: 1, name: 'Sample Locale Shinjuku' })).toBeVisible()
      await expect(page.getByRole('heading', { name: t('services_title') })).toBeVisible()
      await expectNoSidewaysScrolling(page)
    })

    test('selecting a country adds its states and lists its churches', async ({ page }) => {
      await page.goto(`/church-locator?lng=${language}`)
      await openFilters(page)
      await page.getByRole('combobox', { name: t('country') }).selectOption('JP')
      await page.getByRole('button', { name: t('apply') }).click()
      await openFilters(page)
      const state = page.getByRole('combobox', { name: t('state') })
      await state.selectOption('Kanagawa')
      await page.getByRole('button', { name: t('apply') }).click()
      await expect(names(page)).toHaveText(['Sample Locale Kawasaki', 'Sample Locale Yokohama'])
    })

    test('near a place, the nearest comes first, and groups that hide their place last', async ({ page }) => {
      await page.goto(`/church-locator?lng=${language}`)
      await field(page).fill('Tokyo')
      await page.getByRole('button', { name: t('find'), exact: true }).click()
      await expect(page).toHaveURL(/near=Tokyo/)
      const far = (await distances(page)).slice(0, -1)
      expect(far.length).toBeGreaterThan(4)
      expect(far).toEqual(far.toSorted((a, b) => a - b))
      await expect(rows(page).last()).toContainText(t('group_ask'))
      await expect(page.getByRole('img', { name: t('map_label') })).toBeVisible()
      const group = rows(page).filter({ hasText: t('group_in', { place: 'Chiba' }) })
      await expect(group).toContainText(new RegExp(t('distance_about', { km: '\\d*[05]' })))
      await expect(group.getByRole('link', { name: t('group_ask') })).toHaveAttribute('href', /\/write$/)
      await expect(group.getByRole('link', { name: t('directions') })).toHaveCount(0)
    })

    test('if nothing is near, it shows the nearest churches and alternatives', async ({ page }) => {
      await page.goto(`/church-locator?near=Kushiro&lng=${language}`)
      await expect(page.getByText(t('none_near', { km: '50', place: 'Kushiro' }))).toBeVisible()
      await expect(rows(page)).toHaveCount(5)
      await expect(page.getByRole('link', { name: t('ask_coordinator') })).toHaveAttribute('href', '/support')
      await page
        .getByRole('link', { name: t('online_services') })
        .first()
        .click()
      await expect(page).toHaveURL('/church-locator?online=true')
    })

    test('nonsense finds nothing and gives advice', async ({ page }) => {
      await page.goto(`/church-locator?search=zzzzqqq&lng=${language}`)
      await expect(rows(page)).toHaveCount(0)
      for (const hint of ['none_found_near', 'none_found_terms', 'none_found_ask'])
        await expect(page.getByText(t(hint))).toBeVisible()
      await expect(page.getByRole('button', { name: t('use_location') })).toBeHidden()
      await expect(page.getByRole('button', { name: t('view_map') })).toBeHidden()
    })
  })

  test.describe(`on a phone in ${language}, with scripts`, () => {
    test.use({ viewport: PHONE, timezoneId: 'Asia/Riyadh', geolocation: SHINJUKU, permissions: ['geolocation'] })

    test('near me sorts by distance, and the URL is only accurate to about 100 m', async ({ page }) => {
      await open(page, `/church-locator?lng=${language}`)
      await page.getByRole('button', { name: t('use_location') }).click()
      await expect(page).toHaveURL('/church-locator?lat=35.694&lon=139.703')
      await expect(names(page).first()).toHaveText('Sample Locale Shinjuku')
      const far = await distances(page)
      expect(far.slice(0, -1)).toEqual(far.slice(0, -1).toSorted((a, b) => a - b))
      await openFilters(page)
      await page.getByRole('combobox', { name: t('within') }).selectOption('10')
      await page.getByRole('button', { name: t('apply') }).click()
      await expect(page).toHaveURL(/radius=10$/)
      // The URL changes a moment before the list.
      await expect.poll(async () => Math.max(...(await distances(page)))).toBeLessThanOrEqual(10)
      expect(await distances(page)).not.toEqual([])
    })

    test('the next service is shown in local time and in the reader’s time zone', async ({ page }) => {
      await open(page, `/church-locator?search=Shinjuku&lng=${language}`)
      const row = rows(page).first()
      await expect(row).toContainText('Shinjuku')
      await expect(row).toContainText('(Riyadh)')
    })

    test('the next service of the first church is at the top of the screen', async ({ page }) => {
      await open(page, `/church-locator?near=Doha&lng=${language}`)
      const next = rows(page)
        .first()
        .getByText(t('next', { service: '', moment: '', place: '' }).split(/[:،]/)[0]!)
      expect((await next.boundingBox())!.y).toBeLessThan(300)
      await expectNoSidewaysScrolling(page)
    })

    test('list and map are alternative views, and a marker shows its church, which opens', async ({ page }) => {
      await open(page, `/church-locator?near=Tokyo&lng=${language}`)
      await page.getByRole('button', { name: t('view_map') }).click()
      await expect(rows(page).first()).toBeHidden()
      const marker = page.getByRole('link', { name: /^1\. Sample Locale Shinjuku$/ })
      await expect(marker).toBeVisible()
      await expectNoSidewaysScrolling(page)
      const chosen = page.getByRole('region', { name: t('chosen') })
      await page.getByRole('link', { name: /^2\. / }).focus()
      await page.keyboard.press('Enter')
      await expect(chosen.getByRole('link', { name: 'Sample Locale Shibuya', exact: true })).toBeVisible()
      await marker.focus()
      await page.keyboard.press('Enter')
      await chosen.getByRole('link', { name: 'Sample Locale Shinjuku', exact: true }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Sample Locale Shinjuku' })).toBeVisible()
      await expect(page.getByRole('img', { name: t('map_alt', { name: 'Sample Locale Shinjuku' }) })).toBeVisible()
    })
  })
}

const t = texts('en', 'churches')

test('a denied location is explained, and the list stays', async ({ page }) => {
  await open(page, '/church-locator')
  await page.getByRole('button', { name: t('use_location') }).click()
  await expect(page.getByText(t('location_denied'))).toBeVisible()
  await expect(rows(page)).toHaveCount(20)
})

test('so is a device that finds no location, and one that takes too long', async ({ page }) => {
  for (const [code, text] of [
    [2, 'location_unavailable'],
    [3, 'location_timeout'],
  ] as const) {
    await page.addInitScript((errorCode) => {
      navigator.geolocation.getCurrentPosition = (_found, failed) =>
        failed!({ code: errorCode, PERMISSION_DENIED: 1, POSITION_UNAVAILABLE: 2, TIMEOUT: 3, message: '' })
    }, code)
    await open(page, '/church-locator')
    await page.getByRole('button', { name: t('use_location') }).click()
    await expect(page.getByText(t(text), { exact: true })).toBeVisible()
  }
})

test('a typo gives a suggestion, and one tap finds the intended name', async ({ page }) => {
  await open(page, '/church-locator?search=kawsaki')
  await expect(page.getByText('No city or church found with that name.')).toBeVisible()
  await expect(names(page)).toHaveCount(0)
  await page.getByRole('link', { name: 'kawasaki', exact: true }).click()
  await expect(names(page)).toHaveText(['Sample Locale Kawasaki'])
})

test('a row and its marker on the map are highlighted together', async ({ page }) => {
  await open(page, '/church-locator?near=Tokyo')
  const marker = page.getByRole('link', { name: /^2\. / })
  await expect(marker).toBeVisible()
  await rows(page).nth(1).hover()
  await expect(marker).toHaveClass(/marked/)
  await marker.focus()
  await expect(rows(page).nth(1)).toHaveClass(/active/)
})

test('a failed search keeps the previous list and says so', async ({ page }) => {
  await open(page, '/church-locator')
  await page.route(/church-locator\.data/, (route) => route.abort())
  await field(page).fill('Rome')
  await page.getByRole('button', { name: t('find'), exact: true }).click()
  await expect(page.getByRole('alert')).toContainText(t('failed'))
  await expect(rows(page)).toHaveCount(20)
})

test('the page of a church prints as one card', async ({ page, baseURL }) => {
  const { id } = await aChurch(baseURL!)
  await open(page, `/church-locator/${id}`)
  await expect(page.getByText('東京都新宿区')).toHaveCount(2)
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('heading', { level: 1 })).toBeHidden()
  const card = page.locator('[class*=card]').filter({ hasText: '東京都新宿区' })
  await expect(card).toBeVisible()
  // Of four services a week the next three are shown; which ones depends on the day.
  for (const text of ['Nishi-Shinjuku', '+00 00 0000 0001', /Worship service|Prayer meeting/])
    await expect(card).toContainText(text)
})

test('structured data gives the location of a church, and nothing about a group', async ({ page, baseURL }) => {
  await page.goto(`/church-locator/${(await aChurch(baseURL!)).id}`)
  const structuredData = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent())!)
  expect(structuredData).toMatchObject({
    '@type': 'Church',
    name: 'Sample Locale Shinjuku',
    address: { addressCountry: 'JP' },
  })
  await page.goto(`/church-locator/${(await aChurch(baseURL!, 'Chiba')).id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Group in Chiba' })).toBeVisible()
  await expect(page.locator('script[type="application/ld+json"]')).toHaveCount(0)
})

test('an unknown church is reported', async ({ page }) => {
  for (const id of ['nonsense', '00000000-0000-4000-8000-000000000000'])
    expect((await page.goto(`/church-locator/${id}`))!.status()).toBe(404)
})

test('an advisory and a country link to the churches there', async ({ page, baseURL }) => {
  const japan = await anAdvisory(baseURL!, 'Japan', 'info')
  await page.goto(`/travel-advisories/${japan.id}`)
  const panel = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Churches there' }) })
  await expect(panel.getByRole('link', { name: /^Sample Locale/ })).toHaveCount(5)
  await page.goto('/countries/JP')
  await page.getByRole('link', { name: 'All churches in Japan' }).click()
  await openFilters(page)
  await expect(page.getByRole('combobox', { name: t('country') })).toHaveValue('JP')
})
