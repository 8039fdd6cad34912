import { expectOpenToAll } from '../axe.ts'
import { listen } from '../console.ts'
import { PLAIN, sharedPortal } from '../fixtures.ts'
import { LANGUAGES, open } from '../pages.ts'
import { type Browser, expect, test } from '../test.ts'

// Administrators' changes take effect at once.
const { visitor, as, portal } = sharedPortal('serial')

/** The assistant's answer to a visitor without scripts. */
async function answerTo(browser: Browser, question: string) {
  const page = await visitor(browser, PLAIN)
  await page.goto('/ai-chat?lng=en')
  await page.locator('textarea[name=question]').fill(question)
  await page.getByRole('button', { name: 'Send' }).last().click()
  return page.getByRole('main')
}

const NUMBERS = 'Emergency numbers in Fiji'
const WARNING = /last confirmed on January 1, 2020/

test('an administrator writes a fact without scripts; errors are shown, and the assistant uses it at once', async ({
  browser,
}) => {
  const page = await as(browser, 'admin', PLAIN)
  await page.goto('/admin/assistant/facts')
  await page.getByRole('link', { name: 'New fact' }).click()
  await page.getByRole('link', { name: 'Phone number' }).click()
  await page.getByLabel('Type of number').selectOption({ label: 'Migrant helpline' })
  await page.getByLabel('Country', { exact: true }).selectOption({ label: 'Fiji' })
  await page.getByRole('textbox', { name: 'Phone number' }).fill('ask the consul')
  await page.getByLabel('Source name', { exact: true }).fill('Office of the Consul')
  await page.getByLabel('Source link').fill('https://consul.example/fiji')
  await page.getByLabel('Checked on').fill('2020-01-01')
  await page.getByLabel('Valid until').fill('2020-12-31')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Enter a short number or a phone number')).toBeVisible()
  await page.getByRole('textbox', { name: 'Phone number' }).fill('5917')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Fact saved. The assistant uses it from now on.')).toBeVisible()
  const answer = await answerTo(browser, NUMBERS)
  await expect(answer.getByText(/5917/).first()).toBeVisible()
  await expect(answer.getByText(WARNING).first()).toBeVisible()
  await expect(answer.getByRole('link', { name: /Office of the Consul/ })).toHaveAttribute(
    'href',
    'https://consul.example/fiji',
  )
})

test('an overdue fact is listed first; one tap confirms it and removes the warning', async ({ browser }) => {
  const page = await as(browser, 'admin')
  await open(page, '/admin/assistant/facts?status=expired&search=Fiji')
  await page.getByRole('button', { name: /^Confirm details ?: Migrant helpline/ }).click()
  await expect(page.getByText('Fact confirmed today.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No results.' })).toBeVisible()
  const answer = await answerTo(browser, NUMBERS)
  await expect(answer.getByText(/5917/).first()).toBeVisible()
  await expect(answer.getByText(WARNING)).toHaveCount(0)
})

