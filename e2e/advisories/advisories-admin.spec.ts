import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import pg from 'pg'
import { expectOpenToAll } from '../axe.ts'
import { sharedPortal, signInAs } from '../fixtures.ts'
import { anAdvisory, open } from '../pages.ts'
import { ROOT, startPortal } from '../portal.ts'
import { type BrowserContext, expect, type Page, test } from '../test.ts'

const SERVER = process.env.TEST_DATABASE_URL ?? ''
const MANAGE = '/admin/travel-advisories'

const { portal, as } = sharedPortal()
const signIn = (context: BrowserContext, who = 'admin') => signInAs(context, portal().url, who)

async function write(page: Page, title: string, description: string) {
  await page.getByLabel('Title', { exact: true }).fill(title)
  await page.getByLabel('Description').fill(description)
  await page.getByLabel('Philippine alert level').selectOption('3')
  await page.getByLabel('Countries', { exact: true }).fill('Lebanon')
}

test('an advisory is written, previewed, published and edited; another browser’s open list updates, and nothing stale is cached', async ({
  page,
  browser,
}) => {
  test.setTimeout(180_000)
  await signIn(page.context())
  const reader = await (await browser.newContext()).newPage()
  await open(reader, `${portal().url}/travel-advisories?search=repatriation`)
  const listed = (title: string) => reader.getByRole('heading', { name: title, exact: true })
  const isSent = async (text: string) =>
    (await (await fetch(`${portal().url}/travel-advisories?search=repatriation`)).text()).includes(text)

  await test.step('the preview updates while typing, and nothing is public before publishing', async () => {
    await open(page, `${portal().url}${MANAGE}`)
    await page.getByRole('link', { name: 'New advisory' }).click()
    await write(page, 'Lebanon: repatriation is offered', 'Shelling goes on in the south.')
    const preview = page.getByRole('region', { name: 'Preview' })
    await expect(preview.getByRole('heading', { name: 'Lebanon: repatriation is offered' }).last()).toBeVisible()
    await expect(preview.getByText('Alert Level 3: Voluntary Repatriation').last()).toBeVisible()
    expect(await isSent('Lebanon: repatriation is offered')).toBe(false)
  })

  await test.step('an error is shown beside its field, and the input stays', async () => {
    await page.getByLabel('Countries', { exact: true }).fill('Lebanon\nAtlantis')
    await page.getByRole('button', { name: 'Publish…' }).click()
    await expect(page.getByText('Atlantis: We do not know this country. Check the spelling.')).toBeVisible()
    await expect(page.getByLabel('Countries', { exact: true })).toBeFocused()
    await expect(page.getByLabel('Title', { exact: true })).toHaveValue('Lebanon: repatriation is offered')
  })

  await test.step('once published, it appears in the open list of another browser', async () => {
    await page.getByLabel('Countries', { exact: true }).fill('Lebanon')
    await page.getByRole('button', { name: 'Publish…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Publish this advisory?' })
    await expect(dialog.getByText('Lebanon: repatriation is offered')).toBeVisible()
    expect(await isSent('Lebanon: repatriation is offered')).toBe(false)
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await expect(page.getByText('Advisory published.')).toBeVisible()
    await expect(listed('Lebanon: repatriation is offered')).toBeVisible()
    await expect.poll(() => isSent('Lebanon: repatriation is offered')).toBe(true)
  })

  await test.step('an edit adds a version and an audit entry, and the new text is shown everywhere', async () => {
    await page.getByLabel('Philippine alert level').selectOption('4')
    await page.getByLabel('Level', { exact: true }).selectOption('')
    await page.getByLabel('Title', { exact: true }).fill('Lebanon: repatriation is ordered')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByText('Saved.')).toBeVisible()
    await expect(listed('Lebanon: repatriation is ordered')).toBeVisible()
    await expect(listed('Lebanon: repatriation is offered')).toBeHidden()
    expect(await isSent('Lebanon: repatriation is offered')).toBe(false)
    const auditLog = page.getByRole('region', { name: 'Administrator actions' })
    await expect(auditLog.getByText('Edited')).toBeVisible()
    await expect(auditLog.getByText('Sample Admin')).toHaveCount(2)
    await page.getByRole('region', { name: 'Preview' }).getByText('All versions (2)').click()
    await expect(page.getByText('Level: Critical').first()).toBeVisible()
  })

  await test.step('taking it off the list requires a reason; put back, it is shown again', async () => {
    await page.getByRole('link', { name: 'Withdraw…' }).click()
    await page.getByLabel('Reason').fill('Only a rehearsal of the journey')
    await page.getByRole('button', { name: 'Withdraw advisory' }).click()
    await expect(page.getByText('Advisory withdrawn.')).toBeVisible()
    await expect(listed('Lebanon: repatriation is ordered')).toBeHidden()
    await page.getByRole('button', { name: 'Restore' }).click()
    await expect(listed('Lebanon: repatriation is ordered')).toBeVisible()
  })

  await test.step('once deleted, it is gone everywhere', async () => {
    await page.getByRole('link', { name: 'Delete…' }).click()
    await page.getByRole('button', { name: 'Delete advisory' }).click()
    await expect(page.getByText('Advisory deleted.')).toBeVisible()
    await expect(listed('Lebanon: repatriation is ordered')).toBeHidden()
  })
})

