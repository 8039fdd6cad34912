import { answered, ask, DANGER_MESSAGE, field, messages, openChat, PHONE, storedConversations } from '../assistant.ts'
import { PLAIN, sharedPortal } from '../fixtures.ts'
import { expectNoSidewaysScrolling } from '../pages.ts'
import { expect, type Page, test } from '../test.ts'

const { visitor, as } = sharedPortal()

test.describe('a signed-in user', () => {
  const listed = async (page: Page) => {
    const { conversations } = await (await page.request.get('/api/ai/conversations')).json()
    return (conversations as { id: string; title: string }[]).map(({ title }) => title)
  }

  test('finds conversations again under their new names, except deleted ones', async ({ browser }) => {
    const page = await as(browser, 'member')
    await openChat(page)
    const list = page.getByRole('complementary', { name: 'Conversations' })
    await ask(page, 'Is there a church in Dubai?')
    await answered(page)
    await expect(page).toHaveURL(/conversation=/)
    await expect(list.getByRole('link', { name: 'Is there a church in Dubai?' })).toBeVisible()
    await page.reload()
    await expect(messages(page)).toHaveCount(2)
    await expect(messages(page).last().getByRole('heading', { name: 'Sources' })).toBeVisible()

    await list.getByRole('button', { name: /^Rename/ }).click()
    await list.getByRole('textbox', { name: 'New name' }).fill('Church in Dubai')
    await list.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => listed(page)).toEqual(['Church in Dubai'])

    await expect.poll(() => storedConversations(page)).not.toEqual([])
    const copies = await page.evaluate(() => Object.entries(localStorage).filter(([key]) => key.includes('backup')))
    await list.getByRole('button', { name: /^Delete/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => listed(page)).toEqual([])
    // A copy still stored in another browser.
    await page.evaluate((all) => {
      for (const [key, value] of all) localStorage.setItem(key, value)
    }, copies)
    await page.reload()
    await expect.poll(() => storedConversations(page)).toEqual([])
    await expect(list.getByText('No saved conversations yet.')).toBeVisible()
    expect(await listed(page)).toEqual([])
  })

  test('restores from this browser what the server has lost', async ({ browser }) => {
    const page = await as(browser, 'servant')
    await openChat(page)
    await ask(page, 'Is there a church in Dubai?')
    await answered(page)
    await expect.poll(() => storedConversations(page)).not.toEqual([])
    const lost = crypto.randomUUID()
    await page.evaluate((id) => {
      const key = Object.keys(localStorage).find((each) => each.includes('backup'))!
      const copies = JSON.parse(localStorage.getItem(key)!)
      copies.push({ ...copies[0], id, title: 'Lost by the server' })
      localStorage.setItem(key, JSON.stringify(copies))
    }, lost)
    await page.goto(`/ai-chat?conversation=${lost}`)
    await expect.poll(() => listed(page)).toContain('Lost by the server')
    await expect(messages(page)).toHaveCount(2)
  })

  test('leaves nothing in the browser after sign-out', async ({ browser }) => {
    const page = await as(browser, 'coordinator')
    await openChat(page)
    await ask(page, 'Is there a church in Dubai?')
    await answered(page)
    await expect.poll(() => storedConversations(page)).not.toEqual([])
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page.getByRole('link', { name: 'Login' }).first()).toBeVisible()
    expect(await storedConversations(page)).toEqual([])
  })

  test('keeps the settings with the account', async ({ browser }) => {
    const page = await as(browser, 'pdos')
    await openChat(page)
    await page.getByRole('button', { name: 'Settings' }).click()
    const panel = page.getByRole('dialog', { name: 'Settings' })
    const saved = page.waitForResponse((response) => response.url().endsWith('/api/ai/preferences'))
    await panel.getByRole('combobox', { name: 'Text size' }).selectOption('Large')
    expect((await saved).status()).toBe(200)
    const elsewhere = await as(browser, 'pdos')
    await openChat(elsewhere)
    await elsewhere.getByRole('button', { name: 'Settings' }).click()
    await expect(elsewhere.getByRole('combobox', { name: 'Text size' })).toHaveValue('large')
  })
})

