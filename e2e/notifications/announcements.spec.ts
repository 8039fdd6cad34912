import { expectOpenToAll, violations } from '../axe.ts'
import { ownPortal } from '../fixtures.ts'
import { expectNoSidewaysScrolling, open } from '../pages.ts'
import { expect, test } from '../test.ts'

// These tests change a role and a setting.
const { portal, as } = ownPortal()
test.beforeAll(async ({ browser }) => {
  // A second administrator: an announcement to more than one user needs both.
  const page = await as(browser, 'admin')
  const { users } = (await (await page.request.get('/api/admin-operations/users?search=member@sample')).json()) as {
    users: { id: string }[]
  }
  const call = (method: string, path: string, data: object) =>
    page.request.fetch(`${portal().url}/api${path}`, { method, data, headers: { origin: portal().url } })
  const role = await call('POST', `/admin-operations/users/${users[0]!.id}/role`, {
    role: 'admin',
    reason: 'Second administrator',
  })
  expect(role.status()).toBe(200)
  const limit = await call('PUT', '/admin-operations/settings', { values: { 'notifications.approval_above': 1 } })
  expect(limit.status()).toBe(200)
  await page.context().close()
})

test('an announcement is written, previewed, approved by a second administrator, sent, and received', async ({
  browser,
}) => {
  test.setTimeout(120_000)
  const author = await as(browser, 'admin')
  await test.step('a missing field is reported beside it, and the input stays', async () => {
    await open(author, '/admin/notifications')
    await author.getByRole('link', { name: 'New announcement' }).click()
    await author.getByLabel('Title in English').fill('Office closed on Monday')
    await author.getByLabel('Recipients', { exact: true }).fill('Role: Traveller')
    await author.getByLabel('Recipients', { exact: true }).press('Enter')
    await author.locator('[data-review]').click()
    await expect(author.getByText('This field is required')).toBeVisible()
    await expect(author.getByLabel('Title in English')).toHaveValue('Office closed on Monday')
    await expect(author.getByLabel('Role: Traveller')).toBeChecked()
  })

  await test.step('users are found by name and added to the lines', async () => {
    await author.getByLabel('Role: Traveller').click()
    await expect(author.getByLabel('Role: Traveller')).toHaveCount(0)
    await author.getByLabel('Recipients', { exact: true }).fill('Sample Traveler')
    await author.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(author.getByLabel('Sample Traveler')).toBeChecked()
    await author.getByText('Paste a list of people').click()
    await author.getByLabel('Named people').fill('servant@sample.invalid\nnobody@example.org')
    await author.getByLabel('Message in English').fill('Call the duty number for emergencies.')
    await author.getByLabel('Link').fill('/support')
    await author.getByRole('row', { name: /SMS/ }).getByRole('checkbox').check()
    await author.locator('[data-review]').click()
    await expect(author.getByText('nobody@example.org: No account has this email address').first()).toBeVisible()
    await author.getByLabel('Named people').fill('servant@sample.invalid')
    await author.getByRole('button', { name: 'Save draft' }).click()
    await expect(author.getByText('Draft saved. Nothing is sent yet.')).toBeVisible()
  })

  await test.step('the page shows its reach and its previews, in each language', async () => {
    await expect(author.getByText('2 can be reached', { exact: true })).toBeVisible()
    const preview = author.getByRole('region', { name: 'Preview' })
    await preview.getByLabel('As').selectOption('ar')
    await expect(preview.getByText('There is no Arabic text.')).toBeVisible()
    await preview.getByLabel('As').selectOption('en')
    await preview.getByText('Email', { exact: true }).click()
    const mail = author.frameLocator('iframe[title="Email in English"]')
    await expect(mail.getByText('Call the duty number for emergencies.')).toBeVisible()
    await preview.getByText('SMS', { exact: true }).click()
    await expect(preview.getByText('SMS: 1 part')).toBeVisible()
    await author.getByRole('button', { name: 'Send a test to myself' }).click()
    await expect(author.getByText('We are sending you a test.')).toBeVisible()
  })

  await test.step('the confirmation names who may approve; its author cannot', async () => {
    await author.getByRole('button', { name: 'Submit for approval…' }).click()
    const dialog = author.getByRole('dialog', { name: 'Submit this announcement to 2 people for approval?' })
    await expect(dialog.getByText(/It can be approved by: .*Sample Member/)).toBeVisible()
    await dialog.getByRole('button', { name: 'Submit for approval' }).click()
    await expect(author.getByText('Needs a second approval')).toBeVisible()
    await expect(author.getByRole('button', { name: 'Approve', exact: true })).toHaveCount(0)
  })
  const address = new URL(author.url()).pathname
  const second = await as(browser, 'member')
  await test.step('the second one declines with a reason, and approves the next', async () => {
    await open(second, address)
    await second.getByRole('button', { name: 'Reject' }).click()
    await expect(second.getByText('Enter a reason')).toBeVisible()
    await second.getByLabel('Reason for rejection').fill('Say which office')
    await second.getByRole('button', { name: 'Reject' }).click()
    await expect(second.getByText('Rejected. It is a draft again.')).toBeVisible()
    await open(author, `${address}/edit`)
    await expect(author.getByText('Say which office')).toBeVisible()
    await expect(author.getByLabel('Sample Traveler')).toBeChecked()
    await author.getByLabel('Title in English').fill('Manila office closed on Monday')
    await author.keyboard.press('Control+Enter')
    await author.getByRole('dialog').waitFor()
    await author.keyboard.press('Control+Enter')
    await expect(author.getByText('Needs a second approval')).toBeVisible()
    await open(second, '/admin/notifications?status=for_approval')
    await second.getByRole('link', { name: 'Manila office closed on Monday' }).click()
    await second.getByRole('button', { name: 'Approve', exact: true }).click()
    await expect(second.getByText('Approved. It is sent now or at the scheduled time.')).toBeVisible()
  })

  await test.step('it is sent: to the inbox of its recipient, and to the outbox with its text', async () => {
    await expect
      .poll(
        async () => {
          await author.goto(address)
          return author.getByText('Delivery results').count()
        },
        { timeout: 30_000 },
      )
      .toBe(1)
    const reader = await as(browser, 'traveler')
    const { users } = (await (
      await author.request.get(`${portal().url}/api/admin-operations/users?search=traveler@sample`)
    ).json()) as { users: { id: string }[] }
    const heard = await reader.request.get(`${portal().url}/api/admin-operations/users/${users[0]!.id}/notifications`)
    const { notifications } = (await heard.json()) as { notifications: { title: string }[] }
    expect(notifications.map(({ title }) => title)).toContain('Manila office closed on Monday')
    await reader.context().close()
    await author.getByRole('link', { name: 'View in outbox' }).click()
    await author.getByRole('link', { name: 'traveler@sample.invalid' }).first().click()
    await expect(author.getByRole('dialog').getByText('Call the duty number for emergencies.').first()).toBeVisible()
  })
  await author.context().close()
  await second.context().close()
})

