import { type AuthEnvironment, codeOf, SAMPLE_PASSWORD, signIn, startAuthEnvironment } from '../auth.ts'
import { expectOpenToAll } from '../axe.ts'
import { isAlive, LANGUAGES, open, texts } from '../pages.ts'
import { signUp as createAccount } from '../portal.ts'
import { type Browser, expect, type Page, test } from '../test.ts'

// One portal for the whole file: starting it takes longer than most of these tests.
test.describe.configure({ mode: 'default' })

const PASSWORD = 'seven purple lanterns'
const NEW_PASSWORD = 'eleven quiet harbours'
let stage: AuthEnvironment
let made = 0
const newEmail = () => `person-${++made}-${Date.now()}@example.org`

test.beforeAll(async () => {
  test.setTimeout(180_000)
  stage = await startAuthEnvironment()
})
test.afterAll(() => stage?.close())

const at = (path: string) => `${stage.portal.url}${path}`
const visit = (page: Page, path: string) => open(page, at(path))
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

/** The link in the next message to an address. */
async function linkTo(email: string, page: string): Promise<string> {
  await expect
    .poll(() => stage.mail.mailsTo(email).some(({ text }) => text?.includes(page)), { timeout: 20_000 })
    .toBe(true)
  const mail = stage.mail.mailsTo(email).findLast(({ text }) => text?.includes(page))!
  return mail.text!.match(/https?:\/\/\S+/g)!.find((link) => link.includes(page))!
}

async function signUp(page: Page, email: string) {
  await page.getByLabel('First name').fill('Ana')
  await page.getByLabel('Last name').fill('de la Cruz')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Country (optional)').selectOption('Philippines')
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Create an account' }).click()
}

/** Signs up and confirms the address, without the pages for it; the browser is signed in then. */
async function newUser(page: Page) {
  const email = await createAccount(stage.portal, 'Ana', newEmail())
  const token = new URL(await linkTo(email, '/verify-email')).searchParams.get('token')
  const answer = await page.request.post(at('/api/auth/verify'), { data: { type: 'signup', token } })
  expect(answer.status()).toBe(200)
  return email
}

async function fresh(browser: Browser, javaScriptEnabled = true) {
  const context = await browser.newContext({ javaScriptEnabled, reducedMotion: 'reduce' })
  return context.newPage()
}

