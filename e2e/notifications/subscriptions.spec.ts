import { type PushPeer, startPushPeer } from '#server/testing/push.ts'
import { expectOpenToAll } from '../axe.ts'
import { ownPortal } from '../fixtures.ts'
import { anAdvisory, isAlive, open } from '../pages.ts'
import { startPortal } from '../portal.ts'
import { shownBy, startWholeBrowser, WHOLE_BROWSER, withWorker } from '../push-worker.ts'
import { expect, type Page, test } from '../test.ts'

const { portal, visitor, as } = ownPortal('default', () => startPortal({ PUSH_ALLOW_PRIVATE: 'true' }))
/** Stands in for the browser vendor's push service. */
let pushService: PushPeer
test.beforeAll(async () => {
  pushService = await startPushPeer()
})
test.afterAll(() => pushService?.close())

interface Mail {
  id: string
  template: string
  recipient: string
  subject: string
}

/** Advisory mails to the traveler, as shown by this machine's open outbox. */
async function advisoryMails(): Promise<Mail[]> {
  const { messages } = (await (await fetch(`${portal().url}/api/public/outbox`)).json()) as { messages: Mail[] }
  return messages.filter(
    ({ template, recipient }) => template === 'advisory' && recipient === 'traveler@sample.invalid',
  )
}

async function inboxRows(page: Page): Promise<{ title: string; action_url: string | null }[]> {
  const { user } = await (await page.request.get('/api/auth/user')).json()
  const answer = await page.request.get(`/api/admin-operations/users/${user.id}/notifications`)
  const { notifications } = (await answer.json()) as { notifications: { title: string; action_url: string | null }[] }
  return notifications.filter(({ action_url }) => action_url?.startsWith('/travel-advisories/'))
}

