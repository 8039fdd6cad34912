import { anAdvisory, expectNoSidewaysScrolling, LANGUAGES, texts } from './pages.ts'
import { expect, type Page, test } from './test.ts'

test.use({ javaScriptEnabled: false })

const cards = (page: Page) =>
  page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'View Details' }) })

test('a program that reads the page as text finds the advisories', async ({ request }) => {
  const html = await (await request.get('/travel-advisories')).text()
  for (const title of ['Haiti: Do Not Travel', 'Afghanistan', 'Current Advisories (']) expect(html).toContain(title)
  expect(html.match(/<h3/g)!.length).toBe(25)
})

test.describe('the list', () => {
  test('is searched and filtered with a form, and the URL holds the query', async ({ page }) => {
    await page.goto('/travel-advisories')
    await page.getByRole('searchbox', { name: 'Search' }).fill('travel')
    await page.getByRole('combobox', { name: 'Level' }).selectOption('Critical')
    await page.getByRole('button', { name: 'Search' }).click()
    expect(new URL(page.url()).search).toBe('?search=travel&severity_level=critical')
    await expect(page.getByText(/^\d+ of \d+ advisories$/)).toBeVisible()
    await expect(cards(page).filter({ hasText: 'CRITICAL' })).toHaveCount(await cards(page).count())
    await page.getByRole('link', { name: 'Remove filter: Critical' }).click()
    await expect(page.getByRole('searchbox', { name: 'Search' })).toHaveValue('travel')
    await page.getByRole('link', { name: 'Clear', exact: true }).click()
    await expect(page).toHaveURL('/travel-advisories')
  })

  test('pages forward', async ({ page }) => {
    await page.goto('/travel-advisories?severity_level=info')
    await page.getByRole('link', { name: 'Load more' }).click()
    await expect(page).toHaveURL('/travel-advisories?severity_level=info&page=2')
    await expect(page.getByText(/^Page 2 of \d+$/)).toBeVisible()
  })

  test('links to the page of each advisory', async ({ page }) => {
    await page.goto('/travel-advisories')
    await page.getByRole('link', { name: /^View Details\W+Haiti: Do Not Travel$/ }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Haiti: Do Not Travel' })).toBeVisible()
    await page.getByText('Resources', { exact: true }).click()
    await expect(page.getByText('ask your embassy')).toBeVisible()
  })

  test('shows when it was rendered and can be reloaded; offers nothing that needs scripts', async ({ page }) => {
    await page.goto('/travel-advisories?severity_level=info')
    await expect(page.getByText(/Page loaded at \d+ \w+ \d{4}, \d\d:\d\d UTC/)).toBeVisible()
    await page.getByRole('link', { name: 'Reload' }).click()
    await expect(page).toHaveURL('/travel-advisories?severity_level=info')
    await expect(page.getByText('Last refreshed')).toBeHidden()
    for (const name of ['Refresh', 'Clear search', 'Pause the news ticker', 'Light', 'Dark'])
      await expect(page.getByRole('button', { name, exact: true })).toBeHidden()
  })

  test('shows the filters on a phone as well, expanded', async ({ page }) => {
    await page.setViewportSize({ width: 375, height: 800 })
    await page.goto('/travel-advisories')
    await expect(page.getByRole('combobox', { name: 'Level' })).toBeVisible()
    await page.locator('summary').getByText('Hide', { exact: true }).click()
    await expect(page.getByRole('combobox', { name: 'Level' })).toBeHidden()
  })

  test('says that nothing matches, and links back', async ({ page }) => {
    await page.goto('/travel-advisories?search=qqqzzz')
    await expect(page.getByRole('heading', { name: 'No Matching Advisories Found' })).toBeVisible()
    await page.getByRole('link', { name: 'Clear All Filters' }).click()
    await expect(cards(page)).toHaveCount(25)
  })

  test('opens an advisory named in the URL, which can be closed', async ({ page, baseURL }) => {
    const { id } = await anAdvisory(baseURL!)
    await page.goto(`/travel-advisories?highlight=${id}`)
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('heading', { name: 'Haiti: Do Not Travel' })).toBeVisible()
    await dialog.locator('footer').getByRole('button', { name: 'Close' }).click()
    await expect(dialog).toBeHidden()
    await expect(cards(page)).toHaveCount(25)
  })
})

