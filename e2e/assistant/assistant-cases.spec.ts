import { type ModelPeer, startModelPeer } from '#server/testing/model.ts'
import { expectOpenToAll } from '../axe.ts'
import { listen } from '../console.ts'
import { ownPortal, PLAIN } from '../fixtures.ts'
import { LANGUAGES, open } from '../pages.ts'
import { startPortal } from '../portal.ts'
import { expect, type Page, test } from '../test.ts'

let model: ModelPeer
const { portal, as } = ownPortal('serial', async () => {
  model = await startModelPeer(() => ({ status: 400 }))
  return startPortal({ MODEL_BASE_URL: model.url })
})
test.afterAll(() => model?.close())

const CASES = '/admin/assistant/cases'
const MESSAGE = 'Kinuha ng amo ko ang passport ko. Tulungan po ninyo ako.'

/** Requests a call and returns the case reference. */
let calls = 0
async function callOf(details: { country: string; name: string; language?: string }) {
  const data = {
    kind: 'call_back',
    // A different number each time.
    safe_phone: `+966 50 123 ${4567 + calls++}`,
    dangers: ['withheld_passport'],
    messages: [{ sender: 'user', content: MESSAGE }],
    ...details,
  }
  const headers = { origin: portal().url, 'content-type': 'application/json' }
  const answer = await fetch(`${portal().url}/api/ai/cases`, { method: 'POST', headers, body: JSON.stringify(data) })
  expect(answer.status).toBe(201)
  return ((await answer.json()) as { reference: string }).reference
}

async function openCase(page: Page, reference: string, language = 'en') {
  await page.goto(`${CASES}?lng=${language}`)
  await page
    .getByRole('row', { name: new RegExp(reference) })
    .getByRole('link')
    .click()
  await page.waitForURL(/cases\/.{36}/)
}

test('a coordinator sees only calls for help of their own country, takes one and closes it', async ({ browser }) => {
  const admin = await as(browser, 'admin')
  await scopeTo(admin, 'Sample Coordinator', ['SA'])
  const [own, foreign] = [await callOf({ country: 'SA', name: 'Ana' }), await callOf({ country: 'JP', name: 'Ben' })]
  const page = await as(browser, 'mfa', PLAIN)
  await page.goto('/admin/assistant/cases')
  await expect(page.getByText(own)).toBeVisible()
  await expect(page.getByText(foreign)).toHaveCount(0)
  await page
    .getByRole('row', { name: new RegExp(own) })
    .getByRole('link', { name: 'Wants a call back' })
    .click()
  await expect(page.getByRole('link', { name: /Call .Ana/ })).toHaveAttribute('href', 'tel:+966501234567')
  // The administrator had the case open when the coordinator took it.
  await open(admin, new URL(page.url()).pathname)
  await page.getByRole('button', { name: 'I’ll handle it' }).click()
  await expect(page.getByText('Assigned to you. Everyone who was notified can see that.')).toBeVisible()
  await admin.getByRole('button', { name: 'I’ll handle it' }).click()
  await expect(admin.getByText('Someone else is handling this case.').first()).toBeVisible()
  await page.getByLabel('Outcome').fill('She is safe.\nThe embassy has her passport.')
  await page.getByRole('button', { name: 'Close case' }).click()
  await expect(page.getByText('The case is closed.')).toBeVisible()
  await expect(page.getByText(/She is safe/)).toBeVisible()

  // The administrator sees both; the case of the other country is hidden from the coordinator.
  await open(admin, '/admin/assistant/cases')
  await expect(admin.getByRole('row', { name: new RegExp(own) })).toContainText('Closed')
  await expect(admin.getByText(foreign)).toBeVisible()
  const address = await admin
    .getByRole('row', { name: new RegExp(foreign) })
    .getByRole('link')
    .getAttribute('href')
  expect((await page.goto(address!))!.status()).toBe(404)
  // The assistant's facts are for administrators only.
  await page.goto('/admin/assistant/facts')
  await expect(page).toHaveURL(/\/unauthorized/)
})

async function scopeTo(admin: Page, name: string, scope_countries: string[]) {
  const found = await admin.request.get(`${portal().url}/api/admin-operations/users?search=${encodeURIComponent(name)}`)
  const { users } = (await found.json()) as { users: { id: string }[] }
  const data = { role: 'mfa_coordinator', scope_countries, reason: 'For the country of the journey' }
  const path = `${portal().url}/api/admin-operations/users/${users[0]!.id}/role`
  expect((await admin.request.post(path, { data, headers: { origin: portal().url } })).status()).toBe(200)
}

test('text in another language is shown beside its machine translation, without scripts too', async ({ browser }) => {
  const page = await as(browser, 'admin', PLAIN)
  await openCase(page, await callOf({ country: 'SA', name: 'Tess', language: 'tl' }))
  await page.getByRole('button', { name: 'Translate into English' }).click()
  await expect(page.getByRole('alert')).toContainText('The language model did not answer. Try again')
  model.reply = () => ({ chunks: ['{"translation": "My employer took my passport. Please help me."}'] })
  await page.getByRole('button', { name: 'Translate into English' }).click()
  await expect(page.getByRole('heading', { name: 'Machine translation' })).toBeVisible()
  await expect(page.getByText('My employer took my passport. Please help me.')).toBeVisible()
  await expect(page.getByText(MESSAGE)).toBeVisible()
  expect(model.requests.at(-1)!.messages.at(-1)!.content).toContain(MESSAGE)
})

test('a translation stays on the page while the case is taken; none is offered for the reader’s own language', async ({
  browser,
}) => {
  model.reply = () => ({ chunks: ['أخذ صاحب العمل جواز سفري.'] })
  const page = await as(browser, 'admin')
  await openCase(page, await callOf({ country: 'SA', name: 'Tess', language: 'tl' }), 'ar')
  await page.getByRole('button', { name: 'الترجمة إلى العربية' }).click()
  await expect(page.getByText('أخذ صاحب العمل جواز سفري.')).toBeVisible()
  // The model did not return the requested format.
  await expect(page.getByText('قد تحتاج هذه الترجمة إلى مراجعة')).toBeVisible()
  await expectOpenToAll(page)
  await page.getByRole('button', { name: 'سأتولى الأمر' }).click()
  await expect(page.getByText('تم إسناد الحالة إليك.')).toBeVisible()
  await expect(page.getByText('أخذ صاحب العمل جواز سفري.')).toBeVisible()
  await openCase(page, await callOf({ country: 'SA', name: 'Amal', language: 'ar' }), 'ar')
  await expect(page.getByText(MESSAGE)).toBeVisible()
  await expect(page.getByRole('button', { name: 'الترجمة إلى العربية' })).toHaveCount(0)
})

for (const language of LANGUAGES)
  test(`the calls for help are quiet and accessible in ${language}`, async ({ browser }) => {
    const page = await as(browser, 'admin')
    const heard = listen(page, portal().url)
    await open(page, `${CASES}?lng=${language}`)
    await expectOpenToAll(page)
    await page.getByRole('main').getByRole('row').getByRole('link').first().click()
    await page.waitForURL(/cases\/.{36}/)
    await expectOpenToAll(page)
    expect(heard).toEqual([])
  })
