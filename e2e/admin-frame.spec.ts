import { accessOfPage } from '../shared/page-access.ts'
import { dashboardOf, mayPass, type Role } from '../shared/roles.ts'
import { expectOpenToAll, violations } from './axe.ts'
import { signInAs } from './fixtures.ts'
import { anAdvisory, isAlive, LANGUAGES, open, recordAnimations } from './pages.ts'
import { type BrowserContext, expect, test } from './test.ts'

const LOGINS: Record<Role, string> = {
  admin: 'admin',
  mfa_coordinator: 'mfa',
  pdos_coordinator: 'pdos',
  local_servant: 'servant',
  coordinator: 'coordinator',
  member: 'member',
  traveler: 'traveler',
}

const signIn = (context: BrowserContext, base: string, role: Role) => signInAs(context, base, LOGINS[role])

const MENUS: Partial<Record<Role, { panel: string; groups: string[]; first: string }>> = {
  admin: { panel: 'Admin Panel', groups: ['Core Modules', 'System'], first: 'Overview' },
  mfa_coordinator: { panel: 'Coordinator Panel', groups: ['Operations'], first: 'Overview' },
  pdos_coordinator: { panel: 'PDOS Coordinator', groups: ['Operations'], first: 'Overview' },
  local_servant: { panel: 'Servant Panel', groups: ['Operations'], first: 'Overview' },
}

for (const [role, { panel, groups, first }] of Object.entries(MENUS) as [Role, NonNullable<(typeof MENUS)[Role]>][])
  test(`the menu of ${role} has its title and pages`, async ({ page, context, baseURL }) => {
    await signIn(context, baseURL!, role)
    await open(page, dashboardOf(role))
    await expect(page.getByRole('banner').getByText(panel, { exact: true })).toBeVisible()
    const menu = page.getByRole('navigation', { name: 'Admin menu' })
    await expect(menu.getByRole('link').first()).toContainText(first)
    await expect(menu.getByRole('heading')).toHaveText(groups)
    for (const link of await menu.locator('a:not([target])').all()) {
      const path = (await link.getAttribute('href'))!
      expect(mayPass(accessOfPage(path), role), path).toBe(true)
    }
    const publicPages = menu.getByRole('link', { name: 'Public Pages' })
    await expect(publicPages).toHaveAttribute('href', '/')
    await expect(publicPages).toHaveAttribute('target', '_blank')
  })