test.describe('sign-up', () => {
  test('reports missing fields, focuses the first invalid one and keeps the input', async ({ page }) => {
    await visit(page, '/signup')
    await page.getByLabel('First name').fill('Ana')
    await page.getByLabel('Email address').fill('ana')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Create an account' }).click()
    await expect(page.getByRole('alert')).toContainText('Please correct the marked fields.')
    await expect(page.getByLabel('Last name')).toBeFocused()
    await expect(page.getByLabel('Last name')).toHaveAccessibleDescription('This field is required')
    await expect(page.getByLabel('Email address')).toHaveAccessibleDescription(/Enter a valid email address$/)
    await expect(page.getByRole('checkbox')).toHaveAccessibleDescription('Please accept the terms')
    await expect(page.getByLabel('First name')).toHaveValue('Ana')
    await expectOpenToAll(page)
  })

  test('takes the time zone from the browser', async ({ browser }) => {
    const context = await browser.newContext({ timezoneId: 'Asia/Riyadh' })
    const page = await context.newPage()
    const email = newEmail()
    await visit(page, '/signup')
    await signUp(page, email)
    await expect(heading(page, 'Check your email')).toBeVisible()
    await page.goto(await linkTo(email, '/verify-email'))
    await isAlive(page)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await expect(page).toHaveURL(at('/dashboard'))
    const profile = await (await page.request.get(at('/api/account/profile'))).json()
    expect(profile).toMatchObject({ time_zone: 'Asia/Riyadh', country_code: 'PH' })
    await context.close()
  })

  test('says why a password is rejected', async ({ page }) => {
    await visit(page, '/signup?lng=ar')
    const t = texts('ar', 'accounts')
    await page.getByLabel(t('first_name')).fill('Ana')
    await page.getByLabel(t('last_name')).fill('Cruz')
    await page.getByLabel(t('email')).fill(newEmail())
    await page.getByLabel(t('password'), { exact: true }).fill('iloveyou')
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: t('create_account') }).click()
    const reasons = texts('ar', 'forms')
    await expect(page.getByText(reasons('Must be at least {{n}} characters.', { n: '10' }))).toBeVisible()
    await expect(page.getByText(reasons('This password is on a list of common or leaked passwords.'))).toBeVisible()
  })

  test('leads through the confirmation mail to the dashboard', async ({ page }) => {
    const email = newEmail()
    await visit(page, '/signup?returnTo=%2Fcountries')
    await signUp(page, email)
    await expect(heading(page, 'Check your email')).toBeVisible()
    await expectOpenToAll(page)
    await page.getByRole('button', { name: 'Send the link again' }).click()
    await expect(page.getByRole('status').filter({ hasText: 'we have sent you an email' })).toBeVisible()
    const link = await linkTo(email, '/verify-email')
    // Mail scanners open every link.
    for (const _ of [1, 2]) expect((await fetch(link)).status).toBe(200)
    await page.goto(link)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await expect(page).toHaveURL(at('/dashboard'))
    await visit(page, '/')
    await expect(page.getByRole('banner').getByRole('link', { name: 'Dashboard' })).toHaveAttribute(
      'href',
      '/dashboard',
    )
    await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toHaveCount(0)
  })

  test('accepts the next form at once, although the page data is still being refetched', async ({ page }) => {
    await visit(page, '/signup')
    // Simulates a slow connection: revalidation after a response waits until it is released.
    let letThrough = () => {}
    const blocked = new Promise<void>((resolve) => {
      letThrough = resolve
    })
    await page.route('**/*.data*', async (route) => {
      if (route.request().method() === 'GET') await blocked
      await route.continue().catch(() => {})
    })
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(new URLSearchParams(request.postData() ?? '').get('intent') ?? '')
    })
    await signUp(page, newEmail())
    await expect(heading(page, 'Check your email')).toBeVisible()
    const again = page.getByRole('button', { name: 'Send the link again' })
    await expect(again).not.toHaveAttribute('aria-disabled')
    await again.click()
    await expect(page.getByRole('status').filter({ hasText: 'we have sent you an email' })).toBeVisible()
    expect(sent.filter((intent) => intent === 'resend')).toHaveLength(1)
    letThrough()
    await expect(again).not.toHaveAttribute('aria-disabled')
  })

  test('responds identically if the address has an account, and notifies its owner', async ({ page, browser }) => {
    const email = await newUser(page)
    const other = await fresh(browser)
    await visit(other, '/signup')
    await signUp(other, email)
    await expect(heading(other, 'Check your email')).toBeVisible()
    expect(await linkTo(email, '/forgot-password')).toBe(at('/forgot-password'))
    await other.context().close()
  })

  test('works without scripts, and so does signing in', async ({ browser }) => {
    const page = await fresh(browser, false)
    const email = newEmail()
    await page.goto(at('/signup'))
    await page.getByLabel('First name').fill('Ana')
    await page.getByRole('button', { name: 'Create an account' }).click()
    await expect(page.getByLabel('First name')).toHaveValue('Ana')
    await expect(page.getByLabel('Last name')).toHaveAccessibleDescription('This field is required')
    await signUp(page, email)
    await expect(heading(page, 'Check your email')).toBeVisible()
    await page.goto(await linkTo(email, '/verify-email'))
    await page.getByRole('button', { name: 'Confirm' }).click()
    await expect(page).toHaveURL(at('/dashboard'))
    await page.goto(at('/countries/JP'))
    await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click()
    await expect(page).toHaveURL(at('/countries/JP'))
    await page.getByRole('banner').getByRole('link', { name: 'Login' }).click()
    await signIn(page, email, PASSWORD)
    await expect(page).toHaveURL(at('/countries/JP'))
    await expect(page.getByRole('banner').getByRole('button', { name: 'Logout' })).toBeVisible()
    await page.context().close()
  })
})

