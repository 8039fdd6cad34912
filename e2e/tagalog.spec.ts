import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { violations } from './axe.ts'
import { sharedPortal } from './fixtures.ts'
import { expectNoSidewaysScrolling, open } from './pages.ts'
import { ROOT } from './portal.ts'
import { type BrowserContextOptions, expect, type Page, test } from './test.ts'

/** A phone that is set to Filipino: nothing is chosen in the portal. */
const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 740 }, locale: 'fil-PH' }

/** The pages and their main heading, by namespace and key. */
const PAGES = {
  '/': ['countries', 'question'],
  '/travel-advisories': ['advisories', 'page_title'],
  '/countries/JP': undefined,
  '/emergency/QA': undefined,
  '/church-locator': ['churches', 'page_title'],
  '/travel-faq': ['content', 'faq_title'],
  '/signup': ['accounts', 'create_account'],
  '/login': ['accounts', 'sign_in'],
} as const

const { visitor, as } = sharedPortal()

test('on a phone set to Filipino, the main public pages are in Tagalog, fit, and are accessible', async ({
  browser,
}) => {
  const page = await visitor(browser, PHONE)
  for (const [address, title] of Object.entries(PAGES))
    await test.step(address, async () => {
      await open(page, address)
      await expectTagalog(page)
      if (title) await expect(page.getByRole('heading', { level: 1 })).toHaveText(textsOf('tl', title[0])[title[1]]!)
    })
})

test('the dashboard is in Tagalog, and the administration in English for the same reader', async ({ browser }) => {
  const page = await as(browser, 'admin', PHONE)
  await open(page, '/dashboard')
  await expectTagalog(page)
  await open(page, '/admin')
  await expect(page.locator(':root')).toHaveAttribute('lang', 'en')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(textsOf('en', 'admin').overview_title!)
  const shown = await shownOn(page)
  expect(sentencesOf('tl').filter((sentence) => shown.includes(sentence))).toEqual([])
  await expectNoSidewaysScrolling(page)
  // Back among the pages of travellers, the language is the reader's again.
  await open(page, '/travel-faq')
  await expect(page.locator(':root')).toHaveAttribute('lang', 'fil')
})

async function expectTagalog(page: Page) {
  await expect(page.locator(':root')).toHaveAttribute('lang', 'fil')
  await expect(page.locator(':root')).toHaveAttribute('dir', 'ltr')
  const others = page.getByRole('navigation', { name: textsOf('tl', 'common').language!, exact: true }).first()
  await expect(others.getByRole('link')).toHaveText(['English', 'العربية'])
  await expectNoSidewaysScrolling(page)
  expect(await violations(page)).toEqual([])
  const shown = await shownOn(page)
  expect(sentencesOf('en').filter((sentence) => shown.includes(sentence))).toEqual([])
}

/** What the page says to readers and listeners in its own language; what sources wrote is marked by its language. */
const shownOn = (page: Page) =>
  page.evaluate(() => {
    const body = document.body.cloneNode(true) as HTMLElement
    for (const foreign of body.querySelectorAll('[lang], script, style, noscript')) foreign.remove()
    const labels = [...body.querySelectorAll('[aria-label], [placeholder], [title]')].flatMap((element) =>
      ['aria-label', 'placeholder', 'title'].map((name) => element.getAttribute(name) ?? ''),
    )
    return [body.textContent, ...labels].join('\n').replace(/\s+/g, ' ')
  })

const FOLDER = path.join(ROOT, 'public/locales')
const NAMESPACES = readdirSync(path.join(FOLDER, 'tl')).map((file) => path.basename(file, '.json'))

const textsOf = (language: 'en' | 'tl', namespace: string): Record<string, string> =>
  JSON.parse(readFileSync(path.join(FOLDER, language, `${namespace}.json`), 'utf8'))

/** Names stay what they are. */
const NAMES = ['Migrant Workers Office']

/** The questions that the portal comes with. */
const FAQ = JSON.parse(readFileSync(path.join(ROOT, 'server/content/faq.json'), 'utf8')) as {
  question: { en: string; tl: string }
}[]

const allTexts = (language: 'en' | 'tl') => [
  ...NAMESPACES.flatMap((name) => Object.values(textsOf(language, name))),
  ...FAQ.map(({ question }) => question[language]),
]

/** Texts of several words in this language that no text of the other language contains. */
function sentencesOf(language: 'en' | 'tl'): string[] {
  const other = allTexts(language === 'en' ? 'tl' : 'en').join('\n')
  return allTexts(language)
    .flatMap((text) => text.split(/\{\{\w+\}\}/))
    .map((part) => part.trim())
    .filter((part) => part.length > 10 && /\S \S/.test(part) && !other.includes(part) && !NAMES.includes(part))
}