test.describe('in print', () => {
  test.beforeEach(({ page }) => page.emulateMedia({ media: 'print' }))

  test('an advisory has its source, URL and time, and no menus', async ({ page, baseURL }) => {
    const { id } = await anAdvisory(baseURL!)
    await page.goto(`/travel-advisories/${id}`)
    await expect(page.getByRole('heading', { level: 1, name: 'Haiti: Do Not Travel' })).toBeVisible()
    await expect(page.getByText(`${baseURL}/travel-advisories/${id}`)).toBeVisible()
    await expect(page.getByText(/View Official Source: https:\/\/travel\.state\.gov\//)).toBeVisible()
    await expect(page.getByText(/Page loaded at \d+ \w+ \d{4}, \d\d:\d\d UTC/)).toBeVisible()
    await expect(page.getByText('Work of the U.S. Government, in the public domain.')).toBeVisible()
    for (const name of ['Main menu', 'About this portal'])
      await expect(page.getByRole('navigation', { name })).toBeHidden()
    await expect(page.getByRole('region', { name: 'Latest travel news' })).toBeHidden()
    await expect(page.getByRole('button')).toHaveCount(0)
  })

  test('the list has its advisories with source and date, and no menus', async ({ page }) => {
    await page.goto('/travel-advisories?severity_level=emergency')
    const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Haiti: Do Not Travel' }) })
    await expect(card).toContainText('United States')
    await expect(card).toContainText('15 Jul 2025')
    await expect(page.getByRole('navigation', { name: 'Main menu' })).toHaveCount(0)
    await expect(page.getByRole('combobox', { name: 'Level' })).toBeHidden()
  })
})

for (const language of LANGUAGES) {
  const common = texts(language, 'common')
  const other = language === 'en' ? 'ar' : 'en'

  test(`in ${language}: the other language is one link away and is remembered`, async ({ page }) => {
    await page.goto(`/travel-advisories?severity_level=critical&lng=${other}`)
    await page.getByRole('link', { name: language === 'ar' ? 'العربية' : 'English', exact: true }).click()
    const root = page.locator(':root')
    await expect(root).toHaveAttribute('lang', language)
    await expect(root).toHaveAttribute('dir', language === 'ar' ? 'rtl' : 'ltr')
    expect(new URL(page.url()).searchParams.get('severity_level')).toBe('critical')
    await page.goto('/travel-faq')
    await expect(root).toHaveAttribute('lang', language)
    await expect(page.getByRole('heading', { level: 1, name: texts(language, 'content')('faq_title') })).toBeVisible()
  })

  test(`in ${language}: the menu opens on a phone`, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto(`/?lng=${language}`)
    const menu = page.getByRole('navigation', { name: common('nav_label') })
    await expect(menu).toBeHidden()
    await page.locator('header summary').click()
    await menu.getByRole('link', { name: common('nav_travel_faq') }).click()
    await expect(page).toHaveURL('/travel-faq')
    await expectNoSidewaysScrolling(page)
  })

  test(`in ${language}: the landing page asks for the country and leads to it`, async ({ page }) => {
    const t = texts(language, 'countries')
    await page.goto(`/?lng=${language}`)
    await page.getByRole('searchbox', { name: t('question') }).fill(language === 'ar' ? 'اليابان' : 'UAE')
    await page.getByRole('button', { name: texts(language, 'search')('button') }).click()
    await expect(page).toHaveURL(language === 'ar' ? '/countries/JP' : '/countries/AE')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      language === 'ar' ? 'اليابان' : 'United Arab Emirates',
    )
  })
}

test('searches a country among all of them, and an old link to a search still leads there', async ({ page }) => {
  await page.goto('/countries')
  await page.getByRole('searchbox', { name: 'Search for a country, city or church' }).fill('guin')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('link', { name: 'Papua New Guinea', exact: true }).click()
  await expect(page).toHaveURL('/countries/PG')
  await page.goto('/countries?search=guin')
  await expect(page).toHaveURL('/search?q=guin')
})

test('one search finds countries, cities and churches, and asks about a misspelling', async ({ page }) => {
  await page.goto('/')
  const field = page.getByRole('searchbox', { name: 'Which country are you in, or going to?' })
  await field.fill('doha')
  await page.getByRole('button', { name: 'Search' }).click()
  const main = page.getByRole('main')
  for (const name of ['Countries', 'Cities', 'Churches'])
    await expect(main.getByRole('heading', { level: 2, name })).toBeVisible()
  await expect(main.getByRole('listitem').filter({ hasText: 'Sample Locale Doha' })).toContainText(/Next: .* in Doha/)
  await main.getByRole('link', { name: /^Doha, \W*Qatar/ }).click()
  await expect(main.getByText('1 church near Doha')).toBeVisible()
  await expect(main.getByText(/^Next: .* in Doha/)).toBeVisible()
  await expect(main.getByRole('img', { name: 'Map of the results' })).toBeVisible()

  await page.goto('/search?q=dhoa')
  await expect(main.getByRole('heading', { name: 'We know no country, city or church of that name.' })).toBeVisible()
  await expect(main.getByText(/^Did you mean Doha, \W*Qatar/)).toBeVisible()
})

test('questions expand, can be searched, and have their own URLs', async ({ page }) => {
  await page.goto('/travel-faq')
  const questions = page.getByRole('main').locator('details')
  const question = questions.first()
  await expect(question.locator('p').first()).toBeHidden()
  await question.locator('summary').click()
  await expect(question.locator('p').first()).toBeVisible()
  const anchor = await question.getByRole('link', { name: /^Link to the question/ }).getAttribute('href')

  await page.getByRole('searchbox', { name: 'Search questions' }).fill('passport')
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(page.getByText(/questions? match(es)? “passport”/)).toBeVisible()
  await expect(questions.first().locator('p').first()).toBeVisible()
  await page.getByRole('link', { name: 'Clear' }).click()

  await page.goto(`/travel-faq${anchor}`)
  await expect(page.locator(anchor!)).toBeVisible()
})
