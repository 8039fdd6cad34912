import { expectOpenToAll } from '../axe.ts'
import { sharedPortal } from '../fixtures.ts'
import { open } from '../pages.ts'
import { expect, type Page, test } from '../test.ts'

const { portal, visitor, as } = sharedPortal()

/** Opens the page of the country, and waits until it hears changes: of all advisories (the ticker) and of the country. */
async function openAndListen(page: Page) {
  let joined = 0
  page.once('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      if (String(payload).includes('"reply"')) joined++
    }),
  )
  await open(page, portal().url + COUNTRY)
  await expect.poll(() => joined).toBeGreaterThanOrEqual(2)
}

/** Palau: nothing else in the tests of a worker writes about it. */
const COUNTRY = '/countries/PW'
const ENTRY = {
  source_id: 'ph-dfa',
  title: 'Palau: Alert level 3',
  description: 'Shelling <img src=x onerror="document.title=1"> goes on.',
  national_alert_level: 3,
  countries: ['Palau'],
}

test('an open page of a country marks what a source changed, in its place; the timeline tells how it ended', async ({
  browser,
}) => {
  test.setTimeout(120_000)
  const reader = await visitor(browser)
  const admin = await as(browser, 'admin')
  const headers = { origin: portal().url }
  const api = `${portal().url}/api/travel-advisories`
  const rows = () => reader.locator('#sources').locator('xpath=ancestor::section').getByRole('heading', { level: 3 })
  const row = reader.getByRole('listitem').filter({ has: reader.getByRole('heading', { name: 'Philippines (DFA)' }) })
  const change = (text: string) => reader.locator('#changes').locator('xpath=ancestor::section').getByText(text)
  let record = { id: '', updated_at: '' }

  await test.step('the row of a source that said nothing is marked, and stays where it is', async () => {
    await openAndListen(reader)
    await expect(row).toContainText('Nothing entered')
    const before = await rows().allTextContents()
    const answer = await admin.request.post(api, { data: ENTRY, headers })
    expect(answer.ok(), await answer.text()).toBe(true)
    record = (await answer.json()).advisory
    await expect(row).toContainText('changed just now')
    await expect(row).toContainText('Alert Level 3: Voluntary Repatriation')
    expect(await rows().allTextContents()).toEqual(before)
    await expect(reader.locator('[data-verdict]')).toContainText('Alert Level 3: Voluntary Repatriation')
    await expect(change('Philippines (DFA): new')).toBeVisible()
    await expect(reader).toHaveTitle('Palau - MFA Portal')
    await expectOpenToAll(reader)
  })

  await test.step('opened again, the most serious source comes first', async () => {
    await openAndListen(reader)
    await expect(rows().first()).toHaveText('Philippines (DFA)')
    await expect(row).not.toContainText('changed just now')
  })

  await test.step('withdrawn by an administrator, it is not shown as a withdrawal by its source', async () => {
    const answer = await admin.request.patch(`${api}/${record.id}`, {
      data: { made_from: record.updated_at, is_active: false, reason: 'Entered twice.' },
      headers,
    })
    expect(answer.ok(), await answer.text()).toBe(true)
    record = (await answer.json()).advisory
    await expect(change('Philippines (DFA): withdrawn by our team')).toBeVisible()
    const feed = await (await reader.request.get(`${portal().url}${COUNTRY}/feed.atom`)).text()
    expect(feed).toContain('Withdrawn by the portal')
  })

  await test.step('deleted, it never was', async () => {
    const answer = await admin.request.delete(`${api}/${record.id}`, {
      data: { made_from: record.updated_at, reason: 'Entered by mistake.' },
      headers,
    })
    expect(answer.ok(), await answer.text()).toBe(true)
    await reader.reload()
    await expect(change('Philippines (DFA)')).toHaveCount(0)
  })
})
