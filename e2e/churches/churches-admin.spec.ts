import { expectOpenToAll } from '../axe.ts'
import { ownPortal } from '../fixtures.ts'
import { expectNoSidewaysScrolling, open } from '../pages.ts'
import { expect, test } from '../test.ts'

const { portal, as } = ownPortal()

const shownOf = async (address: string) => {
  const id = address.split('/').at(-1)!.split('?')[0]
  return (
    (await (await fetch(`${portal().url}/api/public/locales/${id}`)).json()) as { locale: { name: string } | null }
  ).locale
}

test('a church is created, put on the map, with servants and services, and shown discreetly', async ({ browser }) => {
  test.setTimeout(90_000)
  const page = await as(browser, 'admin')
  await test.step('an error is shown beside its field, and the input stays', async () => {
    await open(page, '/admin/locales')
    await page.getByRole('link', { name: 'New church' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Locale of Mombasa')
    await page.getByLabel('City', { exact: true }).fill('Mombasa')
    await page.getByLabel('Country', { exact: true }).selectOption('KE')
    await page.getByLabel('Latitude').fill('0')
    await page.getByLabel('Longitude').fill('0')
    await page.getByRole('button', { name: 'Create' }).click()
    await expect(page.getByText('Coordinates 0, 0 are in the sea')).toBeVisible()
    await expect(page.getByLabel('Latitude')).toBeFocused()
    await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Locale of Mombasa')
  })

  await test.step('the pin and the numbers agree, by keyboard too', async () => {
    await page.getByLabel('Latitude').fill('-4.0435')
    await page.getByLabel('Longitude').fill('39.6682')
    const pin = page.getByRole('button', { name: /^Church location/ })
    await pin.focus()
    await page.keyboard.press('ArrowUp')
    await expect.poll(async () => Number(await page.getByLabel('Latitude').inputValue())).toBeGreaterThan(-4.0435)
    await page.getByLabel('Latitude').fill('-4.0435')
    await page.getByRole('button', { name: 'Create' }).click()
    await expect(page.getByText('Church created.')).toBeVisible()
    await expect(page.getByLabel('Time zone')).toHaveValue('Africa/Nairobi')
  })

  await test.step('a servant is public with the agreed details', async () => {
    const servants = page.getByRole('region', { name: 'Servants' })
    await servants.getByText('Add servant').first().click()
    await servants.getByLabel('Name', { exact: true }).fill('Ana Wanjiru')
    await servants.getByLabel('Phone', { exact: true }).fill('0712 345678')
    await servants.getByLabel('This person agrees to publish their name').check()
    await servants.getByRole('button', { name: 'Add servant' }).click()
    await expect(page.getByText('Servant saved.')).toBeVisible()
    expect(await shownOf(page.url())).toMatchObject({
      name: 'Locale of Mombasa',
      servants: [{ name: 'Ana Wanjiru', contact: null }],
    })
  })

  await test.step('a service with an invalid rule is rejected, a corrected one is saved', async () => {
    const services = page.getByRole('region', { name: 'Services' })
    await services.getByText('Add service').first().click()
    await services.getByLabel('Rule', { exact: true }).fill('every last saturday')
    await services.getByLabel('Starts', { exact: true }).fill('18:00')
    await services.getByRole('button', { name: 'Add service' }).click()
    await expect(services.getByLabel('Rule', { exact: true })).toBeFocused()
    await services.getByLabel('Rule', { exact: true }).fill('FREQ=MONTHLY;BYDAY=-1SA')
    await services.getByRole('button', { name: 'Add service' }).click()
    await expect(page.getByText('Service saved.')).toBeVisible()
  })

  await test.step('a conflicting change is reported, and no input is lost', async () => {
    const other = await page.context().newPage()
    await open(other, page.url().split('?')[0]!)
    await other.getByLabel('Public visibility').selectOption('approximate')
    await other.getByRole('button', { name: 'Save' }).first().click()
    await expect(other.getByText('Church saved.')).toBeVisible()
    expect(await shownOf(page.url())).toMatchObject({ name: 'Group in Mombasa', servants: [], latitude: -4 })
    await page.getByLabel('Common name').fill('Coast church')
    await page.getByRole('button', { name: 'Save' }).first().click()
    await expect(page.getByText('Someone changed this after you opened it.')).toBeVisible()
    await expect(page.getByLabel('Common name')).toHaveValue('Coast church')
    // It is less public by now: saving over it must not reveal more.
    await page.getByLabel('Public visibility').selectOption('approximate')
    await page.getByRole('button', { name: 'Overwrite' }).click()
    await expect(page.getByText('Church saved.')).toBeVisible()
    await expect(page.getByLabel('Common name')).toHaveValue('Coast church')
  })

  await test.step('it is deleted only after a confirmation', async () => {
    const address = page.url()
    await page.getByRole('link', { name: 'Delete church' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await expect(page.getByText('Church deleted.')).toBeVisible()
    expect(await shownOf(address)).toBeNull()
  })
  await page.context().close()
})

test('without scripts, a possible duplicate is reported, and a country becomes discreet', async ({ browser }) => {
  const page = await as(browser, 'admin', { javaScriptEnabled: false })
  const fill = async () => {
    await page.goto('/admin/locales/new')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Locale of Ajman')
    await page.getByLabel('City', { exact: true }).fill('Ajman')
    await page.getByLabel('Country', { exact: true }).selectOption('AE')
    await page.getByRole('button', { name: 'Create' }).click()
  }
  await fill()
  await expect(page.getByText('Church created.')).toBeVisible()
  const address = page.url()
  await fill()
  await expect(page.getByText('This church may already exist. Nothing was saved.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Locale of Ajman' })).toBeVisible()
  await page.getByLabel('This is a different church: create it').check()
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Church created.')).toBeVisible()
  await page.goto('/admin/locales/discretion')
  await page.getByLabel('Country', { exact: true }).selectOption('AE')
  await page.getByLabel('Public visibility').selectOption('hidden')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved. Takes effect immediately.')).toBeVisible()
  expect(await shownOf(address)).toBeNull()
  // Revealing it again takes two administrators: discretion.spec.ts.
  await page.context().close()
})

test('a coordinator updates the count and contact of a chapter, and has no other access', async ({ browser }) => {
  const page = await as(browser, 'mfa')
  await open(page, '/admin/chapters')
  await expect(page.getByRole('link', { name: 'New chapter' })).toHaveCount(0)
  await page.getByRole('table').getByRole('link').last().click()
  await expect(page.getByText('Administrators manage everything else.')).toBeVisible()
  await expect(page.getByLabel('Compliance')).toHaveCount(0)
  await page.getByLabel('Contact person').fill('Ben Reyes')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Chapter saved.')).toBeVisible()
  const before = Number(await page.locator('[name=active_travelers_count]').inputValue())
  await page.getByRole('button', { name: 'Add one' }).click()
  await expect(page.locator('[name=active_travelers_count]')).toHaveValue(String(before + 1))
  for (const address of ['/admin/locales', '/admin/chapters/new', '/admin/locales/discretion']) {
    await page.goto(address)
    await expect(page).toHaveURL(/unauthorized/)
  }
  await page.context().close()
})

test('every screen is accessible on a phone', async ({ browser }) => {
  test.setTimeout(120_000)
  const page = await as(browser, 'admin', { viewport: { width: 360, height: 780 } })
  const { locales } = (await (await page.request.get(`${portal().url}/api/locales?per_page=1`)).json()) as {
    locales: { id: string }[]
  }
  const { chapters } = (await (await page.request.get(`${portal().url}/api/mfa/chapters`)).json()) as {
    chapters: { id: string }[]
  }
  const edit = [`/admin/locales/${locales[0]!.id}`, `/admin/chapters/${chapters[0]!.id}`]
  const lists = ['/admin/locales', '/admin/locales/discretion', '/admin/chapters']
  for (const address of [...edit.map((page) => `${page}?lng=ar`), ...lists.map((page) => `${page}?lng=en`)]) {
    await open(page, address)
    await expectNoSidewaysScrolling(page)
    await expectOpenToAll(page)
  }
  await page.context().close()
})
