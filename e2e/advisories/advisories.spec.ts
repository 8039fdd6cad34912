import { anAdvisory, LANGUAGES, moves, open, texts } from '../pages.ts'
import { expect, type Page, test } from '../test.ts'

const cards = (page: Page) =>
  page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'View Details' }) })
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search' })
const level = (page: Page) => page.getByRole('combobox', { name: 'Level' })
const heading = (page: Page) => page.getByRole('heading', { name: /^Current Advisories \(\d+\)$/ })
const tile = (page: Page, name: string) => page.getByRole('list', { name: 'Overview' }).getByRole('link', { name })
const parameters = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

/** The request the page sends for the list after it has loaded. */
const LIST_DATA = /\/travel-advisories\.data/

/** The number in a text. */
const numberIn = (text: string | null) => Number(/\d[\d,]*/.exec(text ?? '')?.[0].replace(',', ''))

test.describe('the list', () => {
  test.beforeEach(({ page }) => open(page, '/travel-advisories'))

  test('starts with its heading, the count of each level and the most serious advisory', async ({ page }) => {
    await expect(page.getByRole('heading', { level: 1, name: 'Travel Advisories' })).toBeVisible()
    await expect(page.getByText('latest safety updates from official government sources')).toBeVisible()
    const [total, critical, warnings, info] = await Promise.all(
      ['Total', 'Critical', 'Warnings', 'info'].map(async (name) => numberIn(await tile(page, name).textContent())),
    )
    expect(critical! + warnings! + info!).toBe(total)
    await expect(heading(page)).toHaveText(`Current Advisories (${total})`)
    await expect(page.getByText(`${total} of ${total} advisories`)).toBeVisible()
    await expect(cards(page)).toHaveCount(25)
    await expect(cards(page).first()).toContainText('EMERGENCY')
  })

  test('has cards with level, title, source, wording, country and freshness, and levels by severity', async ({
    page,
  }) => {
    const card = cards(page).filter({ hasText: 'Haiti' }).first()
    await expect(card).toContainText('EMERGENCY')
    await expect(card.getByRole('heading', { name: /Haiti/ })).toBeVisible()
    await expect(card).toContainText('United States')
    await expect(card).toContainText('“Level 4: Do Not Travel”')
    await expect(card).toContainText('Countries (1)')
    await expect(card).toContainText('Copy from')
    await expect(level(page).getByRole('option')).toHaveText([
      'All Levels',
      'Emergency',
      'Critical',
      'Warning',
      'Caution',
      'Info',
    ])
    await expect(level(page).getByRole('option', { selected: true })).toHaveText('All Levels')
  })

  test('filters while typing, and is complete again when the search is cleared', async ({ page }) => {
    const all = await heading(page).textContent()
    await expect(search(page)).toHaveAttribute('placeholder', 'Search countries, titles, content...')
    await search(page).fill('HAITI')
    await expect(cards(page).first()).toContainText('Haiti')
    await expect(heading(page)).not.toHaveText(all!)
    await expect.poll(() => parameters(page)).toEqual({ search: 'HAITI' })
    await expect(page.getByText(/^\d+ of \d+ advisories$/)).toBeVisible()
    await page.getByRole('button', { name: 'Clear search' }).click()
    await expect(search(page)).toHaveValue('')
    await expect(search(page)).toBeFocused()
    await expect(heading(page)).toHaveText(all!)
  })

  test('filters by level together with the search; each filter is a removable chip', async ({ page }) => {
    await expect(page.getByRole('link', { name: 'Clear', exact: true })).toBeHidden()
    await level(page).selectOption('Critical')
    await expect.poll(() => parameters(page)).toEqual({ severity_level: 'critical' })
    // The address changes a moment before the list.
    await expect.poll(() => cards(page).filter({ hasNotText: 'CRITICAL' }).count()).toBe(0)
    await expect(cards(page).filter({ hasText: 'CRITICAL' })).toHaveCount(await cards(page).count())
    await search(page).fill('travel')
    await expect.poll(() => parameters(page)).toEqual({ search: 'travel', severity_level: 'critical' })

    await page.getByRole('link', { name: 'Remove filter: “travel”' }).click()
    await expect.poll(() => parameters(page)).toEqual({ severity_level: 'critical' })
    await expect(search(page)).toHaveValue('')
    await page.getByRole('link', { name: 'Remove filter: Critical' }).click()
    await expect.poll(() => parameters(page)).toEqual({})
    await expect(level(page).getByRole('option', { selected: true })).toHaveText('All Levels')
  })

  test('Clear removes all filters at once', async ({ page }) => {
    await open(page, '/travel-advisories?search=travel&severity_level=warning&country=MX')
    await expect(page.getByRole('link', { name: 'Remove filter: Country: Mexico' })).toBeVisible()
    await page.getByRole('link', { name: 'Clear', exact: true }).click()
    await expect.poll(() => parameters(page)).toEqual({})
    await expect(search(page)).toHaveValue('')
  })

  test('a tile links to the list that it counts', async ({ page }) => {
    const count = numberIn(await tile(page, 'Warnings').textContent())
    await tile(page, 'Warnings').click()
    await expect(heading(page)).toHaveText(`Current Advisories (${count})`)
    await expect(tile(page, 'Warnings')).toHaveAttribute('aria-current', /.+/)
    await expect(level(page).getByRole('option', { selected: true })).toHaveText('Warning')
    await tile(page, 'Critical').click()
    await expect(cards(page).first()).toContainText('EMERGENCY')
    await expect(page.getByRole('link', { name: 'Remove filter: Emergency + Critical' })).toBeVisible()
  })

  test('pages forward and back', async ({ page }) => {
    const first = await cards(page).first().textContent()
    await expect(page.getByText(/^Page 1 of \d+$/)).toBeVisible()
    await page.getByRole('link', { name: 'Load more' }).click()
    await expect(page.getByText(/^Page 2 of \d+$/)).toBeVisible()
    await expect(cards(page).first()).not.toHaveText(first!)
    await page.getByRole('link', { name: 'Previous' }).click()
    await expect(page.getByText(/^Page 1 of \d+$/)).toBeVisible()
    await expect(cards(page).first()).toHaveText(first!)
  })

  test('a filter starts at the first page again', async ({ page }) => {
    await open(page, '/travel-advisories?page=3')
    await level(page).selectOption('Info')
    await expect(page.getByText(/^Page 1 of \d+$/)).toBeVisible()
  })

  test('the browser’s Back returns to the previous list', async ({ page }) => {
    await tile(page, 'Warnings').click()
    await expect(level(page).getByRole('option', { selected: true })).toHaveText('Warning')
    await page.goBack()
    await expect(level(page).getByRole('option', { selected: true })).toHaveText('All Levels')
    await expect(page.getByText(/^Page 1 of 18$/)).toBeVisible()
  })

  test('says when nothing matches, that this is no all-clear, and how to continue', async ({ page }) => {
    await search(page).fill('qqqzzz')
    await expect(page.getByRole('heading', { name: 'No Matching Advisories Found' })).toBeVisible()
    await expect(page.getByText('No advisory here does not mean a place is safe.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Refresh Advisories' })).toBeVisible()
    await page.getByRole('link', { name: 'Clear All Filters' }).click()
    await expect(heading(page)).toBeVisible()
    await expect(search(page)).toHaveValue('')
  })

  test('suggests the country that was probably meant', async ({ page }) => {
    await search(page).fill('Hayti')
    await page.getByRole('main').getByRole('link', { name: 'Haiti', exact: true }).click()
    await expect(cards(page).first()).toContainText('Haiti')
  })

  test('drops invalid query parameters and says so', async ({ page }) => {
    await open(page, '/travel-advisories?severity_level=terrible&page=0')
    await expect(page.getByText('We ignored part of the address.')).toBeVisible()
    await expect(cards(page)).toHaveCount(25)
  })

  test('says how many sources are confirmed, and which are not', async ({ page }) => {
    await page.getByRole('link', { name: 'See all sources' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Official sources' })).toBeVisible()
    const uk = page.getByRole('group', { name: 'United Kingdom' })
    await expect(uk).toContainText('Copy from 20 May 2026, not re-checked')
    // By keyboard: the new page still scrolls to its top, and a click may miss.
    await uk.getByRole('link', { name: 'Advisories from this source' }).press('Enter')
    await expect(page.getByRole('link', { name: 'Remove filter: Source: United Kingdom' })).toBeVisible()
  })
})

test.describe('the map', () => {
  test.use({ javaScriptEnabled: false })

  test('has regions and countries as links, and the same countries in the list beside it', async ({ page }) => {
    await page.goto('/travel-advisories')
    const map = page.getByRole('figure', { name: /highest level in each country/ })
    const niger = map.locator('a[href="/countries/NE"]')
    await expect(niger.locator('title')).toHaveText(/^Niger: Emergency/)
    const block = page.getByRole('region', { name: 'Levels by country' })
    await expect(block.getByRole('link', { name: /^Niger/ }).first()).toHaveAttribute('href', '/countries/NE')
    await page.getByRole('link', { name: 'Gulf and Middle East' }).click()
    await expect(map.getByText('Saudi Arabia', { exact: true })).toBeVisible()
    await map.locator('a[href="/countries/SA"] path').click()
    await expect(page.getByRole('heading', { level: 1, name: 'Saudi Arabia' })).toBeVisible()
  })

  test.describe('with scripts', () => {
    test.use({ javaScriptEnabled: true })

    test('is sent once, stays when the page comes alive, and follows the region', async ({ page }) => {
      const sent = await page.request.get('/travel-advisories').then((response) => response.text())
      await open(page, '/travel-advisories')
      const map = page.getByRole('figure', { name: /highest level in each country/ })
      const iran = (await map.locator('a[href="/countries/IR"] path').getAttribute('d'))!
      expect(sent.split(iran)).toHaveLength(2)
      await page.getByRole('link', { name: 'Gulf and Middle East' }).click()
      await expect(map.getByText('Saudi Arabia', { exact: true })).toBeVisible()
      await page.goBack()
      await expect(map.locator('a[href="/countries/IR"] path')).toHaveAttribute('d', iran)
      await expect(map.getByText('Saudi Arabia', { exact: true })).toHaveCount(0)
    })
  })

  test('is left out of a filtered list', async ({ page }) => {
    await page.goto('/travel-advisories?severity_level=critical')
    await expect(page.getByRole('figure')).toHaveCount(0)
  })
})

test.describe('an advisory over the list', () => {
  const ADDRESS = /\/travel-advisories\/[0-9a-f-]{36}$/
  const dialog = (page: Page) => page.getByRole('dialog')
  const card = (page: Page) => page.getByRole('link', { name: /^View Details\W+Haiti: Do Not Travel$/ })

  test('opens by click, Enter and Space, closes with Escape and returns the focus', async ({ page }) => {
    await open(page, '/travel-advisories')
    for (const act of [() => card(page).click(), () => card(page).press('Enter'), () => card(page).press('Space')]) {
      await act()
      await expect(dialog(page).getByRole('heading', { level: 2, name: 'Haiti: Do Not Travel' })).toBeVisible()
      await expect(page).toHaveURL(ADDRESS)
      await page.keyboard.press('Escape')
      await expect(dialog(page)).toBeHidden()
      await expect(card(page)).toBeFocused()
      await expect(page).toHaveURL('/travel-advisories')
    }
  })

  test('has an address of its own: Back closes it, a reload opens the page, and Back returns to the list', async ({
    page,
  }) => {
    await open(page, '/travel-advisories')
    const other = page.getByRole('link', { name: /^View Details\W+Niger: Do Not Travel$/ })
    for (const each of [card(page), other]) {
      await each.click()
      await expect(page).toHaveURL(ADDRESS)
      await expect(dialog(page).getByRole('heading', { name: 'What to do first' })).toBeVisible()
      await page.goBack()
      await expect(dialog(page)).toBeHidden()
      await expect(each).toBeFocused()
      await expect(page).toHaveURL('/travel-advisories')
    }
    await page.goForward()
    await expect(dialog(page).getByRole('heading', { level: 2, name: 'Niger: Do Not Travel' })).toBeVisible()
    await page.reload()
    await expect(page.getByRole('heading', { level: 1, name: 'Niger: Do Not Travel' })).toBeVisible()
    await expect(dialog(page)).toBeHidden()
    await page.goBack()
    await expect(heading(page)).toBeVisible()
    await expect(dialog(page)).toBeHidden()
    await card(page).click()
    await dialog(page).getByRole('link', { name: 'Open full page' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Haiti: Do Not Travel' })).toBeVisible()
    await page.goBack()
    await expect(dialog(page).getByRole('heading', { level: 2, name: 'Haiti: Do Not Travel' })).toBeVisible()
  })

  test('prints the advisory without the list, with its address and the time', async ({ page }) => {
    await open(page, '/travel-advisories')
    await card(page).click()
    await expect(dialog(page).getByRole('heading', { name: 'Why' })).toBeVisible()
    await page.emulateMedia({ media: 'print' })
    await expect(dialog(page).getByText(/\/travel-advisories\/[0-9a-f-]{36}/)).toBeVisible()
    await expect(heading(page)).toBeHidden()
    await expect(dialog(page).getByRole('button', { name: 'Close' }).first()).toBeHidden()
  })

  test('opens by a click anywhere on its card', async ({ page }) => {
    await open(page, '/travel-advisories')
    await page.getByRole('heading', { level: 3, name: 'Haiti: Do Not Travel' }).click({ force: true })
    await expect(dialog(page)).toBeVisible()
  })

  test('shows all details', async ({ page }) => {
    await open(page, '/travel-advisories')
    await card(page).click()
    const open_ = dialog(page)
    // Its severity appears in its version history as well.
    for (const text of ['EMERGENCY', 'URGENT', 'U.S. Department of State'])
      await expect(open_.getByText(text, { exact: true }).first()).toBeVisible()
    for (const name of ['What to do first', 'Why']) await expect(open_.getByRole('heading', { name })).toBeVisible()
    await expect(open_.getByText('Additional Information', { exact: true })).toBeVisible()
    await expect(open_.getByRole('heading', { name: 'Timeline' })).toBeHidden()
    await open_.getByText('Details', { exact: true }).click()
    for (const name of ['Timeline', 'Affected areas']) await expect(open_.getByRole('heading', { name })).toBeVisible()
    await expect(open_.getByText('Active • Urgent', { exact: true })).toBeVisible()
    for (const term of ['Last Updated', 'Confirmed', 'Status'])
      await expect(open_.getByText(term, { exact: true })).toBeVisible()
    await expect(open_.getByText('Expiry Date')).toBeHidden()
    await expect(open_.getByRole('link', { name: 'Haiti', exact: true })).toHaveAttribute('href', '/countries/HT')
    await open_.getByText('Resources', { exact: true }).click()
    await expect(open_.getByText('ask your embassy')).toBeVisible()
  })

  test('has Close, Official Source and All Advisories in its footer, in this order', async ({ page }) => {
    await open(page, '/travel-advisories')
    await card(page).click()
    const foot = dialog(page).locator('footer')
    await expect(foot.getByRole('button').or(foot.getByRole('link'))).toHaveText([
      'Open full page',
      'Close',
      /^Official Source/,
      /^All Advisories/,
    ])
    for (const name of ['Official Source', 'All Advisories']) {
      const link = foot.getByRole('link', { name })
      await expect(link).toHaveAttribute('target', '_blank')
      await expect(link).toHaveAttribute('rel', /noopener/)
      await expect(link).toHaveAttribute('href', /^https:\/\/travel\.state\.gov\//)
    }
    await foot.getByRole('button', { name: 'Close' }).click()
    await expect(dialog(page)).toBeHidden()
    await expect(card(page)).toBeFocused()
  })

  test('keeps the focus inside while it is open', async ({ page }) => {
    await open(page, '/travel-advisories')
    await card(page).click()
    await expect(dialog(page).getByRole('button', { name: 'Close' }).first()).toBeVisible()
    for (let i = 0; i < 30; i++) {
      await page.keyboard.press('Tab')
      // After the last element the focus moves to the browser's own toolbar, which shows as the body.
      expect(await page.evaluate(() => document.activeElement!.closest('dialog, body')!.tagName)).toMatch(/DIALOG|BODY/)
      expect(
        await page.evaluate(() => document.activeElement!.closest('header:not(dialog *), main > :not(:has(dialog))')),
      ).toBeNull()
    }
  })

  test('reports a failure to load and where to read it instead', async ({ page, baseURL }) => {
    const { id } = await anAdvisory(baseURL!)
    await open(page, '/travel-advisories')
    await page.route(new RegExp(`/travel-advisories/${id}\\.data`), (route) => route.abort())
    await card(page).click()
    await expect(dialog(page).getByText('We could not load the advisory.')).toBeVisible()
    await expect(dialog(page).getByRole('link', { name: 'Open full page' })).toHaveAttribute(
      'href',
      `/travel-advisories/${id}`,
    )
    await page.keyboard.press('Escape')
    await expect(heading(page)).toBeVisible()
  })

  test('keeps the list without a network and says so', async ({ page, context }) => {
    await open(page, '/travel-advisories')
    await page.waitForLoadState('networkidle')
    await context.setOffline(true)
    await card(page).click()
    await expect(dialog(page).getByText('We could not load the advisory.')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(heading(page)).toBeVisible()
    await expect(page.getByText('You are offline.')).toBeVisible()
    await context.setOffline(false)
    await card(page).click()
    await expect(dialog(page).getByRole('heading', { name: 'Why' })).toBeVisible()
  })

  test('opens at once if the URL names it; closing removes it from the URL and keeps the rest', async ({
    page,
    baseURL,
  }) => {
    const { id } = await anAdvisory(baseURL!)
    await open(page, `/travel-advisories?search=haiti&severity_level=emergency&highlight=${id}`)
    await expect(dialog(page).getByRole('heading', { name: 'Haiti: Do Not Travel' })).toBeVisible()
    await expect(page).toHaveURL(`/travel-advisories/${id}`)
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toBeHidden()
    await expect.poll(() => parameters(page)).toEqual({ search: 'haiti', severity_level: 'emergency' })
    await expect(cards(page).first()).toContainText('Haiti')
  })

  test('reports an unknown id in the URL, over the list', async ({ page }) => {
    await open(page, '/travel-advisories?highlight=00000000-0000-4000-8000-000000000000')
    await expect(page.getByText('We could not find this advisory.')).toBeVisible()
    await expect(dialog(page)).toBeHidden()
    await expect(cards(page)).toHaveCount(25)
  })

  test('opens over the list from the ticker', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await open(page, '/')
    await page
      .getByRole('region', { name: 'Latest travel news' })
      .getByRole('listitem')
      .getByRole('link')
      .first()
      .click()
    await expect(dialog(page).getByRole('heading', { level: 2 })).toBeVisible()
    await expect(page).toHaveURL(ADDRESS)
  })
})

test.describe('the page of an advisory', () => {
  test('shows all details and links on', async ({ page, baseURL }) => {
    const { id, title } = await anAdvisory(baseURL!)
    await open(page, `/travel-advisories/${id}`)
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await expect(page).toHaveTitle(`${title} - MFA Portal`)
    const source = page.getByRole('link', { name: 'View Official Source' })
    await expect(source).toHaveAttribute('target', '_blank')
    await expect(source).toHaveAttribute('rel', /noopener/)
    await expect(page.getByText('Work of the U.S. Government, in the public domain.')).toBeVisible()
    await expect(page.getByText('First version we recorded')).toBeVisible()
    await page.getByRole('link', { name: 'Compare them side by side' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Haiti' })).toBeVisible()
  })

  for (const id of ['00000000-0000-4000-8000-000000000000', 'nothing-like-an-id'])
    test(`for a missing advisory (${id}) links to others`, async ({ page }) => {
      const answer = await page.goto(`/travel-advisories/${id}`)
      expect(answer!.status()).toBe(404)
      await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
      await expect(page.getByRole('link', { name: 'All travel advisories' })).toBeVisible()
    })
})

test.describe('refreshing', () => {
  const refresh = (page: Page) => page.getByRole('button', { name: 'Refresh', exact: true })

  test('shows that it is in progress, and then the time', async ({ page }) => {
    await page.clock.install()
    await open(page, '/travel-advisories')
    await page.clock.fastForward('03:10')
    await expect(page.getByText('Last refreshed 3 minutes ago')).toBeVisible()
    const answer = gate()
    await page.route('**/travel-advisories/refresh', async (route) => {
      await answer.released
      await route.continue()
    })
    await refresh(page).click()
    await expect(page.getByRole('button', { name: 'Refreshing...' })).toBeVisible()
    answer.release()
    await expect(refresh(page)).toBeVisible()
    await page.clock.fastForward('00:31')
    await expect(page.getByText('Last refreshed now')).toBeVisible()
  })

  for (const [what, address] of [
    ['the request for it fails', '**/api/travel-advisories/refresh'],
    ['the list does not come', LIST_DATA],
  ] as const)
    test(`keeps the old list when ${what}, and shows its age`, async ({ page }) => {
      await open(page, '/travel-advisories')
      await page.route(address, (route) => route.abort())
      await refresh(page).click()
      const alert = page.getByRole('alert')
      await expect(alert).toContainText('Error Loading Advisories')
      await expect(alert).toContainText('Unable to refresh travel advisories. Please try again later.')
      await expect(alert).toContainText('This is the list from')
      await expect(cards(page)).toHaveCount(25)
      await page.unroute(address)
      await alert.getByRole('button', { name: 'Try again' }).click()
      await expect(alert).toBeHidden()
    })

  test('reports a list that never arrived as missing, not empty', async ({ page }) => {
    await open(page, '/')
    await page.route(LIST_DATA, (route) => route.abort())
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Travel Advisories' }).click()
    await expect(page.getByText('Error Loading Advisories')).toBeVisible()
    await expect(page.getByText('Unable to load travel advisories. Please try again later.')).toBeVisible()
    await page.unroute(LIST_DATA)
    await page.getByRole('link', { name: 'Try again' }).click()
    await expect(heading(page)).toBeVisible()
  })

  test('shows six placeholders while another list is loading', async ({ page }) => {
    await open(page, '/travel-advisories')
    const answer = gate()
    await page.route(LIST_DATA, async (route) => {
      await answer.released
      await route.continue()
    })
    await level(page).selectOption('Warning')
    await expect(page.getByText('Loading Latest Advisories...')).toBeVisible()
    await expect(page.getByText('Fetching latest advisories...')).toBeVisible()
    await expect(page.locator('[data-skeleton="card"]')).toHaveCount(6)
    answer.release()
    await expect(heading(page)).toBeVisible()
  })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 375, height: 800 } })

  test('the filters collapse behind a button; a dot marks active filters', async ({ page }) => {
    await open(page, '/travel-advisories')
    const toggle = page.locator('summary').getByText('Filters', { exact: true })
    await expect(level(page)).toBeHidden()
    await expect(search(page)).toBeVisible()
    await toggle.click()
    await expect(page.locator('summary').getByText('Hide', { exact: true })).toBeVisible()
    await level(page).selectOption('Warning')
    await expect(page.getByText('Filters are active')).toBeAttached()
    await page.locator('summary').getByText('Hide', { exact: true }).click()
    await expect(level(page)).toBeHidden()
    await expect(toggle).toBeVisible()
    await expect(page.getByText('Filters are active')).toBeAttached()
    await page.getByRole('link', { name: 'Clear', exact: true }).click()
    await expect(page.getByText('Filters are active')).toBeHidden()
  })
})

test.describe('the ticker', () => {
  const news = (page: Page) => page.getByRole('region', { name: 'Latest travel news' })

  test('moves, stops and moves again by its first button', async ({ page }) => {
    await open(page, '/travel-advisories')
    await expect.poll(() => moves(page, '[aria-label="Latest travel news"]')).toBe(true)
    await news(page).getByRole('button', { name: 'Pause the news ticker' }).click()
    await expect.poll(() => moves(page, '[aria-label="Latest travel news"]')).toBe(false)
    await news(page).getByRole('button', { name: 'Resume the news ticker' }).click()
    await page.mouse.move(0, 600)
    await page.getByRole('heading', { level: 1 }).click()
    await expect.poll(() => moves(page, '[aria-label="Latest travel news"]')).toBe(true)
  })

  test('holds at most twelve items in a 48 px bar', async ({ page }) => {
    await open(page, '/')
    expect(await news(page).getByRole('listitem').count()).toBeLessThanOrEqual(12)
    expect((await news(page).boundingBox())!.height).toBe(48)
  })

  test('does not move with reduced motion, nor does anything else', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await open(page, '/travel-advisories')
    await expect(news(page)).toHaveAttribute('data-look', 'static')
    expect(await moves(page)).toBe(false)
  })
})

for (const language of LANGUAGES) {
  const t = texts(language, 'advisories')

  test(`in ${language}: find, open, close, and go to its page`, async ({ page }) => {
    await open(page, `/travel-advisories?lng=${language}`)
    await expect(page.getByRole('heading', { level: 1, name: t('page_title') })).toBeVisible()
    await page.getByRole('searchbox', { name: t('search'), exact: true }).fill(language === 'ar' ? 'هايتي' : 'Haiti')
    const details = page.getByRole('link', { name: t('view_details') }).first()
    await expect(details).toContainText(language === 'ar' ? 'هايتي' : 'Haiti')
    await expect(page.getByText(t('severity_emergency'), { exact: true }).last()).toBeVisible()
    await details.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(t('details'), { exact: true }).click()
    await expect(dialog.getByRole('heading', { name: t('timeline') })).toBeVisible()
    await expect(dialog.getByText(t('status_active') + t('status_urgent'))).toBeVisible()
    await dialog
      .locator('footer')
      .getByRole('button', { name: t('close') })
      .click()
    await expect(dialog).toBeHidden()
    await expect(details).toBeFocused()
    const address = await details.getAttribute('href')
    await open(page, address!)
    await expect(page.getByRole('heading', { level: 1 })).toContainText(language === 'ar' ? 'هايتي' : 'Haiti')
    // The source's text stays in its own language and is marked so.
    await expect(page.locator('article [lang="en"]').first()).toBeVisible()
  })
}

/** A promise that a test resolves when it is ready. */
function gate() {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  return { released, release }
}