test.describe('sign-in', () => {
  test('reports a wrong password and keeps the address', async ({ page }) => {
    await visit(page, '/login')
    await signIn(page, 'member@sample.invalid', 'not the password')
    await expect(page.getByRole('alert')).toContainText('Wrong email address or password.')
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
    await expect(page.getByLabel('Email address or phone number')).toHaveValue('member@sample.invalid')
    await expectOpenToAll(page)
  })

  test('shows the password on request', async ({ page }) => {
    await visit(page, '/login')
    const password = page.getByLabel('Password', { exact: true })
    await password.fill('secret')
    await page.getByRole('button', { name: 'Show password' }).click()
    await expect(password).toHaveAttribute('type', 'text')
    await page.getByRole('button', { name: 'Show password' }).click()
    await expect(password).toHaveAttribute('type', 'password')
  })

  test('offers the confirmation link again if the address is not confirmed', async ({ page }) => {
    const email = newEmail()
    await visit(page, '/signup')
    await signUp(page, email)
    await expect(heading(page, 'Check your email')).toBeVisible()
    await visit(page, '/login')
    await signIn(page, email, PASSWORD)
    await expect(page.getByRole('alert')).toContainText('Confirm your email address first.')
    await page.getByRole('button', { name: 'Send the link again' }).click()
    await expect(page.getByText('we have sent you an email')).toBeVisible()
  })

  test('returns to the previous page', async ({ page }) => {
    await visit(page, '/travel-advisories?severity_level=critical')
    const login = page.getByRole('banner').getByRole('link', { name: 'Login' })
    await expect(login).toHaveAttribute('href', '/login?returnTo=%2Ftravel-advisories%3Fseverity_level%3Dcritical')
    await login.click()
    await signIn(page, 'member@sample.invalid')
    await expect(page).toHaveURL(at('/travel-advisories?severity_level=critical'))
    await expect(page.getByRole('banner').getByRole('link', { name: 'Dashboard' })).toBeVisible()
    await visit(page, '/login')
    await expect(page).toHaveURL(at('/dashboard'))
  })

  test('never redirects to another site', async ({ page }) => {
    await visit(page, '/login?returnTo=%2F%2Fevil.example')
    await signIn(page, 'member@sample.invalid')
    await expect(page).toHaveURL(at('/dashboard'))
  })

  test('works with an emailed code', async ({ page }) => {
    const email = await newUser(page)
    await page.context().clearCookies()
    await visit(page, '/login/code?returnTo=%2Fcountries')
    await page.getByLabel('Email address').fill(email)
    await page.getByRole('button', { name: 'Send a code' }).click()
    await expect(heading(page, 'Enter the code')).toBeVisible()
    await page.getByLabel('Code').fill('12')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByLabel('Code')).toHaveAccessibleDescription(/Enter the 6-digit code$/)
    await expectOpenToAll(page)
    await stage.mail.mailTo(email)
    const code = stage.mail
      .mailsTo(email)
      .at(-1)!
      .text!.match(/\b\d{6}\b/)![0]
    await page.getByLabel('Code').fill(`${code.slice(0, 3)} ${code.slice(3)}`)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page).toHaveURL(at('/countries'))
  })

  test('works with an emailed link: opening it does nothing, the button signs in once', async ({ page, browser }) => {
    const email = await newUser(page)
    await page.context().clearCookies()
    await visit(page, '/login/code')
    await page.getByLabel('Email address').fill(email)
    await page.getByRole('button', { name: 'Send a link by email' }).click()
    await expect(heading(page, 'Check your email')).toBeVisible()
    const link = await linkTo(email, '/sign-in-link')
    for (const _ of [1, 2]) expect((await fetch(link)).headers.getSetCookie()).toEqual([])
    await page.goto(link)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page).toHaveURL(at('/dashboard'))
    const later = await fresh(browser)
    await later.goto(link)
    await later.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(later.getByRole('alert')).toContainText(/This link (is no longer valid|has already been used)/)
    await later.context().close()
  })
})

