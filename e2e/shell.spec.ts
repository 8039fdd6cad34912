import { LANGUAGES, open, recordAnimations, texts } from './pages.ts'
import { expect, type Page, test } from './test.ts'

const menu = (page: Page) => page.getByRole('navigation', { name: 'Main menu' })
const crumbs = (page: Page) => page.getByRole('navigation', { name: 'You are here' })
const footer = (page: Page) => page.getByRole('contentinfo')
const theme = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const height = (page: Page) => page.evaluate(() => Math.round(scrollY))
const ground = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)

test.describe('the frame', () => {
  test('the menu lists its items in order and marks the current one', async ({ page }) => {
    await open(page, '/')
    const items = menu(page).getByRole('link')
    // PDOS Registration and Inquiries will be added before the assistant with their pages.
    await expect(items).toHaveText(['Home', 'Travel Advisories', 'Travel FAQ', 'Find Churches', 'Assistant'])
    expect(await items.evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toEqual([
      '/',
      '/travel-advisories',
      '/travel-faq',
      '/church-locator',
      '/ai-chat',
    ])
    for (const [address, current] of [
      ['/', 'Home'],
      ['/travel-advisories/sources', 'Travel Advisories'],
      ['/countries/JP', 'Travel Advisories'],
      ['/travel-faq', 'Travel FAQ'],
      ['/church-locator?search=x', 'Find Churches'],
      ['/ai-chat', 'Assistant'],
    ] as const) {
      await page.goto(address)
      await expect(menu(page).locator('[aria-current=page]')).toHaveText(current)
    }
  })

  test('the footer links to privacy, terms, support and the sources', async ({ page }) => {
    await open(page, '/')
    expect(
      await footer(page)
        .getByRole('link')
        .evaluateAll((links) => links.map((link) => [link.textContent, link.getAttribute('href')])),
    ).toEqual([
      ['Emergency numbers', '/emergency'],
      ['Privacy policy', '/privacy-policy'],
      ['Terms', '/terms'],
      ['Support', '/support'],
      ['Official sources', '/travel-advisories/sources'],
      ['Service status', '/status'],
      ['Find Churches', '/church-locator'],
    ])
    await expect(footer(page)).toContainText('Sample data')
  })

  test('standalone pages have brand, breadcrumb and a link home, without menu and ticker', async ({ page }) => {
    for (const address of ['/support', '/privacy-policy', '/terms']) {
      await page.goto(address)
      await expect(menu(page)).toHaveCount(0)
      await expect(page.getByRole('region', { name: 'Latest travel news' })).toHaveCount(0)
      await expect(page.getByRole('banner').getByRole('link', { name: 'Home' })).toHaveAttribute('href', '/')
      await expect(page.getByRole('banner').getByRole('link', { name: 'MFA Portal' })).toHaveAttribute('href', '/')
    }
  })
})

const TITLES = [
  ['/', 'MFA Portal', null],
  ['/travel-advisories', 'Travel Advisories - MFA Portal', ['Home', 'Travel']],
  ['/travel-advisories/sources', 'Official sources - MFA Portal', ['Home', 'Travel', 'Official sources']],
  ['/countries', 'Countries - MFA Portal', ['Home', 'Travel', 'Countries']],
  ['/countries/JP', 'Japan - MFA Portal', ['Home', 'Travel', 'Countries', 'Japan']],
  ['/travel-faq', 'Travel FAQ - MFA Portal', ['Home', 'Travel', 'FAQ']],
  ['/church-locator', 'Church Locator - MFA Portal', ['Home', 'Church Locator']],
  ['/ai-chat', 'AI Assistant - MFA Portal', ['Home', 'AI Chat']],
  ['/support', 'Support - MFA Portal', ['Home', 'Support']],
  ['/privacy-policy', 'Privacy Policy - MFA Portal', ['Home', 'Privacy Policy']],
  ['/terms', 'Terms of Service - MFA Portal', ['Home', 'Terms of Service']],
] as const

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('each page has a title and a breadcrumb', async ({ page }) => {
    for (const [address, title, breadcrumbs] of TITLES)
      await test.step(address, async () => {
        await page.goto(address)
        await expect(page).toHaveTitle(title)
        if (!breadcrumbs) return expect(crumbs(page)).toHaveCount(0)
        await expect(crumbs(page).getByRole('listitem')).toHaveText([...breadcrumbs])
        await expect(crumbs(page).getByRole('link')).toHaveText(breadcrumbs.slice(0, -1))
        await expect(crumbs(page).getByRole('link').first()).toHaveAttribute('href', '/')
        await expect(crumbs(page).locator('[aria-current=page]')).toHaveText(breadcrumbs.at(-1)!)
        await expect(crumbs(page).locator('[aria-current=page] a')).toHaveCount(0)
      })
    await page.goto('/travel-faq')
    await expect(crumbs(page).getByRole('link', { name: 'Travel' })).toHaveAttribute('href', '/travel-advisories')
  })
})