test.describe('without scripts', () => {
  const send = (page: Page) => page.getByRole('button', { name: 'Send' }).last().click()

  test('a visitor gets the answer from the server, and the page keeps the conversation', async ({ browser }) => {
    const page = await visitor(browser, { ...PHONE, ...PLAIN })
    await page.goto('/ai-chat?lng=en')
    await field(page).fill('May simbahan po ba sa Dubai?')
    await send(page)
    await expect(page.getByRole('main').getByRole('link', { name: 'Sample Locale Dubai' }).first()).toBeVisible()
    await field(page).fill('Is there a church in Tokyo?')
    await send(page)
    await expect(messages(page)).toHaveCount(4)
    await expect(page.getByRole('heading', { name: 'Sources' })).toBeVisible()
    await expectNoSidewaysScrolling(page)
  })

  test('a question in another language is answered in the selected one', async ({ browser }) => {
    const page = await visitor(browser, PLAIN)
    await page.goto('/ai-chat?lng=en')
    await field(page).fill('Is there a church in Dubai?')
    await page.getByRole('combobox', { name: 'Language of the answer' }).selectOption('Español')
    await send(page)
    await expect(page.locator('main [lang=es]').first()).toBeVisible()
  })

  test('a user in danger is called back, and the panel stays visible', async ({ browser }) => {
    const page = await visitor(browser, { ...PHONE, ...PLAIN })
    await page.goto('/ai-chat?lng=en')
    await field(page).fill(DANGER_MESSAGE)
    await send(page)
    await expect(page.getByRole('link', { name: 'Leave this page' })).toHaveAttribute('href', /^https:/)
    await page.getByText('Call me back').click()
    const form = page.locator('form').filter({ has: page.locator('[name=case][value=call_back]') })
    await form.getByRole('button', { name: 'Send' }).click()
    await expect(form.getByText('Enter a phone number we can call')).toBeVisible()
    await form.getByRole('textbox', { name: 'A number that is safe to call' }).fill('+971 50 123 4567')
    await form.getByRole('button', { name: 'Send' }).click()
    await expect(page.getByText(/CASE-\d{4}-/)).toBeVisible()
    await expect(page.getByRole('link', { name: 'Leave this page' })).toBeVisible()
  })

  test('a signed-in user finds the conversation on the server', async ({ browser }) => {
    const page = await as(browser, 'mfa', PLAIN)
    await page.goto('/ai-chat?lng=en')
    await field(page).fill('Is there a church in Dubai?')
    await send(page)
    await expect(page).toHaveURL(/conversation=/)
    await expect(messages(page)).toHaveCount(2)
    await field(page).fill('Is there a church in Tokyo?')
    await send(page)
    await expect(messages(page)).toHaveCount(4)
    await page.goto('/ai-chat')
    const list = page.getByRole('complementary')
    await list.getByRole('link', { name: 'Is there a church in Dubai?' }).click()
    await expect(messages(page)).toHaveCount(4)
    await list.getByRole('searchbox').fill('TOKYO')
    await list.getByRole('button', { name: 'Search' }).click()
    await expect(list.getByRole('searchbox')).toHaveValue('TOKYO')
    await expect(list.getByRole('link', { name: 'Is there a church in Dubai?' })).toBeVisible()
    await expect(messages(page)).toHaveCount(4)
    await list.getByRole('searchbox').fill('nothing of it')
    await list.getByRole('searchbox').press('Enter')
    await expect(list.getByText('No conversation matches your search.')).toBeVisible()
    await expect(list.getByRole('searchbox')).toHaveValue('nothing of it')
    await list.getByText('Rename or delete this conversation').click()
    await list.getByRole('textbox', { name: 'New name' }).fill('Church in Dubai')
    await list.getByRole('button', { name: 'Save' }).click()
    await expect(list.getByRole('link', { name: 'Church in Dubai' })).toBeVisible()
    await list.getByText('Rename or delete this conversation').click()
    await list.getByRole('button', { name: 'Delete' }).click()
    await expect(list.getByRole('link', { name: 'Church in Dubai' })).toBeHidden()
  })
})
