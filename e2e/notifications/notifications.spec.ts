import { createUnsubscribeLinks } from '#server/notifications/subscriptions/unsubscribe-link.ts'
import { expectOpenToAll } from '../axe.ts'
import { ownPortal } from '../fixtures.ts'
import { LANGUAGES, open } from '../pages.ts'
import { signUp, startPortal } from '../portal.ts'
import { expect, type Page, test } from '../test.ts'

const AUTH_SECRET = 'a secret that only this journey may know of'

const { portal, as } = ownPortal('default', () => startPortal({ AUTH_SECRET }))

const rows = (page: Page) => page.getByRole('list', { name: 'Notifications, newest first' }).getByRole('listitem')

test('the unread badge updates while its page is open, in each language, and leads to the notification', async ({
  browser,
}) => {
  const page = await as(browser, 'pdos')
  await open(page, '/travel-advisories')
  const inboxLink = page.getByRole('link', { name: /^Notifications, / })
  await expect(inboxLink).toHaveAccessibleName('Notifications, 0 unread')
  const arabic = await as(browser, 'pdos')
  await open(arabic, '/countries?lng=ar')
  const arabicInboxLink = arabic.getByRole('link', { name: /^الإشعارات، / })
  await expect(arabicInboxLink).toHaveAccessibleName('الإشعارات، لا توجد إشعارات غير مقروءة')

  await signUp(portal(), 'Nora')
  // Delivered by the socket; the one-minute polling would be too late.
  await expect(inboxLink).toHaveAccessibleName('Notifications, 1 unread')
  await expect(arabicInboxLink).toHaveAccessibleName('الإشعارات، 1 غير مقروء')
  await inboxLink.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Notifications' })).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
  // Neither name nor address: others may see the screen.
  await expect(rows(page).first()).toContainText('A new account is awaiting verification.')
  await expect(rows(page).first()).toContainText('New')

  // The list updates while it is open.
  await signUp(portal(), 'Omar')
  await expect(rows(page)).toHaveCount(2)
  await rows(page).first().getByRole('button', { name: 'New account', exact: true }).click()
  await expect(page).toHaveURL(/\/admin\/users\/[0-9a-f-]{36}$/)
  await expect(inboxLink).toHaveAccessibleName('Notifications, 1 unread')
  // Reading on one page marks it read on the others.
  await page.goto('/notifications')
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await expect(arabicInboxLink).toHaveAccessibleName('الإشعارات، لا توجد إشعارات غير مقروءة')
  for (const of of [page, arabic]) await of.context().close()
})

for (const javaScriptEnabled of [true, false])
  test(`a notification is read and archived ${javaScriptEnabled ? 'with' : 'without'} scripts`, async ({ browser }) => {
    const page = await as(browser, javaScriptEnabled ? 'member' : 'traveler', { javaScriptEnabled })
    await page.goto('/notifications')
    await expect(rows(page)).not.toHaveCount(0)
    const count = await rows(page).count()
    await rows(page)
      .getByRole('button', { name: /^Mark as read/ })
      .click()
    await expect(page.getByText('Marked as read.')).toBeVisible()
    await expect(rows(page).getByRole('button', { name: /^Mark as read/ })).toHaveCount(0)
    await page.getByRole('link', { name: 'Unread', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'No matching notifications' })).toBeVisible()
    await page.getByRole('link', { name: 'Show all' }).click()
    await rows(page)
      .first()
      .getByRole('button', { name: /^Dismiss/ })
      .click()
    await expect(page.getByText('Notification dismissed.')).toBeVisible()
    await expect(rows(page)).toHaveCount(count - 1)
    await page.context().close()
  })

test('preferences are saved, and quiet hours without an end are reported beside their field', async ({ browser }) => {
  const page = await as(browser, 'traveler')
  await open(page, '/dashboard/profile')
  await page.getByRole('link', { name: 'Notifications', exact: true }).click()
  const announcementChoices = page.getByRole('group', { name: 'Announcements from the ministry' })
  await announcementChoices.getByLabel('Text message').uncheck()
  await page.getByLabel('From').fill('22:00')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByLabel('Until')).toBeFocused()
  await expect(page.getByLabel('Until')).toHaveAccessibleDescription('Enter both times or neither')
  await expect(announcementChoices.getByLabel('Text message')).not.toBeChecked()
  await page.getByLabel('Until').fill('06:30')
  await page.getByLabel('How often').selectOption('Weekly digest')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved. Applies from the next message.')).toBeVisible()
  await open(page, '/notifications/preferences?lng=ar')
  await expect(page.getByLabel('من', { exact: true })).toHaveValue('22:00')
  await expect(page.getByLabel('إلى', { exact: true })).toHaveValue('06:30')
  await expect(page.getByRole('group', { name: 'إعلانات مكتب MFA' }).getByLabel('رسالة نصية')).not.toBeChecked()
  await expect(page.getByLabel('عدد المرات')).toHaveValue('weekly')
  await page.context().close()
})

test('the link in a mail unsubscribes from that kind of mail without signing in, and resubscribes', async ({
  browser,
}) => {
  const member = await as(browser, 'member')
  const own = await (await member.request.get('/api/account/profile')).json()
  const token = createUnsubscribeLinks(AUTH_SECRET).sign({ userId: own.id, kind: 'announcement' })
  const choices = async () => (await (await member.request.get('/api/communication/preferences')).json()).channels

  const stranger = await (await browser.newContext({ baseURL: portal().url, javaScriptEnabled: false })).newPage()
  await stranger.goto(`/unsubscribe/${token}`)
  await expect(stranger.getByText('Emails with announcements from the ministry')).toBeVisible()
  expect(await choices()).toEqual({})
  await stranger.getByRole('button', { name: 'Stop these emails' }).click()
  await expect(stranger.getByText('Done: no more emails of this kind')).toBeVisible()
  expect(await choices()).toEqual({ announcement: { email: false } })
  await stranger.getByRole('button', { name: 'Start these emails again' }).click()
  await expect(stranger.getByText('You will get these emails again')).toBeVisible()
  expect(await choices()).toEqual({ announcement: { email: true } })

  const oneClick = await fetch(`${portal().url}/api/public/unsubscribe/${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://mail.example' },
    body: 'List-Unsubscribe=One-Click',
  })
  expect(oneClick.status).toBe(200)
  expect(await choices()).toEqual({ announcement: { email: false } })

  const forged = await stranger.goto(`/unsubscribe/${token.slice(0, -1)}A`)
  expect(forged!.status()).toBe(404)
  await expect(stranger.getByText('This link does not work')).toBeVisible()
  for (const page of [member, stranger]) await page.context().close()
})

test('every notification page is accessible, in each language, theme and width', async ({ browser }) => {
  test.setTimeout(240_000)
  const page = await as(browser, 'admin')
  const own = await (await page.request.get('/api/account/profile')).json()
  const token = createUnsubscribeLinks(AUTH_SECRET).sign({ userId: own.id, kind: 'roll_call' })
  for (const language of LANGUAGES)
    for (const address of [
      '/notifications',
      '/notifications?status=unread&type=none',
      '/notifications/preferences',
      `/unsubscribe/${token}`,
      '/unsubscribe/forged',
      '/admin/users',
    ]) {
      await open(page, `${address}${address.includes('?') ? '&' : '?'}lng=${language}`)
      await expectOpenToAll(page)
    }
  await page.context().close()
})