test('of two administrators, the slower one sees what changed and overwrites only deliberately', async ({
  browser,
}) => {
  const first = await (await browser.newContext()).newPage()
  const second = await (await browser.newContext()).newPage()
  for (const page of [first, second]) await signIn(page.context())
  await open(first, `${portal().url}${MANAGE}/new`)
  await write(first, 'Yemen: stale forms', 'First words.')
  await first.getByRole('button', { name: 'Save draft' }).click()
  await expect(first.getByText('Draft saved. Only administrators can see it.')).toBeVisible()
  await open(second, first.url())

  await first.getByLabel('Description').fill('Words of the first.')
  await first.getByRole('button', { name: 'Save draft' }).click()
  await expect(
    first.getByRole('region', { name: 'Administrator actions' }).getByText('Words of the first.'),
  ).toBeVisible()
  await second.getByLabel('Description').fill('Words of the second.')
  await second.getByRole('button', { name: 'Save draft' }).click()
  await expect(second.getByRole('alert')).toContainText('Someone changed this after you opened it.')
  await expect(second.getByRole('alert')).toContainText('Words of the first.')
  await expect(second.getByRole('alert')).not.toContainText('Written')
  await expect(second.getByLabel('Description')).toHaveValue('Words of the second.')
  await second.getByRole('button', { name: 'Save draft' }).click()
  await expect(second.getByText('Draft saved. Only administrators can see it.')).toBeVisible()
  await expect(second.getByLabel('Description')).toHaveValue('Words of the second.')
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('an advisory is previewed, rejected, drafted, published, copied and deleted', async ({ page }) => {
    await signIn(page.context())
    await page.goto(`${portal().url}${MANAGE}/new`)
    await write(page, 'Libya: without scripts', 'Plain words.')
    await page.getByRole('button', { name: 'Preview' }).click()
    await expect(page.getByRole('article').getByRole('heading', { name: 'Libya: without scripts' })).toBeVisible()
    await expect(page.getByLabel('Description')).toHaveValue('Plain words.')
    await page.getByLabel('Countries', { exact: true }).fill('Congo')
    await page.getByRole('button', { name: 'Publish…' }).click()
    await expect(page.getByText('Several countries have this name')).toBeVisible()
    await page.getByLabel('Countries', { exact: true }).fill('Libya\nTunisia')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await expect(page.getByText('Draft saved. Only administrators can see it.')).toBeVisible()
    await page.getByRole('button', { name: 'Publish…' }).click()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await expect(page.getByText('Draft published.')).toBeVisible()
    const id = new URL(page.url()).pathname.split('/').at(-1)
    expect((await page.request.get(`${portal().url}/api/travel-advisories/${id}`)).status()).toBe(200)
    await page.getByRole('button', { name: 'Duplicate' }).click()
    await expect(page.getByText('This is the copy. It is a draft.')).toBeVisible()
    await page.getByRole('link', { name: 'Delete…' }).click()
    await page.getByRole('button', { name: 'Delete advisory' }).click()
    await expect(page.getByText('Advisory deleted.')).toBeVisible()
    await page.getByLabel('Search by title, text or country').fill('without scripts')
    await page.getByRole('button', { name: 'Search' }).last().click()
    await expect(page.getByRole('table').getByRole('link', { name: 'Libya: without scripts' })).toHaveCount(1)
  })

  test('an imported advisory is marked and withdrawn; its text cannot be changed', async ({ page }) => {
    await signIn(page.context())
    await page.goto(`${portal().url}${MANAGE}?search=bermuda`)
    await page
      .getByRole('table')
      .getByRole('link', { name: /Bermuda/ })
      .first()
      .click()
    await expect(page.getByText('This text comes from the source')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Mark as urgent' }).click()
    await expect(page.getByText('Marked urgent by us', { exact: true })).toBeVisible()
    await page.getByRole('link', { name: 'Withdraw…' }).click()
    await page.getByLabel('Reason').fill('Refers to another place')
    await page.getByRole('button', { name: 'Withdraw advisory' }).click()
    await expect(page.getByText('Withdrawn by an administrator')).toBeVisible()
  })
})

test('the switch that marks an advisory to be announced notifies nobody; sending to its subscribers does', async ({
  browser,
}) => {
  const { id, title } = await anAdvisory(portal().url, 'Niger')
  const subscriber = await as(browser, 'coordinator')
  const subscribed = await subscriber.request.post('/api/travel-advisories/subscribe', {
    data: { countries: ['NE'], severity_levels: ['emergency'], channels: ['in-app'] },
  })
  expect(subscribed.status()).toBe(201)
  const { subscription } = (await subscribed.json()) as { subscription: { id: string } }
  const received = async () => {
    const { user } = await (await subscriber.request.get('/api/auth/user')).json()
    const answer = await subscriber.request.get(`/api/admin-operations/users/${user.id}/notifications?limit=100`)
    const { notifications } = await answer.json()
    return (notifications as { title: string; action_url: string | null }[]).filter(
      ({ action_url }) => action_url === `/travel-advisories/${id}`,
    )
  }

  const page = await as(browser, 'admin')
  const announcements = async () =>
    (await (await page.request.get(`/api/admin/travel-advisories/${id}/announcements`)).json()).announcements
  const panel = page.getByRole('region', { name: 'Announcements' })
  const mark = page.getByRole('button', { name: 'Announce changes', exact: true })
  const unmark = page.getByRole('button', { name: 'Do not announce changes' })
  await open(page, `${MANAGE}/${id}`)
  await unmark.click()
  await expect(page.getByText('Advisory updated.')).toBeVisible()
  await expect(unmark).toBeHidden()
  await mark.click()
  await expect(unmark).toBeVisible()
  await expect(panel.getByText('Not announced yet.')).toBeVisible()
  // An announcement would be stored with the change.
  expect(await announcements()).toEqual([])

  await panel.getByRole('link', { name: 'Notify now' }).click()
  await panel.getByRole('button', { name: 'Send now' }).click()
  await expect(page.getByText('Notifications are being sent.')).toBeVisible()
  await expect.poll(received, { timeout: 30_000 }).toMatchObject([{ title }])
  expect(await announcements()).toMatchObject([{ reason: 'manual', by: 'Sample Admin' }])
  const removed = await subscriber.request.delete(`/api/travel-advisories/subscriptions/${subscription.id}`)
  expect(removed.ok()).toBe(true)
  for (const of of [subscriber, page]) await of.context().close()
})

test('only administrators can open these pages', async ({ page }) => {
  for (const who of ['mfa', 'traveler']) {
    await page.context().clearCookies()
    await signIn(page.context(), who)
    for (const path of [MANAGE, `${MANAGE}/new`, `${MANAGE}/sources`, `${MANAGE}/names`]) {
      const answer = await page.request.get(portal().url + path, { maxRedirects: 0 })
      expect([path, answer.status(), answer.headers().location]).toEqual([path, 302, '/unauthorized'])
    }
  }
})

for (const language of ['en', 'ar'] as const)
  test(`every page is accessible in ${language}, in each theme and width`, async ({ page }) => {
    test.setTimeout(300_000)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await signIn(page.context())
    const { advisories } = await (
      await page.request.get(`${portal().url}/api/admin/travel-advisories?search=haiti`)
    ).json()
    const imported = `${MANAGE}/${advisories[0].id}`
    const paths = [MANAGE, `${MANAGE}?search=zzzz`, `${MANAGE}/new`, imported, `${imported}?action=withdraw`]
    for (const path of [...paths, `${MANAGE}/sources`, `${MANAGE}/sources/us-state-json`, `${MANAGE}/names`]) {
      const url = new URL(path, portal().url)
      url.searchParams.set('lng', language)
      await open(page, url.href)
      await expectOpenToAll(page)
    }
  })

test('a source is fetched manually, and an unknown country name is mapped', async ({ page }) => {
  test.skip(SERVER === '', 'A source of the test needs a PostgreSQL server: set TEST_DATABASE_URL.')
  test.setTimeout(120_000)
  const ends: (() => Promise<unknown>)[] = []
  try {
    const database = await freshDatabase(ends)
    // The first start creates the tables.
    await (await startPortal({ DATABASE_URL: database.url })).stop()
    const password = 'seven purple lanterns'
    await addAdministrator(database, password)
    const feed = await feedOf(['Japan', 'Hayastania', 'Test'], ends)
    await database.sql(`
      insert into advisory_sources (id, name, organization, authority, reader, url, homepage, licence, interval_seconds)
      values ('stand-in', 'Stand-in', 'A server of the test', 'stand-in', 'us-rss', '${feed}/feed.xml', '${feed}/', 'None', 600)`)
    const own = await startPortal({ DATABASE_URL: database.url, FEEDS_ALLOW_PRIVATE: 'true' })
    ends.push(() => own.stop())
    const headers = { origin: own.url }
    const data = { email: 'admin@sample.invalid', password }
    expect((await page.request.post(`${own.url}/api/auth/login`, { headers, data })).ok()).toBe(true)

    await open(page, `${own.url}${MANAGE}/sources`)
    await page.getByRole('link', { name: /Stand-in/ }).click()
    await page.getByRole('button', { name: 'Fetch now' }).click()
    await expect(page.getByText('Sources fetched.')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Recent runs' })).toContainText('manual')
    await expect(page.getByRole('region', { name: 'Unresolved names' })).toContainText('Hayastania')

    await page.getByRole('link', { name: 'Unresolved names' }).click()
    const name = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Hayastania' }) })
    await name.getByLabel('Country for “Hayastania”').fill('Atlantis')
    await name.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('We do not know this country. Check the spelling.')).toBeVisible()
    await name.getByLabel('Country for “Hayastania”').fill('Armenia')
    await name.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('No unresolved names.')).toBeVisible()
    const found = await (await page.request.get(`${own.url}/api/travel-advisories?country=AM`)).json()
    expect(found.advisories).toMatchObject([{ country_codes: ['AM'], source_id: 'stand-in' }])
    const auditLog = await database.sql(`select action from audit_log where actor_role = 'admin' order by id`)
    expect(auditLog.map(({ action }) => action)).toEqual(['source.fetch', 'countries.alias'])
  } finally {
    for (const end of ends.reverse()) await end()
  }
})