test('a visitor subscribes on a country page, is notified by inbox, mail and push when its advisory becomes urgent, and not after unsubscribing', async ({
  browser,
}) => {
  test.setTimeout(180_000)
  const showing = WHOLE_BROWSER ? await startWholeBrowser() : browser
  const traveler = await visitor(showing)
  const admin = await as(browser, 'admin')
  const lebanon = await anAdvisory(portal().url, 'Lebanon', 'critical')

  await test.step('signing in leads on to the form, with the country chosen', async () => {
    await open(traveler, '/countries/LB')
    await traveler.getByRole('link', { name: 'Notify me' }).click()
    await expect(traveler).toHaveURL(/\/login\?/)
    await traveler.getByLabel('Email address or phone number').fill('traveler@sample.invalid')
    await traveler.getByLabel('Password', { exact: true }).fill('portal-sample')
    await traveler.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(traveler).toHaveURL(/\/dashboard\/subscriptions\/new\?country=LB/)
    await expect(traveler.getByRole('checkbox', { name: 'Lebanon' })).toBeChecked()
    await isAlive(traveler)
    await expectOpenToAll(traveler)
  })

  const unread = async () =>
    Number(
      /\d+/.exec(
        (await traveler.getByRole('link', { name: /^Notifications, / }).getAttribute('aria-label')) ?? '',
      )?.[0] ?? 0,
    )
  let deliver: Awaited<ReturnType<typeof withWorker>>
  await test.step('this browser subscribes to push messages too', async () => {
    const { endpoint, keys } = pushService.newBrowser()
    const known = await traveler.request.post('/api/notifications/browsers', {
      data: { endpoint, keys },
      headers: { origin: portal().url },
    })
    expect(known.ok()).toBe(true)
    deliver = await withWorker(traveler)
    await traveler.getByRole('checkbox', { name: /^Push to a browser/ }).check()
  })

  await test.step('the subscription is in the list', async () => {
    await traveler.getByRole('button', { name: 'Save' }).last().click()
    await expect(traveler.getByText('Saved. We will notify you this way from now on.')).toBeVisible()
    await expect(traveler.getByRole('heading', { name: 'Lebanon', exact: true })).toBeVisible()
    await expectOpenToAll(traveler)
  })

  const before = await unread()
  await test.step('an administrator sees the number of recipients, and marks it urgent', async () => {
    await open(admin, `/admin/travel-advisories/${lebanon.id}`)
    await expect(admin.getByText('1 person would be told now')).toBeVisible()
    await admin.getByRole('button', { name: 'Mark as urgent' }).click()
    await expect(admin.getByText('Advisory updated.')).toBeVisible()
  })

  await test.step('the traveler receives it in the inbox, by mail and by push, once each', async () => {
    await expect.poll(unread, { timeout: 30_000 }).toBe(before + 1)
    await expect.poll(() => pushService.messages().length, { timeout: 30_000 }).toBe(1)
    const [{ payload, headers }] = pushService.messages() as [ReturnType<PushPeer['messages']>[number]]
    expect(payload).toMatchObject({ isUrgent: true, url: `${portal().url}/travel-advisories/${lebanon.id}` })
    expect(headers.urgency).toBe('high')
    expect(payload.title).toContain(lebanon.title)
    // A duplicate is shown once.
    await deliver(payload)
    await deliver(payload)
    if (WHOLE_BROWSER)
      await expect.poll(() => shownBy(traveler)).toMatchObject([{ title: payload.title, url: payload.url }])
    await expect.poll(async () => (await advisoryMails()).length, { timeout: 30_000 }).toBe(1)
    const [mail] = await advisoryMails()
    expect(mail!.subject).toContain(lebanon.title)
    expect(mail!.subject).toContain('Critical')
    expect(await inboxRows(traveler)).toMatchObject([
      { title: lebanon.title, action_url: `/travel-advisories/${lebanon.id}` },
    ])
    await open(traveler, '/dashboard/subscriptions')
    await expect(traveler.getByText(/Last told/)).toBeVisible()
  })

  await test.step('the service worker survives visits and touches no page', async () => {
    await traveler.waitForTimeout(2_500)
    expect(await traveler.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(1)
    expect(await traveler.evaluate(async () => (await caches.keys()).length)).toBe(0)
  })

  await test.step('the administrator sees where it arrived', async () => {
    await open(admin, `/admin/travel-advisories/${lebanon.id}`)
    const notifyPanel = admin.getByRole('region', { name: 'Announcements' })
    await expect(notifyPanel.getByText('For 1 person, in the portal: 1')).toBeVisible()
    await expect(notifyPanel.getByText('email: only written down 1')).toBeVisible()
    await notifyPanel.getByRole('link', { name: 'Notify now' }).click()
    await expect(notifyPanel.getByRole('heading', { name: 'Notify subscribers now?' })).toBeVisible()
    await expectOpenToAll(admin)
  })

  await test.step('after unsubscribing nothing more arrives, not even a manual announcement', async () => {
    await traveler.getByRole('button', { name: 'Remove: Lebanon' }).click()
    await expect(
      traveler.getByText('Removed. You will get no more notifications from this subscription.'),
    ).toBeVisible()
    const notifyPanel = admin.getByRole('region', { name: 'Announcements' })
    await notifyPanel.getByRole('button', { name: 'Send now' }).click()
    await expect(admin.getByText('Notifications are being sent.')).toBeVisible()
    await expect
      .poll(
        async () => {
          await admin.reload()
          return notifyPanel.getByText('No recipients: no one subscribes to this').count()
        },
        { timeout: 30_000 },
      )
      .toBe(1)
    expect(await advisoryMails()).toHaveLength(1)
    expect(await inboxRows(traveler)).toHaveLength(1)
  })
  if (showing !== browser) await showing.close()
})

test('without scripts, the form adds one country after another, reports missing fields, and pauses', async ({
  browser,
}) => {
  const page = await as(browser, 'member', { javaScriptEnabled: false })
  await page.goto('/dashboard/subscriptions/new?country=PE')
  await page.getByLabel('Add a country').fill('Guinea')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByRole('checkbox', { name: 'Guinea', exact: true })).toBeChecked()
  await expect(page.getByRole('checkbox', { name: 'Peru' })).toBeChecked()
  await page.getByLabel('Add a country').fill('Congo')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByText('Which of these do you mean?')).toBeVisible()
  await page
    .getByRole('button', { name: 'DR Congo' })
    .or(page.getByRole('button', { name: /Democratic/ }))
    .first()
    .click()
  await expect(page.getByRole('checkbox', { name: /Congo/ })).toBeChecked()
  await page.getByRole('checkbox', { name: 'Emergency' }).uncheck()
  await page.getByRole('checkbox', { name: 'Critical' }).uncheck()
  await page.getByRole('checkbox', { name: 'Warning' }).uncheck()
  await page.getByRole('button', { name: 'Save' }).last().click()
  await expect(page.getByText('Choose at least one level')).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'Peru' })).toBeChecked()
  await page.getByRole('checkbox', { name: 'Emergency' }).check()
  await page.getByRole('button', { name: 'Save' }).last().click()
  await expect(page.getByRole('heading', { name: /Peru/ })).toBeVisible()
  await page.getByRole('button', { name: /^Pause/ }).click()
  await expect(page.getByText('Paused. You will get no notifications until you resume it.')).toBeVisible()
  await page.getByRole('button', { name: /^Resume/ }).click()
  await expect(page.getByText('Resumed.')).toBeVisible()
})

test('in Arabic the pages are accessible, and the status page says what was measured and what was not', async ({
  browser,
}) => {
  test.setTimeout(120_000)
  const page = await as(browser, 'servant')
  await open(page, '/dashboard/subscriptions/new?country=HT&lng=ar')
  await expectOpenToAll(page)
  await page.getByRole('button', { name: 'حفظ' }).last().click()
  await expect(page.getByRole('heading', { name: 'هايتي', exact: true })).toBeVisible()
  await expectOpenToAll(page)
  await open(page, '/status')
  await expect(page.getByRole('heading', { level: 1, name: 'حالة التسليم والمصادر' })).toBeVisible()
  await expectOpenToAll(page)
  const answer = await (await fetch(`${portal().url}/api/public/status`)).json()
  expect(answer).toMatchObject({ success: true, days: 30, alarms: [] })
})
