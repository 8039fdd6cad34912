import { LANGUAGES, open, texts } from '../pages.ts'
import { expect, type Page, test } from '../test.ts'

const question = (page: Page) => page.getByRole('combobox', { name: 'Which country are you in, or going to?' })
const show = (page: Page) => page.getByRole('button', { name: 'Search', exact: true })

test.describe('the country search of the landing page', () => {
  test('leads straight to a country by any of its names', async ({ page }) => {
    for (const [what, query, code] of [
      ['its name', 'Japan', 'JP'],
      ['a short name people say', 'UAE', 'AE'],
      ['a former name', 'Burma', 'MM'],
      ['its own name in its own script', '日本', 'JP'],
      ['its own name in Latin letters', 'Deutschland', 'DE'],
      ['its Arabic name', 'السعودية', 'SA'],
      ['a name without its accents', "cote d'ivoire", 'CI'],
    ] as const)
      await test.step(`${what}: ${query}`, async () => {
        await open(page, '/')
        await question(page).fill(query)
        await show(page).click()
        await expect(page).toHaveURL(`/countries/${code}`)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      })
  })

  test('lists all possible matches', async ({ page }) => {
    await open(page, '/')
    await question(page).fill('guin')
    await show(page).click()
    await expect(page).toHaveURL('/search?q=guin')
    await expect(page.getByRole('heading', { name: 'Results for “guin”' })).toBeVisible()
    for (const name of ['Guinea', 'Papua New Guinea', 'Equatorial Guinea', 'Guinea-Bissau'])
      await expect(page.getByRole('main').getByRole('link', { name, exact: true })).toBeVisible()
  })

  test('a capital is a city, with its country below', async ({ page }) => {
    await open(page, '/')
    await question(page).fill('Tokyo')
    await show(page).click()
    await expect(page.getByRole('main').getByRole('link', { name: /^Tokyo, \W*Japan/ })).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'Japan', exact: true }).click()
    await expect(page).toHaveURL('/countries/JP')
  })

  test('says when nothing matches, and lists all', async ({ page }) => {
    await open(page, '/')
    await question(page).fill('qqqqwwww')
    await expect(page.getByText('We know no country, city or church of that name.')).toBeVisible()
    await show(page).click()
    await expect(page.getByRole('heading', { name: 'We know no country, city or church of that name.' })).toBeVisible()
    await page.getByRole('link', { name: 'All countries' }).click()
    await expect(page.getByRole('main').getByRole('link', { name: 'Japan', exact: true })).toBeVisible()
  })

  test('suggests while typing; the arrow keys select', async ({ page }) => {
    await open(page, '/')
    await question(page).pressSequentially('phil')
    const suggestion = page.getByRole('option', { name: 'Philippines' })
    await expect(suggestion).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('option').first()).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Escape')
    await expect(suggestion).toBeHidden()
    await expect(question(page)).toHaveValue('phil')
    await page.keyboard.press('ArrowDown')
    await suggestion.click()
    await expect(page).toHaveURL('/countries/PH')
  })

  test('a city is two taps from its next service, and the list ends with everything', async ({ page }) => {
    await open(page, '/')
    await question(page).pressSequentially('doh')
    await expect(page.getByRole('option', { name: /^Sample Locale Doha Next: .* in Doha$/ })).toBeVisible()
    await expect(page.getByRole('option').last()).toHaveText('Show everything for “doh”')
    await page.getByRole('option', { name: /^Doha, \W*Qatar\W* City/ }).click()
    await expect(page.getByRole('main').getByText(/^Next: .* in Doha/)).toBeVisible()
  })

  test('a late answer to an older input never replaces the newer one', async ({ page }) => {
    let release = () => {}
    const waiting = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/public\/search\?search=jap&/, async (route) => {
      await waiting
      await route.continue().catch(() => {})
    })
    await open(page, '/')
    const asked = page.waitForRequest(/search=jap&/)
    await question(page).fill('jap')
    await asked
    await question(page).fill('haiti')
    await expect(page.getByRole('option', { name: /Haiti/ }).first()).toBeVisible()
    release()
    await expect(page.getByRole('option').last()).toHaveText('Show everything for “haiti”')
    await expect(page.getByRole('option', { name: /Japan/ })).toHaveCount(0)
  })

  test('without an answer the form still searches', async ({ page }) => {
    await open(page, '/')
    await page.route(/public\/search/, (route) => route.abort())
    await question(page).fill('guin')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/search?q=guin')
  })

  test('Enter opens the selected suggestion', async ({ page }) => {
    await open(page, '/')
    await question(page).pressSequentially('hai')
    await expect(page.getByRole('option', { name: /Haiti/ })).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/countries/HT')
  })
})