async function freshDatabase(ends: (() => Promise<unknown>)[]) {
  const name = `portal_e2e_${randomBytes(5).toString('hex')}`
  const server = new pg.Client({ connectionString: SERVER })
  await server.connect()
  await server.query(`create database ${name} template template0 encoding 'UTF8'`)
  const url = Object.assign(new URL(SERVER), { pathname: `/${name}` }).href
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  ends.push(async () => {
    await client.end()
    await server.query(`drop database ${name} with (force)`)
    await server.end()
  })
  return { url, sql: async (text: string): Promise<Record<string, unknown>[]> => (await client.query(text)).rows }
}

/** An administrator created by the CLI, who needs no second step here. */
async function addAdministrator(database: { url: string; sql: (text: string) => Promise<unknown> }, password: string) {
  const args = [
    'server/cli.ts',
    'admin:create',
    '--email',
    'admin@sample.invalid',
    '--name',
    'Ruth',
    '--password-stdin',
  ]
  const env = { ...process.env, NODE_OPTIONS: '', DATABASE_URL: database.url }
  const making = promisify(execFile)(process.execPath, args, { cwd: ROOT, env })
  making.child.stdin!.end(password)
  await making
  await database.sql(`insert into settings (key, value) values ('accounts.second_factor_for_coordinators', 'false')`)
}

/** A server that publishes advisories on these countries in the format of the United States. */
async function feedOf(countries: string[], ends: (() => Promise<unknown>)[]): Promise<string> {
  const items = countries.map(
    (country) => `<item><title>${country} - Level 2: Exercise Increased Caution</title>
      <link>http://feed.example/${country}</link><guid>http://feed.example/${country}</guid>
      <pubDate>Wed, 01 Oct 2025</pubDate><category domain="Threat-Level">Level 2: Exercise Increased Caution</category>
      <description><![CDATA[<p>Take care.</p>]]></description></item>`,
  )
  const text = `<?xml version="1.0"?><rss version="2.0"><channel><title>Travel Advisories</title>${items.join('')}</channel></rss>`
  const server = createServer((_, response) => response.end(text))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