test.describe('navigation', () => {
  test('the first Tab offers to skip the menu', async ({ page }) => {
    for (const address of ['/travel-advisories', '/terms']) {
      await open(page, address)
      await page.keyboard.press('Tab')
      const skip = page.getByRole('link', { name: 'Skip to main content' })
      await expect(skip).toBeFocused()
      await expect(skip).toBeInViewport()
      await page.keyboard.press('Enter')
      await expect(page.getByRole('main')).toBeFocused()
    }
  })

  test('a new page gets the focus and starts at its top', async ({ page }) => {
    await open(page, '/travel-advisories')
    await page.mouse.wheel(0, 1500)
    await expect.poll(() => height(page)).toBeGreaterThan(500)
    await page.evaluate(() => document.querySelector<HTMLAnchorElement>('header nav a[href="/travel-faq"]')!.click())
    await expect(page.getByRole('heading', { level: 1, name: 'Travel FAQ' })).toBeVisible()
    await expect(page.getByRole('main')).toBeFocused()
    await expect.poll(() => height(page)).toBe(0)
    await expect(page).toHaveTitle('Travel FAQ - MFA Portal')
  })

  test('while the next page is slow, the old one says that it is loading', async ({ page }) => {
    await open(page, '/')
    let release = () => {}
    const released = new Promise<void>((done) => {
      release = done
    })
    await page.route(/\/travel-faq\.data/, async (route) => {
      await released
      await route.continue()
    })
    const loading = page.getByRole('status').filter({ hasText: 'Loading...' })
    await expect(loading).toHaveCount(0)
    await menu(page).getByRole('link', { name: 'Travel FAQ' }).click()
    await expect(loading).toBeVisible()
    release()
    await expect(page.getByRole('heading', { level: 1, name: 'Travel FAQ' })).toBeVisible()
    await expect(loading).toHaveCount(0)
  })

  test('a link and a form show at once that they were received', async ({ page }) => {
    await open(page, '/')
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/\.data/, async (route) => {
      await released
      await route.continue()
    })
    const bar = page.locator('[data-pending]')
    await expect(bar).toHaveCount(0)
    await menu(page).getByRole('link', { name: 'Travel FAQ' }).click()
    await expect(bar).toBeVisible()
    release()
    await expect(page.getByRole('heading', { level: 1, name: 'Travel FAQ' })).toBeVisible()
    await expect(bar).toHaveCount(0)
  })

  test('where the script of a page cannot be fetched, its link opens the page itself', async ({ page }) => {
    await open(page, '/')
    await page.route(/\/assets\/.*\.js/, (route) => route.abort())
    await menu(page).getByRole('link', { name: 'Travel FAQ' }).click()
    await expect(page).toHaveURL(/\/travel-faq$/)
    await expect(page.getByRole('heading', { level: 1, name: 'Travel FAQ' })).toBeVisible()
    await page.unroute(/\/assets\/.*\.js/)
    // A later reload stays where it is.
    await page.goto('/terms')
    await page.reload()
    await expect(page).toHaveURL(/\/terms$/)
  })

  for (const reducedMotion of ['no-preference', 'reduce'] as const)
    test(`a new page fades in, with motion "${reducedMotion}"`, async ({ page }) => {
      await page.emulateMedia({ reducedMotion })
      const animations = await recordAnimations(page)
      await open(page, '/')
      await menu(page).getByRole('link', { name: 'Travel FAQ' }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Travel FAQ' })).toBeVisible()
      await expect(page.getByRole('main')).toBeFocused()
      expect(await animations()).toEqual(reducedMotion === 'reduce' ? [] : [{ frames: { opacity: [0, 1] }, ms: 400 }])
    })

  test('going back restores the scroll position', async ({ page }) => {
    await open(page, '/travel-advisories')
    await page.evaluate(() => scrollTo(0, 1200))
    await expect.poll(() => height(page)).toBe(1200)
    await page.evaluate(() => document.querySelector<HTMLAnchorElement>('header nav a[href="/travel-faq"]')!.click())
    await expect(page.getByRole('heading', { level: 1, name: 'Travel FAQ' })).toBeVisible()
    await expect.poll(() => height(page)).toBe(0)
    await page.goBack()
    await expect(page.getByRole('heading', { level: 1, name: 'Travel Advisories' })).toBeAttached()
    await expect.poll(() => height(page)).toBe(1200)
  })

  test('an anchor within a page is shown 80 px below the top edge', async ({ page }) => {
    await open(page, '/travel-faq')
    const place = page.getByRole('navigation', { name: 'On this page' }).getByRole('link').nth(1)
    const name = (await place.getAttribute('href'))!.slice(1)
    const top = () => page.evaluate((id) => Math.round(document.getElementById(id)!.getBoundingClientRect().top), name)
    await place.click()
    await expect.poll(top).toBe(80)
    // The same when its URL is opened directly.
    await page.goto('/')
    await open(page, `/travel-faq#${name}`)
    await expect.poll(top).toBe(80)
  })

  test('the back-to-top link appears from 301 px on, not at 299', async ({ page }) => {
    await open(page, '/travel-advisories')
    const up = page.getByRole('button', { name: 'Back to top' })
    await page.evaluate(() => scrollTo(0, 299))
    await expect.poll(() => height(page)).toBe(299)
    await expect(up).toBeHidden()
    await page.evaluate(() => scrollTo(0, 301))
    await expect(up).toBeVisible()
    await up.click()
    await expect.poll(() => height(page)).toBe(0)
    await expect(up).toBeHidden()
  })

  test('with reduced motion nothing fades, slides or scrolls by itself', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await open(page, '/travel-advisories')
    await page.evaluate(() => scrollTo(0, 2000))
    await page.getByRole('button', { name: 'Back to top' }).click()
    expect(await height(page)).toBe(0)
    await menu(page).getByRole('link', { name: 'Home' }).click()
    await expect(page.getByRole('heading', { level: 1, name: /Which country/ })).toBeVisible()
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
  })
})