test('resetting a forgotten password ends all other sessions', async ({ page, browser }) => {
  const email = await newUser(page)
  const other = await fresh(browser)
  await other.goto(at('/forgot-password'))
  await isAlive(other)
  await other.getByLabel('Email address').fill(email)
  await other.getByRole('button', { name: 'Send link' }).click()
  await expect(other.getByText('we have sent you an email')).toBeVisible()
  await other.goto(await linkTo(email, '/reset-password'))
  await isAlive(other)
  await other.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
  await other.getByLabel('Repeat new password').fill('something else')
  await other.getByRole('button', { name: 'Change password' }).click()
  await expect(other.getByLabel('Repeat new password')).toHaveAccessibleDescription('Passwords do not match')
  await expectOpenToAll(other)
  await other.getByLabel('Repeat new password').fill(NEW_PASSWORD)
  await other.getByRole('button', { name: 'Change password' }).click()
  await expect(other.getByText('Your password has been changed.')).toBeVisible()
  await page.goto(at('/dashboard'))
  await expect(page).toHaveURL(/\/login\?/)
  await expect(page.getByText('Your session has expired')).toBeVisible()
  await isAlive(page)
  await signIn(page, email, PASSWORD)
  await expect(page.getByRole('alert')).toContainText('Wrong email address or password.')
  await signIn(page, email, NEW_PASSWORD)
  await expect(page).toHaveURL(at('/dashboard'))
  await other.context().close()
})

test.describe('guards', () => {
  test('redirect to sign-in and back to the requested page', async ({ page }) => {
    await page.goto(at('/dashboard'))
    await expect(page).toHaveURL(at('/login?returnTo=%2Fdashboard'))
    await isAlive(page)
    await signIn(page, 'traveler@sample.invalid')
    await expect(page).toHaveURL(at('/dashboard'))
  })

  test('show who is signed in and which pages are allowed', async ({ page }) => {
    await visit(page, '/login')
    await signIn(page, 'servant@sample.invalid')
    await expect(page).toHaveURL(at('/admin/coordinator'))
    for (const language of LANGUAGES) {
      const t = texts(language, 'accounts')
      const answer = await page.goto(at(`/admin/settings?lng=${language}`))
      expect(answer!.status()).toBe(403)
      await expect(page).toHaveURL(at('/unauthorized'))
      await expect(heading(page, t('unauthorized_title'))).toBeVisible()
      await expect(page.getByText(t('role_local_servant'))).toBeVisible()
      const links = page.getByRole('main').getByRole('link')
      expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual([
        '/admin/coordinator',
        '/',
        '/support',
      ])
      await expectOpenToAll(page)
    }
  })
})

test.describe('sign-out', () => {
  test('in one tab sends the other tabs to sign-in', async ({ page }) => {
    await visit(page, '/login?returnTo=%2Fadmin%2Fsearch')
    await signIn(page, 'admin@sample.invalid')
    await expect(page).toHaveURL(at('/admin/search'))
    const other = await page.context().newPage()
    await visit(other, '/admin/search')
    await page.evaluate(() => {
      const form = document.createElement('form')
      form.method = 'post'
      form.action = '/logout'
      document.body.append(form)
      form.requestSubmit()
    })
    for (const tab of [page, other]) {
      await expect(tab).toHaveURL(at('/login?ended=signed-out'))
      await expect(tab.getByText('You are signed out')).toBeVisible()
    }
    expect((await page.context().cookies()).filter(({ name }) => name.includes('session'))).toEqual([])
  })

  test('everywhere ends the sessions of other devices', async ({ page, browser }) => {
    const email = await newUser(page)
    const other = await fresh(browser)
    await visit(other, '/login')
    await signIn(other, email, PASSWORD)
    await expect(other).toHaveURL(at('/dashboard'))
    await page.request.post(at('/logout'), { form: { scope: 'global' } })
    for (const device of [page, other]) {
      await device.goto(at('/dashboard'))
      await expect(device).toHaveURL(/\/login\?/)
    }
    await other.context().close()
  })

  test('reports a request that hangs', async ({ page }) => {
    await page.clock.install()
    await visit(page, '/login?returnTo=%2Fadmin%2Fsearch')
    await signIn(page, 'admin@sample.invalid')
    await expect(page).toHaveURL(at('/admin/search'))
    await isAlive(page)
    await page.route('**/api/auth/logout', () => {})
    const sent = page.waitForRequest('**/api/auth/logout')
    await page.evaluate(() => {
      const form = document.createElement('form')
      form.method = 'post'
      form.action = '/logout'
      document.body.append(form)
      form.requestSubmit()
    })
    await sent
    await page.clock.fastForward('00:10')
    await expect(page.getByRole('alert')).toContainText('Sign out timed out')
  })

  test('follows the browser event of an expired session', async ({ page }) => {
    await visit(page, '/login?returnTo=%2Fadmin%2Fsearch')
    await signIn(page, 'admin@sample.invalid')
    await expect(page).toHaveURL(at('/admin/search'))
    await page.context().clearCookies()
    await page.evaluate(
      () => void setTimeout(() => dispatchEvent(new CustomEvent('auth:unauthorized', { cancelable: true }))),
    )
    await expect(page).toHaveURL(at('/login?ended=expired&returnTo=%2Fadmin%2Fsearch'))
    await expect(page.getByText('Your session has expired')).toBeVisible()
  })
})

