import { expectOpenToAll } from '../axe.ts'
import { PLAIN, sharedPortal } from '../fixtures.ts'
import { LANGUAGES, open } from '../pages.ts'
import { expect, test } from '../test.ts'

const { as, portal } = sharedPortal('serial')

test('an administrator creates, edits and deletes a module without scripts', async ({ browser }) => {
  const page = await as(browser, 'admin', PLAIN)
  await page.goto('/admin/pdos-modules')
  await expect(page.getByRole('heading', { name: 'No modules yet' })).toBeVisible()
  await page.getByRole('link', { name: 'New module' }).click()
  await page.getByLabel('Title in English').fill('Staying safe')
  await page.getByLabel('Title in Arabic').fill('السلامة في الخارج')
  await page.getByLabel('Code').fill('safety')
  await page.getByLabel('Length in minutes').fill('480')
  await page.getByLabel('Links to materials').fill('https://mfa.example/a.pdf\nftp://mfa.example/b.pdf')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Use only capital letters, numbers and hyphens')).toBeVisible()
  await expect(page.getByText('Enter web addresses that start with https://')).toBeVisible()
  await expect(page.getByLabel('Title in English')).toHaveValue('Staying safe')
  await page.getByLabel('Code').fill('SAFETY')
  await page.getByLabel('Links to materials').fill('https://mfa.example/a.pdf\nhttps://mfa.example/b.pdf')
  await page.getByLabel('Status').selectOption({ label: 'Active' })
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Module created.')).toBeVisible()
  await page.getByLabel('Every traveller needs this module').uncheck()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Changes saved.')).toBeVisible()
  await expect(page.getByLabel('Every traveller needs this module')).not.toBeChecked()
  await page.getByRole('link', { name: 'Delete module' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('Module deleted.')).toBeVisible()
})

test('another administrator’s change is not overwritten by accident', async ({ browser }) => {
  const [first, second] = [await as(browser, 'admin'), await as(browser, 'admin')]
  const body = { code: 'RIGHTS', title_en: 'Your rights', title_ar: 'حقوقك', duration_minutes: 60, status: 'active' }
  const made = await first.request.post(`${portal().url}/api/mfa/pdos-modules`, { data: body })
  const { module } = (await made.json()) as { module: { id: string } }
  for (const page of [first, second]) await open(page, `/admin/pdos-modules/${module.id}`)
  await first.getByLabel('Length in minutes').fill('90')
  await first.getByRole('button', { name: 'Save' }).click()
  await expect(first.getByText('Changes saved.')).toBeVisible()
  await second.getByLabel('Title in English').fill('Rights at work')
  await second.getByRole('button', { name: 'Save' }).click()
  await expect(second.getByText('Someone changed this after you opened it.')).toBeVisible()
  await second.getByRole('button', { name: 'Overwrite the newer version' }).click()
  await expect(second.getByRole('heading', { name: 'Rights at work' })).toBeVisible()
})

test('a PDOS coordinator sees the modules, but cannot change them', async ({ browser }) => {
  const page = await as(browser, 'pdos')
  await open(page, '/admin/pdos-modules')
  await expect(page.getByRole('link', { name: 'New module' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Rights at work' }).click()
  await expect(page.getByText('You can view this but not change it.')).toBeVisible()
  const address = page.url()
  for (const language of LANGUAGES.toReversed()) {
    await open(page, `${address}?lng=${language}`)
    await expectOpenToAll(page)
  }
  await expect(page.getByLabel('Code')).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0)
  await page.goto('/admin/pdos-modules/new')
  await expect(page).toHaveURL(/\/unauthorized/)
})
