import { expectOpenToAll } from '../axe.ts'
import { ownPortal, PLAIN } from '../fixtures.ts'
import { LANGUAGES, open } from '../pages.ts'
import { expect, test } from '../test.ts'

const { as, portal } = ownPortal('serial')

test('an administrator writes, hides and deletes a question without scripts', async ({ browser }) => {
  const page = await as(browser, 'admin', PLAIN)
  await page.goto('/admin/travel-faq')
  await page.getByRole('link', { name: 'New question' }).click()
  await page.getByLabel('Question in English').fill('Can I take my cat?')
  await page.getByLabel('Question in Arabic').fill('هل يمكنني اصطحاب قطتي؟')
  await page
    .getByLabel('Answer in English')
    .fill('Ask the embassy:\n\n- about **vaccines**\n- [here](javascript:alert(1))')
  await page.getByLabel('Category').selectOption({ label: 'Documents' })
  await page.getByLabel('Name in the link').fill('My Cat')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Use small letters, digits and hyphens, such as lost-passport')).toBeVisible()
  await expect(page.getByText('Start the address of a link with https://')).toBeVisible()
  await expect(page.getByText('This field is required')).toBeVisible()
  await expect(page.getByLabel('Question in Arabic')).toHaveValue('هل يمكنني اصطحاب قطتي؟')
  await page.getByLabel('Answer in English').fill('Ask the embassy:\n\n- about **vaccines**\n- [early](/support)')
  await page.getByLabel('Answer in Arabic').fill('يُرجى سؤال السفارة.')
  await page.getByLabel('Name in the link').fill('my-cat')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Question created.')).toBeVisible()
  await expect(page.getByLabel('Name in the link')).toHaveCount(0)
  const address = page.url()

  await page.getByRole('link', { name: '/travel-faq#my-cat' }).click()
  const answer = page.locator('#my-cat')
  await expect(answer.getByRole('listitem')).toHaveText(['about vaccines', 'early'])
  await expect(answer.locator('strong')).toHaveText('vaccines')
  await page.goto('/travel-faq?lng=ar')
  await expect(page.getByText('هل يمكنني اصطحاب قطتي؟')).toBeVisible()

  await page.goto(`${address}&lng=en`)
  await page.getByLabel('Show this question on the public page').uncheck()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Changes saved.')).toBeVisible()
  await page.goto('/travel-faq')
  await expect(page.getByText('Can I take my cat?')).toHaveCount(0)
  await page.goto('/admin/travel-faq?status=draft')
  await page.getByRole('link', { name: 'Can I take my cat?' }).click()
  await page.getByRole('link', { name: 'Delete this question' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('Question deleted.')).toBeVisible()
})

test('another administrator’s change is not overwritten, and a question in use is not deleted', async ({ browser }) => {
  const [first, second] = [await as(browser, 'admin'), await as(browser, 'admin')]
  const found = await first.request.get(`${portal().url}/api/admin/faq?search=passport-lost-or-stolen`)
  const { faq_entries } = (await found.json()) as { faq_entries: { id: string }[] }
  for (const page of [first, second]) await open(page, `/admin/travel-faq/${faq_entries[0]?.id}`)
  await first.getByLabel('Order').fill('7')
  await first.getByRole('button', { name: 'Save' }).click()
  await expect(first.getByText('Changes saved.')).toBeVisible()
  await second.getByLabel('Question in English').fill('Where is my passport?')
  await second.getByRole('button', { name: 'Save' }).click()
  await expect(second.getByText('Someone changed this after you opened it.')).toBeVisible()
  await second.getByRole('button', { name: 'Overwrite the newer version' }).click()
  await expect(second.getByRole('heading', { name: 'Where is my passport?' })).toBeVisible()
  await expect(second.getByText('The assistant gives this answer')).toBeVisible()
  await expect(second.getByRole('link', { name: 'Delete this question' })).toHaveCount(0)
  await open(second, '/admin/travel-faq?search=documents-to-copy&category=documents')
  await second.getByRole('link', { name: 'Which documents should I copy and keep?' }).click()
  await second.getByRole('link', { name: 'Delete this question' }).click()
  await second.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(second.getByText('The answer to another question links to this one.')).toBeVisible()
})

test('the list and the form are open to all, and coordinators have neither', async ({ browser }) => {
  const page = await as(browser, 'admin')
  for (const address of ['/admin/travel-faq', '/admin/travel-faq?search=zzz', '/admin/travel-faq/new'])
    for (const language of LANGUAGES.toReversed()) {
      await open(page, `${address}${address.includes('?') ? '&' : '?'}lng=${language}`)
      await expectOpenToAll(page)
    }
  const coordinator = await as(browser, 'mfa')
  await coordinator.goto('/admin/travel-faq')
  await expect(coordinator).toHaveURL(/\/unauthorized/)
})