test('the second of two editors sees the conflict, keeps the input and may save anyway', async ({ browser }) => {
  const page = await as(browser, 'admin')
  const other = await as(browser, 'admin')
  for (const tab of [page, other]) {
    await open(tab, '/admin/assistant/facts?search=Fiji')
    await tab.getByRole('link', { name: 'Migrant helpline' }).click()
  }
  await other.getByRole('textbox', { name: 'Phone number' }).fill('5918')
  await other.getByRole('button', { name: 'Save' }).click()
  await expect(other.getByText('Fact saved. The assistant uses it from now on.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Phone number' }).fill('5919')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: 'Someone changed this after you opened it.' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Phone number' })).toHaveValue('5919')
  await page.getByRole('button', { name: 'Overwrite' }).click()
  await expect(page.getByText('Fact saved. The assistant uses it from now on.')).toBeVisible()
  await expect((await answerTo(browser, NUMBERS)).getByText(/5919/).first()).toBeVisible()
  await page.getByRole('link', { name: 'Delete fact' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('Fact deleted. The assistant no longer uses it.')).toBeVisible()
  await expect((await answerTo(browser, NUMBERS)).getByText(/591[789]/)).toHaveCount(0)
})

test('an unanswered question is listed; an uploaded Markdown page answers it and is cited', async ({ browser }) => {
  const question = 'What does the sunflower programme pay for school books?'
  await expect(
    (await answerTo(browser, question)).getByText('I have no confirmed answer to this').first(),
  ).toBeVisible()
  const page = await as(browser, 'admin')
  await open(page, '/admin/assistant?kind=unanswered')
  const row = page.getByRole('row', { name: /sunflower programme/ })
  await expect(row).toContainText('No answer found')
  await row.getByRole('link', { name: 'Add page' }).click()
  await page.getByRole('textbox', { name: 'Page link' }).fill('books.owwa.gov.ph')
  await page.getByLabel('Or a text file').setInputFiles({
    name: 'sunflower.md',
    mimeType: 'text/markdown',
    buffer: Buffer.from('# School books\n\nThe sunflower programme pays for school books up to 90 dollars.'),
  })
  await page.getByRole('button', { name: 'Add page' }).click()
  await expect(page.getByText('Enter a web address that starts with https://').last()).toBeVisible()
  // The file was already read, so it need not be chosen again.
  await expect(page.getByLabel('Text or Markdown')).toHaveValue(/up to 90 dollars/)
  await page.getByRole('textbox', { name: 'Page link' }).fill('https://books.owwa.gov.ph/sunflower')
  await page.getByRole('button', { name: 'Add page' }).click()
  await expect(page.getByText('Page added. The assistant can now quote it.')).toBeVisible()
  await expect(page.getByRole('row', { name: /School books/ })).toContainText('Added as Markdown')
  const answer = await answerTo(browser, question)
  await expect(answer.getByText(/up to 90 dollars/).first()).toBeVisible()
  await expect(answer.getByRole('link', { name: /School books/ }).first()).toHaveAttribute(
    'href',
    'https://books.owwa.gov.ph/sunflower',
  )
  await open(page, '/admin/assistant/knowledge/search')
  await page.getByRole('searchbox', { name: 'Question' }).fill('sunflower books')
  await page.getByRole('main').getByRole('button', { name: 'Search' }).click()
  await expect(page.getByRole('heading', { name: '1 passage found' })).toBeVisible()
  await expect(page.getByText(/^0\.\d\d|^1\.00/)).toBeVisible()
  await open(page, '/admin/assistant')
  await page.getByRole('button', { name: /^Mark as reviewed ?: What does the sunflower/ }).click()
  await expect(page.getByText('Marked as reviewed.')).toBeVisible()
  await expect(page.getByRole('row', { name: /sunflower programme/ })).toHaveCount(0)
})

test('a domain that is not allowed is not read; all pages of a domain are deleted after confirmation', async ({
  browser,
}) => {
  const page = await as(browser, 'admin', PLAIN)
  await page.goto('/admin/assistant/knowledge/new')
  await page.getByRole('textbox', { name: 'Page link' }).fill('https://elsewhere.example/page')
  await page.getByRole('button', { name: 'Add page' }).click()
  await expect(page.getByText('This domain is not on the list of allowed domains')).toBeVisible()
  await page.goto('/admin/assistant/knowledge?search=books.owwa.gov.ph')
  await page.getByRole('link', { name: /^Delete ?: School books/ }).click()
  await page.getByRole('link', { name: /Delete all pages of .books\.owwa\.gov\.ph/ }).click()
  await expect(page.getByRole('heading', { name: /Delete all pages of .books\.owwa\.gov\.ph/ })).toBeVisible()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('All pages of this domain deleted.')).toBeVisible()
})

for (const language of LANGUAGES)
  test(`the assistant’s admin pages are quiet and accessible in ${language}`, async ({ browser }) => {
    test.setTimeout(180_000)
    const page = await as(browser, 'admin')
    const { facts } = (await (
      await page.request.get(`${portal().url}/api/admin/assistant/facts?kind=hotline`)
    ).json()) as {
      facts: { id: string }[]
    }
    await answerTo(browser, 'What does the tulip programme pay?')
    const heard = listen(page, portal().url)
    for (const address of [
      '/admin/assistant',
      '/admin/assistant/facts?kind=hotline',
      '/admin/assistant/facts/new',
      '/admin/assistant/facts/new?kind=requirement&country=JP',
      `/admin/assistant/facts/${facts[0]!.id}?action=delete`,
      '/admin/assistant/knowledge',
      '/admin/assistant/knowledge/new',
      '/admin/assistant/knowledge/search?search=visa',
    ]) {
      await open(page, `${address}${address.includes('?') ? '&' : '?'}lng=${language}`)
      await expectOpenToAll(page)
    }
    expect(heard).toEqual([])
  })