test.describe('the page of a country', () => {
  test('leads with what the sources say, most serious first, and has a row for every source', async ({ page }) => {
    await open(page, '/countries/HT')
    await expect(page).toHaveTitle('Haiti - MFA Portal')
    await expect(page.getByText(/Capital: \W*Port-au-Prince/)).toBeVisible()
    await expect(page.locator('[data-verdict]')).toHaveText(
      'The US says “Do Not Travel”. The UK says “FCDO advises against all travel”.',
    )
    await expect(page.locator('[data-verdict] bdi', { hasText: 'Do Not Travel' })).toHaveAttribute('lang', 'en')
    await expect(page.getByText('Copies from 15 Feb 2026 or later, not re-checked.')).toBeVisible()
    const says = (source: string) =>
      page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3, name: source }) })
    await expect(says('United States')).toContainText('Level 4: Do Not Travel')
    await expect(says('United States')).toContainText(/changed \d+ \w+ \d{4}/)
    await expect(says('United Kingdom')).toContainText('Copy from 20 May 2026, not re-checked')
    // The others have their rows as well, so that their silence is not read as an all-clear.
    await expect(says('Germany')).toContainText('We do not know what it says.')
    await expect(says('Canada')).toContainText(/Our copy lists nothing about \W*Haiti\W*. That may have changed./)
    await expect(says('Philippines (DFA)')).toContainText('It publishes no feed. Our team enters what it says')
  })

  test('on a phone, the verdict ends in the first 300 px, and the call is one tap', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    for (const code of ['QA', 'HT', 'CD', 'MX', 'JP', 'BV'])
      for (const language of LANGUAGES) {
        await page.goto(`/countries/${code}?lng=${language}`)
        const verdict = await page.locator('[data-verdict]').boundingBox()
        expect.soft(verdict!.y + verdict!.height, `${code} in ${language}`).toBeLessThanOrEqual(300)
        const words = (await page.locator('[data-verdict]').innerText()).trim().split(/\s+/).length
        expect.soft(words, `${code} in ${language}`).toBeLessThan(40)
        await expect(page.locator('main a[href^="tel:"]').first()).toBeInViewport()
        await expect(page.getByRole('navigation', { name: texts(language, 'common')('crumbs_label') })).toHaveCount(1)
      }
  })

  test('links to each advisory, to the official pages and to the list', async ({ page }) => {
    await open(page, '/countries/HT')
    await page.getByRole('link', { name: '“Level 4: Do Not Travel”' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Haiti: Do Not Travel' })).toBeVisible()
    await page.goBack()
    await page.getByRole('link', { name: 'All advisories for Haiti' }).click()
    await expect(page.getByRole('link', { name: 'Remove filter: Country: Haiti' })).toBeVisible()
  })

  test('never reads as an all-clear if no source lists anything', async ({ page }) => {
    await open(page, '/countries/BV')
    await expect(page.locator('[data-verdict]')).toHaveText(
      /^We cannot confirm right now whether any source lists an advisory for \W*Bouvet Island\W*. That does not mean it is safe.$/,
    )
    await expect(page.locator('main [data-severity]')).toHaveCount(0)
    await expect(page.getByText(/^Our copy lists nothing/).first()).toBeVisible()
  })

  test('has one URL; lower case redirects to it, and an unknown country has none', async ({ page }) => {
    await page.goto('/countries/jp')
    await expect(page).toHaveURL('/countries/JP')
    expect((await page.goto('/countries/XX'))!.status()).toBe(404)
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  })

  test('has a feed for news readers', async ({ page, request }) => {
    await open(page, '/countries/HT')
    const address = await page.getByRole('link', { name: 'Atom feed for news readers' }).getAttribute('href')
    const answer = await request.get(address!)
    expect(answer.headers()['content-type']).toMatch(/^application\/atom\+xml/)
    const feed = await page.evaluate(
      (xml) => {
        const document = new DOMParser().parseFromString(xml, 'application/xml')
        const text = (parent: ParentNode, name: string) => parent.querySelector(name)?.textContent ?? ''
        return {
          error: text(document, 'parsererror'),
          root: document.documentElement.namespaceURI,
          id: text(document, 'feed > id'),
          title: text(document, 'feed > title'),
          updated: text(document, 'feed > updated'),
          author: text(document, 'feed > author > name'),
          self: document.querySelector('feed > link[rel="self"]')?.getAttribute('href'),
          entries: [...document.querySelectorAll('entry')].map((entry) => ({
            id: text(entry, 'id'),
            title: text(entry, 'title'),
            updated: text(entry, 'updated'),
            link: entry.querySelector('link')?.getAttribute('href'),
          })),
        }
      },
      await answer.text(),
    )
    expect(feed).toMatchObject({ error: '', root: 'http://www.w3.org/2005/Atom' })
    expect(feed.title).toContain('Haiti')
    expect(feed.id).toMatch(/^(https?|urn|tag):/)
    expect(feed.self).toContain('/countries/HT/feed.atom')
    expect(feed.entries.map(({ title }) => title)).toContain('EMERGENCY: Haiti: Do Not Travel')
    for (const { id, updated, link } of [...feed.entries, { ...feed, link: feed.self }]) {
      expect(id).toMatch(/^(https?|urn|tag):/)
      expect(updated).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
      expect(link).toMatch(/^https?:\/\//)
    }
    expect(new Set(feed.entries.map(({ id }) => id)).size).toBe(feed.entries.length)
  })
})

test('all countries are listed by region, with the level of each', async ({ page }) => {
  await open(page, '/countries')
  await page.getByRole('navigation', { name: 'Regions' }).getByRole('link', { name: 'Oceania' }).click()
  await expect(page.getByRole('heading', { name: 'Oceania' })).toBeInViewport()
  const haiti = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Haiti', exact: true }) })
  await expect(haiti).toContainText('EMERGENCY')
})

for (const language of LANGUAGES) {
  const t = texts(language, 'countries')
  const [name, query] = language === 'ar' ? ['هايتي', 'هايتي'] : ['Haiti', 'Haiti']

  test(`in ${language}: searched, found, and shown by each source`, async ({ page }) => {
    await open(page, `/?lng=${language}`)
    await expect(page.getByRole('heading', { level: 1, name: t('question') })).toBeVisible()
    await page.getByRole('combobox', { name: t('question') }).fill(query)
    await page.getByRole('button', { name: texts(language, 'search')('button') }).click()
    await expect(page).toHaveURL('/countries/HT')
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await expect(page.getByRole('heading', { level: 2, name: t('says_title') })).toBeVisible()
    // A source's wording stays as written and is marked with its language.
    await expect(page.getByText('“Level 4: Do Not Travel”').first()).toHaveAttribute('lang', 'en')
    await expect(page.getByRole('link', { name: t('changed_feed') })).toBeVisible()
  })
}