test.describe('light and dark', () => {
  const LIGHT = 'rgb(244, 246, 250)'
  const DARK = 'rgb(13, 18, 27)'

  test('follows the device until the user chooses', async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'dark' })
    await open(page, '/')
    expect(await ground(page)).toBe(DARK)
    await expect(theme(page, 'System')).toHaveAttribute('aria-pressed', 'true')
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await ground(page)).toBe(LIGHT)
  })

  for (const address of ['/', '/terms'])
    test(`a choice made on ${address} is remembered and applies from the first paint of each page`, async ({
      page,
    }) => {
      await page.emulateMedia({ colorScheme: 'light' })
      await open(page, address)
      await theme(page, 'Dark').click()
      expect(await ground(page)).toBe(DARK)
      await expect(theme(page, 'Dark')).toHaveAttribute('aria-pressed', 'true')
      // The page when its first element exists, before anything else was painted.
      await page.addInitScript(() => {
        const observer = new MutationObserver(() => {
          if (!document.body) return
          observer.disconnect()
          Object.assign(window, { firstGround: getComputedStyle(document.body).backgroundColor })
        })
        observer.observe(document, { childList: true, subtree: true })
      })
      for (const next of ['/travel-advisories', '/privacy-policy']) {
        await open(page, next)
        expect(await page.evaluate(() => (window as typeof window & { firstGround?: string }).firstGround)).toBe(DARK)
        await expect(theme(page, 'Dark')).toHaveAttribute('aria-pressed', 'true')
      }
      await theme(page, 'System').click()
      expect(await ground(page)).toBe(LIGHT)
      await page.reload()
      expect(await ground(page)).toBe(LIGHT)
    })

  test('within the portal, the choice also applies to pages reached by a link', async ({ page }) => {
    await open(page, '/terms')
    await theme(page, 'Dark').click()
    await open(page, '/')
    await footer(page).getByRole('link', { name: 'Official sources' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Official sources' })).toBeVisible()
    await expect(theme(page, 'Dark')).toHaveAttribute('aria-pressed', 'true')
  })
})

