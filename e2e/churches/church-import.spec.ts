import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expectOpenToAll } from '../axe.ts'
import { sharedPortal } from '../fixtures.ts'
import { open } from '../pages.ts'
import { ROOT } from '../portal.ts'
import { expect, type Page, test } from '../test.ts'

const FILE = path.join(ROOT, 'fixtures/places/lds-meetinghouses-extract.csv')
const IMPORTS = '/admin/locales/import'

const { portal, as } = sharedPortal('serial')

/** Number of public locales in Fiji. */
async function inFiji(page: Page) {
  const answer = await page.request.get(`${portal().url}/api/public/locales?country=FJ`)
  return ((await answer.json()) as { total: number }).total
}

for (const javaScriptEnabled of [true, false])
  test(`a file is planned, reviewed, imported and undone ${javaScriptEnabled ? 'with' : 'without'} scripts`, async ({
    browser,
  }) => {
    const page = await as(browser, 'admin', { javaScriptEnabled })
    const before = await inFiji(page)
    await page.goto(IMPORTS)
    await page.getByLabel('File', { exact: true }).setInputFiles(FILE)
    await page.getByRole('button', { name: 'Upload' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('lds-meetinghouses-extract.csv')
    await expect(page.getByLabel('Field for column zipcode')).toHaveValue('postal_code')
    await page.getByRole('button', { name: 'Make the plan' }).click()
    await expect(page.getByText('Plan ready. Nothing is imported yet.')).toBeVisible()
    expect(await inFiji(page)).toBe(before)

    await page.getByRole('list', { name: 'Rows by' }).getByRole('link', { name: '2 With errors' }).click()
    await expect(page.getByRole('cell', { name: 'Unknown country: “BRITISH VIRGIN ISL”.' })).toBeVisible()
    await page.getByRole('link', { name: 'Tortola - Rental' }).click()
    await expect(page.getByRole('dialog').getByText('BRITISH VIRGIN ISL').first()).toBeVisible()
    await page.getByRole('dialog').getByRole('link', { name: 'Close' }).click()

    await page.getByRole('button', { name: 'Import: 54 new, 0 changed' }).click()
    await expect(page.getByRole('paragraph').filter({ hasText: /^Imported$/ })).toBeVisible()
    await expect(page.getByText('New churches not published: 54')).toBeVisible()
    expect(await inFiji(page)).toBe(before)

    await page.getByRole('button', { name: 'Publish 54…' }).click()
    await expect(page.getByText('Publish 54 churches?')).toBeVisible()
    await page.getByRole('button', { name: 'Publish 54 churches' }).click()
    await expect(page.getByText('Published', { exact: true })).toBeVisible()
    await expect.poll(() => inFiji(page)).toBe(before + 5)

    await page.getByRole('button', { name: 'Undo this import' }).click()
    await expect(page.getByText('Undo this import?')).toBeVisible()
    await page.getByRole('button', { name: 'Undo import' }).click()
    await expect(page.getByText('Undone. Every church is as it was before.')).toBeVisible()
    await expect.poll(() => inFiji(page)).toBe(before)
  })

test('a possible duplicate waits for a decision', async ({ browser }) => {
  const page = await as(browser, 'admin')
  await page.goto(IMPORTS)
  await page.getByLabel('File', { exact: true }).setInputFiles(FILE)
  await page.getByRole('button', { name: 'Upload' }).click()
  await expect(page.getByText('This file was uploaded before')).toBeVisible()
  await page.getByRole('button', { name: 'Make the plan' }).click()
  await page.getByRole('button', { name: 'Import: 54 new, 0 changed' }).click()
  await expect(page.getByRole('paragraph').filter({ hasText: /^Imported$/ })).toBeVisible()

  // The same churches under different ids.
  const buffer = Buffer.from(readFileSync(FILE, 'utf8').replaceAll('-01-01,', '-09-09,'))
  await page.goto(IMPORTS)
  await page.getByLabel('File', { exact: true }).setInputFiles({ name: 'other.csv', mimeType: 'text/csv', buffer })
  await page.getByRole('button', { name: 'Upload' }).click()
  await page.getByRole('button', { name: 'Make the plan' }).click()
  await page.getByRole('link', { name: 'View these rows' }).click()
  await page
    .getByRole('row', { name: /Needs a decision/ })
    .first()
    .getByRole('link')
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Same record: change it' }).first().click()
  await expect(page.getByRole('dialog').getByText(/^Decision: /)).toBeVisible()
  await page.getByRole('dialog').getByRole('link', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Skip all' }).click()
  await expect(page.getByText('Nothing to import')).toBeVisible()
})

test('an unreadable file is reported beside its field', async ({ browser }) => {
  const page = await as(browser, 'admin', { javaScriptEnabled: false })
  await page.goto(`${IMPORTS}?lng=ar`)
  const buffer = Buffer.from('name,name\nA,B\n')
  await page.locator('input[type=file]').setInputFiles({ name: 'x.csv', mimeType: 'text/csv', buffer })
  await page.locator('form:has(input[type=file]) button[type=submit]').click()
  await expect(page.getByText('عمودان بالعنوان نفسه. يلزم عنوان مختلف لكل عمود.')).toBeVisible()
})

test('the import pages are accessible', async ({ browser }) => {
  test.setTimeout(180_000)
  const page = await as(browser, 'admin')
  await page.goto(IMPORTS)
  const [address] = await page
    .getByRole('row', { name: /Plan ready/ })
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')!))
  const [committed] = await page
    .getByRole('row', { name: /Imported/ })
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')!))
  for (const lng of ['en', 'ar'])
    for (const link of [IMPORTS, address!, `${address}?row=2`, committed!]) {
      await open(page, `${link}${link.includes('?') ? '&' : '?'}lng=${lng}`)
      await expectOpenToAll(page)
    }
})

test('only administrators can open these pages', async ({ browser }) => {
  const page = await as(browser, 'mfa')
  await page.goto(IMPORTS)
  await expect(page).not.toHaveURL(new RegExp(IMPORTS))
})