test.describe('Google', () => {
  test('signs in from the menu on a phone and returns to the page', async ({ page }) => {
    stage.google.user = {
      sub: 'google-ana',
      email: 'ana.google@example.org',
      email_verified: true,
      given_name: 'Ana',
      family_name: 'Cruz',
      name: 'Ana Cruz',
    }
    await page.setViewportSize({ width: 375, height: 800 })
    await visit(page, '/countries')
    await page.locator('header summary').click()
    await page.getByRole('banner').getByRole('link', { name: 'Continue with Google' }).click()
    await expect(page).toHaveURL(at('/countries'))
    await isAlive(page)
    await page.locator('header summary').click()
    await expect(page.getByRole('banner').getByRole('button', { name: 'Logout' })).toBeVisible()
  })

  test('reports a cancelled sign-in and stores nothing', async ({ page }) => {
    stage.google.user = null
    await visit(page, '/login?returnTo=%2Fcountries')
    await page.evaluate(() => localStorage.setItem('sb-old-auth-token', 'x'))
    await page.getByRole('link', { name: 'Continue with Google' }).click()
    await expect(page.getByText('You did not finish signing in with Google')).toBeVisible()
    await expect(page).toHaveURL(at('/login'))
    expect(await page.evaluate(() => Object.keys(localStorage))).not.toContain('sb-old-auth-token')
    await expectOpenToAll(page)
  })
})

test.describe('MCGI Hub', () => {
  test('signs a member in', async ({ page }) => {
    stage.hub.members.ana = { password: 'hub password', user: { firstName: 'Ana', lastName: 'Reyes', mcgiId: 'M-1' } }
    await visit(page, '/login?returnTo=%2Fcountries')
    await page.getByRole('link', { name: 'Continue with MCGI Hub' }).click()
    await expect(heading(page, 'Sign in with MCGI Hub')).toBeVisible()
    await page.getByLabel('MCGI Hub user name').fill('ana')
    await page.getByLabel('Password', { exact: true }).fill('wrong')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByRole('alert')).toContainText('Invalid username or password.')
    await expectOpenToAll(page)
    stage.hub.intercept = (_request, response) => Boolean(response.writeHead(500).end('{}'))
    await page.getByLabel('Password', { exact: true }).fill('hub password')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByRole('alert')).toContainText('MCGI Hub is experiencing technical difficulties.')
    stage.hub.intercept = () => false
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page).toHaveURL(at('/countries'))
  })

  for (const hasScripts of [true, false])
    test(`asks for its second factor if it has one, ${hasScripts ? 'with' : 'without'} scripts`, async ({
      browser,
    }) => {
      const name = `bea-${hasScripts}`
      stage.hub.members[name] = { password: 'hub password', code: '246810', user: { firstName: 'Bea', mcgiId: name } }
      const page = await fresh(browser, hasScripts)
      await page.goto(at('/login/hub'))
      if (hasScripts) await isAlive(page)
      await page.getByLabel('MCGI Hub user name').fill(name)
      await page.getByLabel('Password', { exact: true }).fill('hub password')
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await expect(page.getByText('MCGI Hub needs a code')).toBeVisible()
      const code = page.getByLabel('Authenticator code')
      if (hasScripts) {
        await expect(code).toBeFocused()
        await expectOpenToAll(page)
      } else {
        await expect(page.getByLabel('Password', { exact: true })).toHaveValue('')
        await page.getByLabel('Password', { exact: true }).fill('hub password')
      }
      await code.fill('111111')
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await expect(page.getByRole('main')).toContainText(/Invalid.*2FA code/)
      if (!hasScripts) await page.getByLabel('Password', { exact: true }).fill('hub password')
      await code.fill('246810')
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await expect(page).toHaveURL(at('/dashboard'))
      await page.context().close()
    })
})