test.describe('for an administrator', () => {
  test.beforeEach(({ context, baseURL }) => signIn(context, baseURL!, 'admin'))

  for (const language of LANGUAGES)
    test(`the drawer is 240 px or 60 px wide and keeps its state, in ${language}`, async ({ page }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await open(page, `/admin?lng=${language}`)
      const wide = page.locator('[data-drawer-fold]')
      // The other menu is for narrow screens.
      const side = page.locator('nav:has(a[href="/admin/data"]):not(details nav)').locator('..')
      const width = async () => Math.round((await side.boundingBox())!.width)
      expect(await width()).toBe(240)
      await expect(wide).toHaveAttribute('aria-expanded', 'true')
      await wide.click()
      expect(await width()).toBe(60)
      await expect(wide).toHaveAttribute('aria-expanded', 'false')
      await page.goto(`/admin/search?search=zzz&lng=${language}`)
      expect(await width()).toBe(60)
      // Collapsed, the icons still have accessible names.
      await expect(side.locator('a[href="/admin/users"]')).toHaveAccessibleName(/\S/)
      await isAlive(page)
      await wide.click()
      expect(await width()).toBe(240)
    })

  test('a single key and Ctrl+K focus the search, Escape leaves it; keys typed into a field stay there', async ({
    page,
  }) => {
    await open(page, '/admin')
    const search = page.getByRole('combobox', { name: 'Go to a page, person or record' })
    await page.keyboard.press('/')
    await expect(search).toBeFocused()
    await expect(search).toHaveValue('')
    await page.keyboard.type('a/b')
    await expect(search).toHaveValue('a/b')
    await page.keyboard.press('Escape')
    await expect(search).not.toBeFocused()
    await page.keyboard.press('Control+k')
    await expect(search).toBeFocused()
  })

  test('Enter opens a page by its name, and otherwise the results', async ({ page }) => {
    await open(page, '/admin')
    const search = page.getByRole('combobox', { name: 'Go to a page, person or record' })
    await search.fill('quatar')
    await search.press('Enter')
    await expect(page.getByRole('main')).toContainText('No match for “quatar”.')
    await expect(page.getByRole('main').getByRole('link', { name: 'Did you mean Qatar?' })).toBeVisible()
    await search.fill('advisories')
    await search.press('Enter')
    await expect(page).toHaveURL(/\/travel-advisories$/)
  })

  test('"user maria" passes the name on as a filter', async ({ page }) => {
    await open(page, '/admin')
    const search = page.getByRole('combobox', { name: 'Go to a page, person or record' })
    await search.fill('user maria')
    await search.press('Enter')
    await expect(page).toHaveURL(/\/admin\/users\?search=maria$/)
  })

  test('finds people and records while typing; the arrows move, Enter opens', async ({ page }) => {
    await open(page, '/admin')
    const search = page.getByRole('combobox', { name: 'Go to a page, person or record' })
    await search.pressSequentially('sample mem')
    const person = page.getByRole('group', { name: 'People' }).getByRole('option', { name: /Sample Member/ })
    await expect(person).toBeVisible()
    await expect(person.locator('mark').first()).toHaveText('Sample')
    await expect(search).toHaveAttribute('aria-expanded', 'true')
    await search.press('ArrowDown')
    await expect(person).toHaveAttribute('aria-selected', 'true')
    expect(await violations(page)).toEqual([])
    await search.press('Enter')
    await expect(page).toHaveURL(/\/admin\/users\/[0-9a-f-]+$/)
    await expect(search).toHaveValue('')
  })

  test('the overview counts what waits, each count links to its list, and the filters narrow it', async ({ page }) => {
    for (const path of ['/admin', '/admin/dashboard']) {
      await open(page, path)
      await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible()
      const tiles = page.getByRole('list', { name: 'To do' }).getByRole('link')
      for (const text of await tiles.allTextContents()) expect(text).toMatch(/^[1-9]/)
    }
    const queue = page.getByRole('region', { name: 'Needs you' })
    const filters = queue.getByRole('navigation', { name: 'Filter' })
    await filters.getByRole('link', { name: /^Mine/ }).click()
    await expect(page).toHaveURL(/\/admin\?owner=mine$/)
    const mine = Number(/\d+/.exec((await filters.getByRole('link', { name: /^Mine/ }).textContent())!)![0])
    await expect(queue.getByRole('list').getByRole('listitem')).toHaveCount(Math.min(mine, 10))
  })

  test('the account menu has the profile and sign-out', async ({ page }) => {
    await open(page, '/admin')
    await page.getByRole('button', { name: /^Account: / }).click()
    await expect(page.getByRole('link', { name: 'Profile' })).toHaveAttribute('href', '/dashboard/profile')
    await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Sign out' })).toBeHidden()
  })
})

test('switching off single-key shortcuts does not affect Ctrl+K', async ({ page, context, baseURL }) => {
  await signIn(context, baseURL!, 'pdos_coordinator')
  const address = `${baseURL}/api/account/profile`
  const { updated_at } = (await (await context.request.get(address)).json()) as { updated_at: string }
  const changed = await context.request.put(address, {
    data: { updated_at, preferences: { single_key_shortcuts: false } },
    headers: { origin: baseURL! },
  })
  expect(changed.status()).toBe(200)
  await open(page, '/admin/coordinator')
  const search = page.getByRole('combobox', { name: 'Go to a page, person or record' })
  await page.keyboard.press('/')
  await expect(search).not.toBeFocused()
  await page.keyboard.press('Control+k')
  await expect(search).toBeFocused()
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('search, menu and account of the admin area work', async ({ page, context, baseURL }) => {
    await signIn(context, baseURL!, 'admin')
    await page.setViewportSize({ width: 360, height: 800 })
    await page.goto('/admin')
    await page.locator('header summary').click()
    await expect(page.locator('header').getByRole('link', { name: 'Data Management' })).toBeInViewport()
    await page.locator('header summary').click()
    const search = page.getByRole('combobox', { name: 'Go to a page, person or record' })
    await search.fill('sample member')
    await search.press('Enter')
    await expect(page.getByRole('main').getByRole('link', { name: 'Sample Member' })).toBeVisible()
    await search.fill('nothing like it')
    await search.press('Enter')
    await expect(page.getByRole('main')).toContainText('No match for “nothing like it”.')
    await search.fill('home')
    await search.press('Enter')
    await expect(page).toHaveURL(/\/admin$/)
  })

  test('an advisory is acknowledged by a plain form', async ({ page, context, baseURL }) => {
    await signIn(context, baseURL!, 'member')
    const { id } = await anAdvisory(baseURL!, 'Libya')
    await page.goto(`/travel-advisories/${id}`)
    await page.getByRole('button', { name: 'I have read this' }).click()
    await expect(page).toHaveURL(new RegExp(`/travel-advisories/${id}$`))
    await expect(page.getByText('You have marked this as read.')).toBeVisible()
  })
})