test('without scripts, an announcement is scheduled and cancelled', async ({ browser }) => {
  const page = await as(browser, 'admin', { javaScriptEnabled: false })
  await page.goto('/admin/notifications/new')
  await page.getByText('العربية', { exact: true }).last().click()
  await page.getByLabel('Title in Arabic').fill('إشعار')
  await page.getByLabel('Message in Arabic').fill('نص الإشعار.')
  await page.getByLabel('Recipients', { exact: true }).fill('traveler@sample.invalid')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByText('1 can be reached', { exact: true })).toBeVisible()
  await page.getByLabel('Send later').fill('2031-01-05T09:00')
  await page.getByRole('button', { name: 'Send to 1 person…' }).click()
  await expect(page.getByText('We send it on 5 Jan 2031, 09:00 UTC.')).toBeVisible()
  await page.getByRole('button', { name: 'Send to 1 person', exact: true }).click()
  await expect(page.getByText('Scheduled for 5 Jan 2031, 09:00 UTC').first()).toBeVisible()
  await page.getByRole('button', { name: 'Cancel announcement' }).click()
  await expect(page.getByText('Cancelled. Nothing is sent.')).toBeVisible()
  await page.context().close()
})

test('switching the kind keeps text and recipients, with and without scripts', async ({ browser }) => {
  for (const javaScriptEnabled of [true, false]) {
    const page = await as(browser, 'admin', { javaScriptEnabled })
    await page.goto('/admin/notifications/new')
    if (javaScriptEnabled) await open(page, '/admin/notifications/new')
    await page.getByLabel('Title in English').fill('Storm over Manila')
    await page.getByLabel('Message in English').fill('Stay inside.')
    await page.getByLabel('Recipients', { exact: true }).fill('Philippines')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByLabel('Recipients', { exact: true }).fill('Role: Member')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(page.getByLabel('Role: Member')).toBeChecked()
    await page.getByRole('button', { name: /^Roll call/ }).click()
    await expect(page.getByLabel('What happened')).toHaveValue('Storm over Manila')
    await expect(page.getByLabel('Philippines')).toBeChecked()
    await expect(page.getByText('1 other filter is not used')).toBeVisible()
    await page.getByLabel('Message').fill('Stay inside until noon.')
    await page.getByRole('button', { name: /^Advisory/ }).click()
    await expect(page.getByLabel('Title', { exact: true })).toHaveValue('Storm over Manila')
    await expect(page.getByLabel('Description')).toHaveValue('Stay inside until noon.')
    await expect(page.getByLabel('Countries', { exact: true })).toHaveValue('Philippines')
    await page.getByRole('button', { name: /^Announcement/ }).click()
    await expect(page.getByLabel('Message in English')).toHaveValue('Stay inside until noon.')
    await expect(page.getByLabel('Philippines')).toBeChecked()
    await expect(page.getByLabel('Role: Member')).toBeChecked()
    await page.context().close()
  }
})