test('the second step: required, set up with an authenticator, entered, and replaced by a recovery code', async ({
  page,
  browser,
}) => {
  test.setTimeout(120_000)
  await visit(page, '/login')
  await signIn(page, 'admin@sample.invalid')
  await expect(page).toHaveURL(at('/admin'))
  const changed = await page.request.put(at('/api/admin-operations/settings/accounts.second_factor_for_coordinators'), {
    data: { value: true },
  })
  expect(changed.status()).toBe(200)

  const other = await fresh(browser)
  await visit(other, '/login?returnTo=%2Fadmin%2Fcoordinator%3Ftab%3Da')
  await signIn(other, 'mfa@sample.invalid')
  await expect(heading(other, 'Set up two-step sign-in')).toBeVisible()
  await expect(other.getByText('MFA coordinator')).toBeVisible()
  await expectOpenToAll(other)
  // No admin page opens before the second step.
  await other.goto(at('/admin/coordinator'))
  await expect(other).toHaveURL(at('/two-step?returnTo=%2Fadmin%2Fcoordinator'))
  await isAlive(other)
  await other.getByRole('button', { name: 'Start' }).click()
  await expect(other.getByRole('img', { name: /QR code/ })).toBeVisible()
  await expectOpenToAll(other)
  const secret = (await other.getByText(/^([A-Z2-7]{4} ){3,}[A-Z2-7]{1,4}$/).textContent())!
  const recovery = await other.getByRole('main').getByRole('listitem').allTextContents()
  expect(recovery.length).toBeGreaterThanOrEqual(8)
  await other.getByLabel('Authenticator code').fill('000000')
  await other.getByRole('button', { name: 'Finish and sign in' }).click()
  await expect(other.getByLabel('Authenticator code')).toHaveAccessibleDescription(/Check the code$/)
  await expect(other.getByText(secret)).toBeVisible()
  expect(await other.getByRole('main').getByRole('listitem').allTextContents()).toEqual(recovery)
  await other.getByLabel('Authenticator code').fill(codeOf(secret))
  await other.getByRole('button', { name: 'Finish and sign in' }).click()
  await expect(other).toHaveURL(at('/admin/coordinator'))
  await other.context().close()

  const later = await fresh(browser, false)
  await later.goto(at('/login'))
  await signIn(later, 'mfa@sample.invalid')
  await expect(heading(later, 'Two-step sign-in')).toBeVisible()
  await later.getByText('Use a recovery code instead').click()
  await later.getByLabel('Recovery code').fill('short')
  await later.getByRole('button', { name: 'Continue' }).last().click()
  await expect(later.getByLabel('Recovery code')).toHaveAccessibleDescription(/Check the code$/)
  await later.getByLabel('Recovery code').fill(recovery[0]!)
  await later.getByRole('button', { name: 'Continue' }).last().click()
  await expect(later).toHaveURL(at('/admin/coordinator'))
  await later.context().close()

  const again = await fresh(browser)
  await visit(again, '/login')
  await signIn(again, 'mfa@sample.invalid')
  await expect(heading(again, 'Two-step sign-in')).toBeVisible()
  await expectOpenToAll(again)
  // Each code works once: use the code of the next time step.
  await again.getByLabel('Authenticator code').fill(codeOf(secret, 1))
  await again.getByRole('button', { name: 'Continue' }).first().click()
  await expect(again).toHaveURL(at('/admin/coordinator'))
  await again.context().close()
})

for (const language of LANGUAGES)
  test(`in ${language}: an error is shown in the reader’s language`, async ({ page }) => {
    const t = texts(language, 'accounts')
    const tForms = texts(language, 'forms')
    await visit(page, `/login?lng=${language}`)
    await page.getByLabel(t('identifier')).fill('member@sample.invalid')
    await page.getByLabel(t('password'), { exact: true }).fill(`${SAMPLE_PASSWORD}!`)
    await page.getByRole('button', { name: t('sign_in'), exact: true }).click()
    const sentence = tForms('Wrong email address or password. Check both and try again.')
    await expect(page.getByRole('alert')).toContainText(sentence.split(/(?<=[.])\s/)[0]!)
    await expectOpenToAll(page)
  })