test.describe('the language', () => {
  const root = (page: Page) => page.locator(':root')

  test('is English by default', async ({ page }) => {
    await page.goto('/')
    await expect(root(page)).toHaveAttribute('lang', 'en')
    await expect(root(page)).toHaveAttribute('dir', 'ltr')
  })

  for (const tag of ['ar', 'ar-SA'])
    test(`${tag} in the URL makes the page Arabic, right to left, and is remembered`, async ({ page }) => {
      await page.goto(`/travel-faq?lng=${tag}`)
      await expect(root(page)).toHaveAttribute('lang', 'ar')
      await expect(root(page)).toHaveAttribute('dir', 'rtl')
      await page.goto('/')
      await expect(root(page)).toHaveAttribute('dir', 'rtl')
      await expect(page).toHaveTitle(texts('ar', 'common')('brand'))
    })

  test('the URL takes precedence over the stored choice, and that over the browser', async ({ request }) => {
    const language = async (address: string, headers: Record<string, string> = {}) =>
      /<html lang="([^"]*)"/.exec(await (await request.get(address, { headers })).text())?.[1]
    const browser = { 'accept-language': 'ar-EG,ar;q=0.9,en;q=0.5' }
    expect(await language('/', browser)).toBe('ar')
    expect(await language('/', { 'accept-language': 'tl,fr;q=0.8' })).toBe('fil')
    expect(await language('/', { 'accept-language': 'fr,de;q=0.8' })).toBe('en')
    expect(await language('/', { ...browser, cookie: 'lng=en' })).toBe('en')
    expect(await language('/?lng=ar', { cookie: 'lng=en' })).toBe('ar')
    expect(await language('/?lng=xx', { cookie: 'lng=ar' })).toBe('ar')
  })

  test('is changed by one link, which keeps the page and its filters', async ({ page }) => {
    await open(page, '/travel-advisories?severity_level=critical')
    await page.getByRole('link', { name: 'العربية' }).click()
    await expect(root(page)).toHaveAttribute('dir', 'rtl')
    await expect(page.getByRole('heading', { level: 1, name: 'إرشادات السفر' })).toBeVisible()
    expect(new URL(page.url()).searchParams.get('severity_level')).toBe('critical')
    await page.getByRole('link', { name: 'English' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Travel Advisories' })).toBeVisible()
  })

  test('mirrors the page: the brand on the right, the language switch on the left', async ({ page }) => {
    const middle = async (name: string) => {
      const box = await page.getByRole('banner').getByRole('link', { name }).first().boundingBox()
      return box!.x + box!.width / 2
    }
    await page.goto('/travel-advisories')
    expect(await middle('MFA Portal')).toBeLessThan(await middle('العربية'))
    await page.goto('/travel-advisories?lng=ar')
    expect(await middle('MFA')).toBeGreaterThan(await middle('English'))
  })

  test('serves its texts as public files', async ({ request }) => {
    for (const language of LANGUAGES) {
      const answer = await request.get(`/locales/${language}/common.json`)
      expect(answer.status()).toBe(200)
      expect(answer.headers()['content-type']).toMatch(/^application\/json/)
      expect((await answer.json()).nav_home).toBe(texts(language, 'common')('nav_home'))
    }
  })
})