test.describe('for a traveler', () => {
  test.beforeEach(({ context, baseURL }) => signIn(context, baseURL!, 'traveler'))

  test('the dashboard shows the next step and the sources’ advice for the user’s countries', async ({ page }) => {
    await open(page, '/dashboard')
    await expect(page.getByRole('heading', { name: 'Your dashboard' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Finish your profile' })).toBeVisible()
    for (const country of ['Philippines', 'Saudi Arabia', 'Japan'])
      await expect(page.getByRole('main').getByRole('link', { name: country, exact: true })).toBeVisible()
    // The signed-in area shows this bar instead of the ticker (C-20).
    await expect(page.locator('[data-severity] >> nth=0')).toBeVisible()
    await expect(page.getByLabel('Latest travel news')).toHaveCount(0)
  })

  test('the list filters by the user’s countries and back', async ({ page }) => {
    await open(page, '/travel-advisories')
    const count = page.getByRole('status').filter({ hasText: /of \d+ advisories/ })
    const all = (await count.textContent())!
    await page.getByRole('checkbox', { name: 'Only my countries' }).check()
    await expect(page).toHaveURL(/mine=1/)
    await expect(count).not.toHaveText(all)
    const cards = page.locator('main h3')
    await expect(cards).not.toHaveCount(0)
    for (const title of await cards.allTextContents()) expect(title).toMatch(/Philippines|Saudi Arabia|Japan/)
    await page.getByRole('link', { name: /Remove.*Only my countries/ }).click()
    await expect(count).toHaveText(all)
    await expect(page.getByRole('checkbox', { name: 'Only my countries' })).not.toBeChecked()
  })

  test('an advisory is acknowledged in place, and the count follows', async ({ page, baseURL }) => {
    const { id } = await anAdvisory(baseURL!, 'Niger')
    await open(page, `/travel-advisories/${id}`)
    await page.getByRole('button', { name: 'I have read this' }).click()
    await expect(page.getByText('You have marked this as read.')).toBeVisible()
    await expect(page).toHaveURL(new RegExp(`/travel-advisories/${id}$`))
    // Counts are refreshed every few seconds, since thousands may acknowledge at once.
    await expect(async () => {
      await page.reload()
      await expect(page.getByText('Read by')).toBeVisible({ timeout: 1_000 })
    }).toPass()
  })
})

test('visitors cannot filter by their countries, whatever the URL says', async ({ page }) => {
  await open(page, '/travel-advisories?mine=1')
  await expect(page.getByRole('checkbox', { name: 'Only my countries' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: /View Details/ }).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'I have read this' })).toHaveCount(0)
})

const SCREENS: [Role, string][] = [
  ['admin', '/admin'],
  ['admin', '/admin/search?search=sample'],
  ['admin', '/admin/inbox'],
  ['admin', '/admin/settings/connections'],
  ['mfa_coordinator', '/admin/coordinator'],
  ['traveler', '/dashboard'],
  ['member', '/dashboard'],
]

for (const [role, path] of SCREENS)
  test(`${path} of ${role} is accessible in each language, theme and width`, async ({ page, context, baseURL }) => {
    await signIn(context, baseURL!, role)
    for (const language of LANGUAGES) {
      await open(page, `${path}${path.includes('?') ? '&' : '?'}lng=${language}`)
      await expectOpenToAll(page)
    }
  })

for (const [language, from] of [
  ['en', '-24px'],
  ['ar', '24px'],
] as const)
  test(`in ${language} a new admin page slides in from the start side`, async ({ page, context, baseURL }) => {
    await signIn(context, baseURL!, 'admin')
    const animations = await recordAnimations(page)
    await open(page, `/admin?lng=${language}`)
    await page.locator('nav a[href="/admin/roles"]:visible').first().click()
    await expect(page).toHaveURL(/\/admin\/roles/)
    await expect(page.getByRole('main')).toBeFocused()
    expect(await animations()).toEqual([{ frames: { opacity: [0, 1], translate: [from, '0px'] }, ms: 400 }])
  })
