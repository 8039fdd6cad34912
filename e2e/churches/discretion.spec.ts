import { expectOpenToAll } from '../axe.ts'
import { ownPortal, PLAIN } from '../fixtures.ts'
import { LANGUAGES } from '../pages.ts'
import { expect, type Page, test } from '../test.ts'

const { portal, as } = ownPortal('serial')
const PAGE = '/admin/locales/discretion'

/** Number of churches in a country that the public finds. */
const shown = async (country: string) =>
  ((await (await fetch(`${portal().url}/api/public/locales?country=${country}`)).json()) as { total: number }).total
/** Makes a user with another role an administrator. */
async function promote(page: Page, name: string) {
  const { users } = await (
    await page.request.get(`/api/admin-operations/users?search=${encodeURIComponent(name)}`)
  ).json()
  const data = { role: 'admin', reason: 'A second one' }
  const headers = { origin: portal().url }
  const answer = await page.request.post(`/api/admin-operations/users/${users[0].id}/role`, { data, headers })
  expect(answer.status()).toBe(200)
}

test('churches of a country are hidden by one click, and revealed only by two administrators', async ({ browser }) => {
  test.setTimeout(120_000)
  const page = await as(browser, 'admin', PLAIN)
  await promote(page, 'Sample PDOS')
  const before = await shown('AE')
  expect(before).toBeGreaterThan(0)
  await page.goto(PAGE)
  await page.getByLabel('Country', { exact: true }).selectOption('AE')
  await page.getByLabel('Public visibility').selectOption('hidden')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved. Takes effect immediately.')).toBeVisible()
  expect(await shown('AE')).toBe(0)

  // The new administrator makes the request: nobody may approve with an account they created themselves.
  const asker = await as(browser, 'pdos')
  await asker.goto(PAGE)
  await test.step('one click shows what would be published, and publishes nothing', async () => {
    await expect(asker.getByRole('button', { name: 'show full details again' })).toHaveCount(0)
    await asker.getByRole('link', { name: 'United Arab Emirates: show full details again' }).click()
    await expect(
      asker.getByText(/becomes? public, with (its name, address and map|their names, addresses and maps)/),
    ).toBeVisible()
    await asker.getByRole('button', { name: 'Submit for approval' }).click()
    await expect(asker.getByText('Enter a reason')).toBeVisible()
    await asker.getByLabel('Reason').fill('The law has changed')
    await asker.getByLabel('To confirm, type').fill('Yemen')
    await asker.getByRole('button', { name: 'Submit for approval' }).click()
    await expect(asker.getByText('Type the name of the country')).toBeVisible()
    await expect(asker.getByLabel('Reason')).toHaveValue('The law has changed')
    expect(await shown('AE')).toBe(0)
  })

  await test.step('neither does saving the form', async () => {
    await asker.goto(`${PAGE}?country=AE`)
    await asker.getByLabel('Public visibility').selectOption('exact')
    await asker.getByRole('button', { name: 'Save' }).click()
    await expect(asker.getByRole('heading', { name: /Show more: .*United Arab Emirates/ })).toBeVisible()
    expect(await shown('AE')).toBe(0)
  })

  await test.step('with a reason and the name entered, it waits for the other administrator', async () => {
    await asker.goto(`${PAGE}/more?country=AE`)
    await asker.getByLabel('Reason').fill('The law has changed')
    await asker.getByLabel('To confirm, type').fill('united arab emirates')
    await asker.getByRole('button', { name: 'Submit for approval' }).click()
    await expect(asker.getByText('Submitted for approval. Nothing has changed yet.')).toBeVisible()
    await expect(asker.getByRole('button', { name: /Approve/ })).toHaveCount(0)
    expect(await shown('AE')).toBe(0)
  })

  await test.step('who approves it', async () => {
    const other = await as(browser, 'admin')
    await other.goto('/notifications')
    await expect(other.getByText('A visibility change needs approval').first()).toBeVisible()
    for (const language of LANGUAGES) {
      await other.goto(`${PAGE}?lng=${language}`)
      await expectOpenToAll(other)
    }
    await other.goto(`${PAGE}?lng=en`)
    await expect(other.getByText('The law has changed')).toBeVisible()
    await other.getByRole('button', { name: /Approve: show more about/ }).click()
    await expect(other.getByText('Approved. The public now sees more.')).toBeVisible()
    expect(await shown('AE')).toBe(before)
    await asker.context().close()
  })
})

test('the page that reveals more fits every screen', async ({ browser }) => {
  const page = await as(browser, 'admin')
  for (const language of LANGUAGES) {
    await page.goto(`${PAGE}/more?country=SA&lng=${language}`)
    await expect(page.locator('[name=confirm]')).toBeVisible()
    await expectOpenToAll(page)
  }
})
