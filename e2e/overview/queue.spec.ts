import { expectOpenToAll } from '../axe.ts'
import { PLAIN, sharedPortal } from '../fixtures.ts'
import { LANGUAGES, open } from '../pages.ts'
import { expect, test } from '../test.ts'

const { portal, as } = sharedPortal()

let numbers = 10
/** Someone without an account asks for a call. */
async function openCase(name: string) {
  const answer = await fetch(`${portal().url}/api/ai/cases`, {
    method: 'POST',
    headers: { origin: portal().url, 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'danger', country: 'OM', name, safe_phone: `+968 9200 00${++numbers}`, note: 'Help' }),
  })
  expect(answer.status).toBe(201)
}

test('a row that arrives waits above the others until it is shown', async ({ browser }) => {
  await openCase('Early Caller')
  const page = await as(browser, 'admin')
  await open(page, '/admin?show=all')
  const queue = page.getByRole('region', { name: 'Needs you' })
  const rows = queue.getByRole('list').getByRole('listitem')
  await expect(rows.filter({ hasText: 'Early Caller' })).toBeVisible()
  const before = await rows.allTextContents()
  await openCase('Late Caller')
  // The page reads again when it becomes visible.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(queue.getByRole('status')).toContainText('1 new')
  expect((await rows.allTextContents()).length).toBe(before.length)
  await expect(rows.filter({ hasText: 'Late Caller' })).toHaveCount(0)
  await queue.getByRole('button', { name: 'Show' }).click()
  await expect(rows.filter({ hasText: 'Late Caller' })).toBeVisible()
  await expect(queue.getByRole('status')).toBeEmpty()
})

test('without scripts, one user takes a call from the queue, and the second sees who has it', async ({ browser }) => {
  await openCase('Wanted Caller')
  const [first, second] = [await as(browser, 'mfa', PLAIN), await as(browser, 'admin', PLAIN)]
  await first.goto('/admin/coordinator?show=all')
  await second.goto('/admin?country=OM')
  const take = { name: /I’ll handle it.*Wanted Caller/ }
  await first.getByRole('button', take).click()
  await expect(first).toHaveURL(/\/admin\/assistant\/cases\//)
  await second.getByRole('button', take).click()
  await expect(second.getByText('Someone else is handling this case.')).toBeVisible()
  await expect(second.getByText(/Sample Coordinator/)).toBeVisible()
  await first.goto('/admin/coordinator?owner=mine')
  await expect(first.getByRole('region', { name: 'What waits for you' })).toContainText('Wanted Caller')
})

for (const language of LANGUAGES)
  test(`the queue is accessible in ${language}: a country, all rows, none`, async ({ browser }) => {
    test.setTimeout(120_000)
    await openCase(`Caller ${language}`)
    const page = await as(browser, 'admin')
    for (const query of ['country=OM', 'show=all', 'country=AD']) {
      await open(page, `/admin?${query}&lng=${language}`)
      await expectOpenToAll(page)
    }
  })
