import { expectOpenToAll } from '../axe.ts'
import { ownPortal, PLAIN } from '../fixtures.ts'
import { expect, test } from '../test.ts'

const { portal, as, visitor } = ownPortal('serial')

const report = (data: object) =>
  fetch(`${portal().url}/api/ai/cases`, {
    method: 'POST',
    headers: { origin: portal().url, 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'danger', country: 'JP', ...data }),
  })

test('a burst is one row and one alert; reachable people are listed above it', async ({ browser }) => {
  test.setTimeout(120_000)
  for (let at = 0; at < 40; at++) expect((await report({ note: `help ${at % 3}` })).status).toBe(201)
  const traveler = await as(browser, 'traveler', PLAIN)
  await traveler.goto('/emergency/JP')
  await traveler.getByLabel('What is happening').or(traveler.locator('#not-safe [name=note]')).first().fill('Locked in')
  await traveler.locator('#not-safe button[type=submit]').click()
  await expect(traveler.getByText(/Sent\. Reference/)).toBeVisible()

  const page = await as(browser, 'admin')
  for (const language of ['ar', 'en']) {
    await page.goto(`/admin?lng=${language}`)
    await expectOpenToAll(page)
  }
  const rows = page.getByRole('region', { name: 'Needs you' }).getByRole('listitem')
  await expect(rows.first()).toContainText(/Many calls for help from .*Japan/)
  await expect(rows.nth(1)).not.toContainText('unknown people')
  await expect(rows.nth(2)).toContainText('40 messages from unknown people')

  await rows.nth(2).getByRole('link').first().click()
  await expect(page.getByText('Sent 14 times with the same text').first()).toBeVisible()
  await expectOpenToAll(page)
  await page.getByRole('button', { name: 'Move to its own case' }).first().click()
  await expect(page.getByText('This message now has its own case.')).toBeVisible()
})

test('a visitor without an account, a number or scripts sees the number to call and a reference', async ({
  browser,
}) => {
  const page = await visitor(browser, PLAIN)
  await page.goto('/emergency/QA')
  await page.locator('#not-safe summary').click()
  await page.locator('#not-safe [name=note]').fill('Help')
  await page.locator('#not-safe button[type=submit]').click()
  await expect(page.getByText(/Sent\. Reference/)).toBeVisible()
  await expect(page.locator('#not-safe').getByText(/999/)).toBeVisible()
})

test('if many people call from one address, each number is on the page of their case', async ({ browser }) => {
  test.setTimeout(120_000)
  const numberOf = (at: number) => `+82 10 3312 ${1_000 + at}`
  for (let at = 0; at < 85; at++)
    expect((await report({ country: 'KR', safe_phone: numberOf(at), note: `Row ${at}` })).status).toBe(201)
  const page = await as(browser, 'admin')
  await page.goto('/admin/assistant/cases?country=KR')
  await page.getByRole('row').filter({ hasText: '65 messages' }).getByRole('link').first().click()
  await page.waitForURL(/cases\/[0-9a-f-]{36}/)
  const address = page.url()
  await expect(page.getByText('Phone numbers: 65. Messages with a number come first.')).toBeVisible()
  for (const language of ['ar', 'en']) {
    await page.goto(`${address}?lng=${language}`)
    await expectOpenToAll(page)
  }
  const numbers = new Set<string>()
  for (const at of [1, 2]) {
    await page.goto(`${address}?page=${at}`)
    for (const number of await page.locator('[aria-labelledby=entries] a[href^="tel:"] bdi').allTextContents())
      numbers.add(number)
  }
  expect([...numbers].toSorted()).toEqual(Array.from({ length: 65 }, (_, at) => numberOf(20 + at)).toSorted())
})