test.describe('URLs', () => {
  test('earlier addresses redirect', async ({ request }) => {
    for (const [from, to, status] of [
      ['/privacy', '/privacy-policy', 308],
      ['/travel-faq/', '/travel-faq', 308],
      ['/pdos-registration', '/pdos-register', 308],
      ['/find-churches?country=Japan', '/church-locator?country=Japan', 308],
      ['/find-churches?countries=JP,IT', '/church-locator?countries=JP,IT', 308],
      ['/app/anything', '/admin', 302],
      ['/internal/anything', '/admin', 302],
      ['/internal/profile', '/dashboard/profile', 308],
      ['/internal/admin/users', '/admin/users', 308],
      ['/admin/brethren-monitoring', '/admin/overseas-brethren', 308],
      ['/countries/jp', '/countries/JP', 301],
    ] as const) {
      const answer = await request.get(from, { maxRedirects: 0 })
      expect([answer.status(), answer.headers().location], from).toEqual([status, to])
    }
  })

  test('an unknown address is not found, and suggests alternatives', async ({ page }) => {
    // Diagnostic pages are for development (F-04); the last three will be added with their capabilities.
    for (const address of [
      '/no-such-path',
      '/scrolling-demo',
      '/travel-advisories-test',
      '/env-test',
      '/auth-test',
      '/pdos-register',
      '/inquiries',
    ])
      await test.step(address, async () => {
        const answer = await page.goto(address)
        expect(answer!.status()).toBe(404)
        await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
        await expect(page.getByRole('link', { name: 'Go to the home page' })).toHaveAttribute('href', '/')
        await expect(page.getByRole('link', { name: 'Support' }).first()).toHaveAttribute('href', '/support')
        await expect(page.getByRole('combobox', { name: 'Search for a country' })).toBeVisible()
      })
  })

  test('search engines find the pages by a sitemap, and news readers the feeds', async ({ page, request, baseURL }) => {
    const robots = await (await request.get('/robots.txt')).text()
    expect(robots).toContain(`Sitemap: ${baseURL}/sitemap.xml`)
    const map = await (await request.get('/sitemap.xml')).text()
    for (const address of ['/travel-advisories', '/countries/JP', '/travel-faq', '/church-locator/'])
      expect(map).toContain(address)
    await page.goto('/')
    for (const [selector, attribute] of [
      ['link[rel=icon]', 'href'],
      ['link[rel=alternate][type="application/atom+xml"]', 'href'],
      ['meta[property="og:image"]', 'content'],
    ] as const) {
      const address = await page.locator(selector).getAttribute(attribute)
      expect([address, (await request.get(address!)).status()]).toEqual([address, 200])
    }
  })
})

