import { answered, ask, DANGER_MESSAGE, messages, openChat, PHONE, storedConversations } from '../assistant.ts'
import { sharedPortal } from '../fixtures.ts'
import { expect, type Page, test } from '../test.ts'

const { visitor, as } = sharedPortal()

test.describe('a user in danger', () => {
  test('sees the panel first, leaves nothing on the device, and is called back', async ({ browser }) => {
    const page = await visitor(browser, PHONE)
    await openChat(page)
    await ask(page, 'Is there a church in Dubai?')
    await answered(page)
    await expect.poll(() => storedConversations(page)).not.toEqual([])
    await ask(page, DANGER_MESSAGE)
    const answer = await answered(page)
    await expect(answer.getByRole('heading', { level: 3 }).first()).toBeVisible()
    expect(await storedConversations(page)).toEqual([])

    await answer.getByText('Call me back').click()
    const form = answer.locator('details[open]')
    await form.getByRole('button', { name: 'Send' }).click()
    await expect(form.getByRole('textbox', { name: 'A number that is safe to call' })).toBeFocused()
    await form.getByRole('textbox', { name: 'A number that is safe to call' }).fill('+971 50 123 4567')
    await form.getByRole('textbox', { name: 'A time that is safe to call' }).fill('after 22:00')
    await form.getByRole('button', { name: 'Send' }).click()
    await expect(answer.getByText(/CASE-\d{4}-/)).toBeVisible()
    await page.waitForTimeout(2_500)
    expect(await storedConversations(page)).toEqual([])
  })

  for (const javaScriptEnabled of [true, false])
    test(`reaches help in one tap, ${javaScriptEnabled ? 'whatever was understood' : 'also without scripts'}`, async ({
      browser,
    }) => {
      const page = await visitor(browser, { ...PHONE, javaScriptEnabled })
      await page.goto('/ai-chat')
      await page.getByRole('button', { name: 'I am not safe' }).click()
      await expect(messages(page).last().getByRole('heading', { level: 3 }).first()).toBeVisible()
      await expect(page.getByRole('link', { name: 'Leave this page' })).toBeVisible()
      const more = messages(page).last().getByRole('link', { name: 'What to do in an emergency' })
      await expect(more).toHaveAttribute('href', /^\/emergency(\/[A-Z]{2})?$/)
    })

  test('stores the conversation only if the box is ticked', async ({ browser }) => {
    const page = await visitor(browser)
    await openChat(page)
    await ask(page, DANGER_MESSAGE)
    const answer = await answered(page)
    const box = answer.getByRole('checkbox', { name: 'Save this conversation on this device' })
    await expect(box).not.toBeChecked()
    await box.check()
    await expect.poll(async () => (await storedConversations(page)).join()).toContain('took my passport')
    await box.uncheck()
    await expect.poll(() => storedConversations(page)).toEqual([])
  })

  test('asks again for another country', async ({ browser }) => {
    const page = await visitor(browser)
    await openChat(page)
    await ask(page, 'My employer took my passport')
    const answer = await answered(page)
    await answer.getByRole('combobox').selectOption('Kuwait')
    await answer.getByRole('button', { name: 'Send' }).first().click()
    await expect(messages(page)).toHaveCount(4)
    await expect((await answered(page)).getByRole('combobox')).toHaveValue('Kuwait')
  })

  for (const [how, leave] of [
    ['by the button', (page: Page) => page.getByRole('link', { name: 'Leave this page' }).click()],
    [
      'by Escape pressed twice',
      async (page: Page) => {
        await page.keyboard.press('Escape')
        await page.keyboard.press('Escape')
      },
    ],
  ] as const)
    test(`leaves the page quickly ${how}, and Back shows nothing`, async ({ browser }) => {
      const page = await visitor(browser)
      await page.route('https://www.wikipedia.org/**', (route) =>
        route.fulfill({ contentType: 'text/html', body: '<title>Elsewhere</title>' }),
      )
      await page.goto('/travel-faq')
      await openChat(page)
      await ask(page, DANGER_MESSAGE)
      await answered(page)
      await leave(page)
      await expect(page).toHaveURL('https://www.wikipedia.org/')
      await page.goBack()
      await expect(page).toHaveURL(/travel-faq/)
      expect(await storedConversations(page)).toEqual([])
    })

  test('notifies a coordinator after a second tap if signed in', async ({ browser }) => {
    const page = await as(browser, 'coordinator')
    await openChat(page)
    await ask(page, DANGER_MESSAGE)
    const answer = await answered(page)
    await answer.getByText('Tell a coordinator now').click()
    await answer.locator('details[open]').getByRole('button', { name: 'Send' }).click()
    await expect(answer.getByText(/CASE-\d{4}-/)).toBeVisible()
    const { conversations } = await (await page.request.get('/api/ai/conversations')).json()
    expect(JSON.stringify(conversations)).not.toContain('passport')
  })
})