test('a template is changed, previewed and reset; a rule is changed', async ({ browser }) => {
  const page = await as(browser, 'admin')
  await open(page, '/admin/notifications/templates')
  await page.getByRole('link', { name: 'Code to sign in, English' }).click()
  await page.getByLabel('Subject').fill('No code')
  await page.getByLabel('Paragraphs').fill('Nothing.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('The template has errors.')).toBeVisible()
  await expect(page.getByText('Check the marked fields.')).toBeVisible()
  await expect(page.getByText('Missing: code')).toBeVisible()
  await page.getByLabel('Subject').fill('{{code}} opens {{brand}}')
  await page.getByRole('button', { name: 'Preview' }).click()
  await expect(page.getByText('Not saved yet')).toBeVisible()
  await expect(page.getByText('482913 opens MFA Portal').first()).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Template saved.')).toBeVisible()
  await page.getByRole('button', { name: 'Restore default text' }).click()
  await expect(page.getByText('Default text restored.')).toBeVisible()
  await page.getByRole('button', { name: 'Restore version 1' }).click()
  await expect(page.getByLabel('Subject')).toHaveValue('{{code}} opens {{brand}}')

  await open(page, '/admin/notifications/reminders?subject=pdos_session')
  await page.getByLabel('Hours before the event').fill('soon')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Enter a number of hours, such as 24').first()).toBeVisible()
  await page.getByLabel('Hours before the event').fill('48 24 2')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Rule saved.')).toBeVisible()
  await expect(page.getByText('48 hours, 24 hours, 2 hours')).toBeVisible()
  await page.context().close()
})

test('coordinators write announcements but not templates, others have no access, and every screen is accessible on a phone', async ({
  browser,
}) => {
  test.setTimeout(150_000)
  const texts = ['/admin/notifications/templates', '/admin/notifications/reminders']
  const announcementPaths = ['/admin/notifications', '/admin/notifications/new']
  for (const [who, addresses] of [
    ['mfa', texts],
    ['servant', texts],
    ['traveler', [...announcementPaths, ...texts]],
  ] as const) {
    const page = await as(browser, who)
    for (const address of addresses) {
      await page.goto(address)
      await expect(page).toHaveURL(/unauthorized/)
    }
    await page.context().close()
  }
  const page = await as(browser, 'admin', { viewport: { width: 360, height: 780 } })
  const text = { title: 'Office closed', message: 'Until Monday.' }
  const draft = await page.request.post('/api/admin-operations/announcements', {
    headers: { origin: portal().url },
    data: {
      audience: { roles: ['traveler', 'admin'] },
      channels: ['in-app', 'email', 'sms'],
      texts: { en: text, ar: {} },
    },
  })
  const { id } = (await draft.json()) as { id: string }
  const pages = [
    '/admin/notifications?lng=en',
    '/admin/notifications/new?lng=ar',
    `/admin/notifications/${id}?lng=en`,
    `/admin/notifications/${id}/edit?action=send&lng=ar`,
    '/admin/notifications/templates?lng=ar',
    '/admin/notifications/templates/announcement/ar?lng=ar',
    '/admin/notifications/reminders?subject=instructor&lng=en',
  ]
  for (const address of pages)
    await test.step(address, async () => {
      await open(page, address)
      await expectNoSidewaysScrolling(page)
      await expectOpenToAll(page)
      const [mail] = await page
        .locator('iframe')
        .evaluateAll((frames) => frames.map((frame) => frame.getAttribute('srcdoc')))
      if (!mail) return
      await page.setContent(mail)
      expect(await violations(page)).toEqual([])
    })
  await page.context().close()
})
