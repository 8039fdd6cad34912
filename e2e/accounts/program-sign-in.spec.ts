import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SAMPLE_PASSWORD } from '../auth.ts'
import { expectOpenToAll } from '../axe.ts'
import { PLAIN, sharedPortal } from '../fixtures.ts'
import { expect, test } from '../test.ts'

const { portal, as, visitor } = sharedPortal('serial')

/** A program on this device that waits for its code. */
async function startProgram() {
  const verifier = randomBytes(32).toString('base64url')
  const received: URL[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://127.0.0.1')
    if (url.pathname === '/callback') received.push(url)
    response.end('You can close this window.')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const redirect_uri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
  const code_challenge = createHash('sha256').update(verifier).digest('base64url')
  return {
    page: `/authorize?${new URLSearchParams({ code_challenge, redirect_uri, state: 'abc' })}`,
    received,
    verifier,
    close: () => server.close(),
  }
}

for (const options of [{}, PLAIN])
  test(`a program signs in through the browser${'javaScriptEnabled' in options ? ', without scripts' : ''}`, async ({
    browser,
    request,
  }) => {
    test.setTimeout(300_000)
    const program = await startProgram()
    const page = await visitor(browser, options)
    await page.goto(program.page)
    await page.getByLabel('Email address or phone number').fill('traveler@sample.invalid')
    await page.getByLabel('Password', { exact: true }).fill(SAMPLE_PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    // Password hashing has the lowest priority, and takes seconds on a busy machine.
    await expect(page).toHaveURL(/\/authorize\?/, { timeout: 120_000 })
    await expect(page.getByRole('heading', { level: 1, name: 'Let this program use your account?' })).toBeVisible()
    await expect(page).toHaveTitle(/^Allow a program to sign in/)
    await page.getByRole('button', { name: 'Allow access' }).click()
    await page.getByRole('link', { name: 'Go back to the program' }).click()
    await expect(page.getByText('You can close this window.')).toBeVisible()
    const [url] = program.received
    expect(url!.searchParams.get('state')).toBe('abc')
    const data = { grant_type: 'pkce', auth_code: url!.searchParams.get('code'), code_verifier: program.verifier }
    const granted = await (await request.post(`${portal().url}/api/auth/token`, { data })).json()
    const headers = { authorization: `Bearer ${granted.access_token}` }
    const { user } = await (await request.get(`${portal().url}/api/auth/user`, { headers })).json()
    expect(user.email).toBe('traveler@sample.invalid')
    program.close()
  })

test('the question is clear in both languages, as is the answer to an incomplete address', async ({ browser }) => {
  const program = await startProgram()
  for (const [language, question, button, answer, incomplete] of [
    [
      'en',
      'Let this program use your account?',
      'Allow access',
      'The program can now sign in',
      'Part of this address is missing',
    ],
    [
      'ar',
      'السماح لهذا البرنامج باستخدام حسابك؟',
      'السماح بالوصول',
      'يمكن للبرنامج تسجيل الدخول الآن',
      'جزء من هذا العنوان مفقود',
    ],
  ] as const) {
    const page = await as(browser, 'traveler')
    await page.goto(`${program.page}&lng=${language}`)
    await expect(page.getByRole('heading', { level: 1, name: question })).toBeVisible()
    await expectOpenToAll(page)
    await page.getByRole('button', { name: button }).click()
    await expect(page.getByText(answer)).toBeVisible()
    await expectOpenToAll(page)
    for (const address of ['/authorize', program.page.replace('127.0.0.1', 'evil.example')]) {
      const response = await page.goto(address)
      expect(response!.status()).toBe(400)
      await expect(page.getByText(incomplete)).toBeVisible()
      await expect(page.getByRole('button', { name: button })).toHaveCount(0)
    }
    await expectOpenToAll(page)
    await page.context().close()
  }
  program.close()
})