test.describe('when a page fails', () => {
  const DATA = /\/travel-faq\.data/
  const follow = (page: Page) => menu(page).getByRole('link', { name: 'Travel FAQ' }).click()

  test('because of the server, it shows an id, and navigation stays usable', async ({ page }) => {
    await open(page, '/')
    await page.route(DATA, (route) => route.fulfill({ status: 500, body: 'no' }))
    await follow(page)
    await expect(page.getByRole('heading', { level: 1, name: 'Page Error' })).toBeVisible()
    await expect(page.getByText(/^An unexpected error occurred\./)).toBeVisible()
    await expect(page.getByText(/^E-[0-9A-Z-]+$/)).toBeVisible()
    await expect(page.getByRole('link', { name: 'Refresh Page' })).toHaveAttribute('href', '/travel-faq')
    await expect(page.getByText('Show Error Details')).toHaveCount(0)
    await expect(menu(page)).toBeVisible()
    await page.getByRole('link', { name: 'Go Home' }).click()
    await expect(page).toHaveURL('/')
  })

  test('because of the network, it says so, tries again twice, and then retrying works', async ({ page }) => {
    await page.clock.install()
    await open(page, '/')
    let tries = 0
    await page.route(DATA, (route) => {
      tries++
      return route.abort()
    })
    await follow(page)
    await expect(page.getByText(/^There seems to be a network connectivity issue\./)).toBeVisible()
    const isComing = page.getByText('We will try again in a few seconds.')
    await expect(isComing).toBeVisible()
    for (const count of [2, 3]) {
      await page.clock.fastForward('00:20')
      await expect.poll(() => tries).toBe(count)
    }
    await expect(isComing).toBeHidden()
    await page.unroute(DATA)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Travel FAQ' })).toBeVisible()
  })

  test('because of an error that passes, it comes back by itself', async ({ page }) => {
    await page.clock.install()
    await open(page, '/')
    await page.route(DATA, (route) => route.fulfill({ status: 503, body: 'no' }), { times: 1 })
    await follow(page)
    await expect(page.getByRole('heading', { level: 1, name: 'Page Error' })).toBeVisible()
    await page.clock.fastForward('00:05')
    await expect(page.getByRole('heading', { level: 1, name: 'Travel FAQ' })).toBeVisible()
  })

  test('only in a section, the rest of the page stays', async ({ page }) => {
    await page.addInitScript(() => {
      // Only the map needs it.
      window.ResizeObserver = class extends ResizeObserver {
        constructor(callback: ResizeObserverCallback) {
          super(callback)
          throw new Error('The map is broken')
        }
      }
    })
    await open(page, '/church-locator?country=JP')
    const alert = page.getByRole('alert').filter({ hasText: 'Component Error' })
    await expect(alert).toBeVisible()
    await expect(alert.getByRole('button', { name: 'Retrying...' })).toBeVisible()
    await expect(alert.getByRole('link', { name: 'Go Home' })).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 1, name: 'Find a church' })).toBeVisible()
    await expect(
      page
        .getByRole('region', { name: /church/ })
        .getByRole('listitem')
        .first(),
    ).toBeVisible()
  })

  test('a reader without network sees that, and keeps the page', async ({ page, context }) => {
    await open(page, '/travel-advisories')
    await context.setOffline(true)
    await expect(page.getByText('You are offline.')).toBeVisible()
    await expect(page.getByRole('heading', { name: /^Current Advisories/ })).toBeVisible()
    await context.setOffline(false)
    await expect(page.getByText('You are offline.')).toBeHidden()
  })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } })

  test('the menu opens, navigates, and closes afterwards', async ({ page }) => {
    await open(page, '/')
    await expect(menu(page)).toBeHidden()
    await page.locator('header summary').click()
    await menu(page).getByRole('link', { name: 'Travel Advisories' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Travel Advisories' })).toBeVisible()
    await expect(menu(page)).toBeHidden()
    await expect(page.getByRole('link', { name: 'العربية' })).toBeVisible()
  })
})

test('a page rendered by an older version of the portal still navigates', async ({ page }) => {
  const statuses: number[] = []
  await page.route(/\/__manifest\?/, async (route) => {
    const answer = await route.fetch({
      url: route
        .request()
        .url()
        .replace(/version=[^&]*/, 'version=older'),
    })
    statuses.push(answer.status())
    await route.fulfill({ response: answer })
  })
  await open(page, '/')
  await menu(page).getByRole('link', { name: 'Travel FAQ' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Travel FAQ' })).toBeVisible()
  expect(statuses).toContain(204)
})
