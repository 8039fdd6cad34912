import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, type Page } from '@playwright/test'

export type Language = 'en' | 'ar'
/** The languages of the journeys. Tagalog, the third one of the portal, has a journey of its own. */
export const LANGUAGES: readonly Language[] = ['en', 'ar']

/** One URL for every kind of page, on the sample content. `{advisory}` and the like are replaced by an existing one. */
export const PAGES: Readonly<Record<string, string>> = {
  landing: '/',
  advisories: '/travel-advisories',
  'advisories filtered': '/travel-advisories?search=travel&severity_level=critical',
  'advisories without a match': '/travel-advisories?search=zzzz',
  'advisory open over the list': '/travel-advisories?highlight={advisory}',
  advisory: '/travel-advisories/{advisory}',
  sources: '/travel-advisories/sources',
  countries: '/countries',
  'search results': '/search?q=san',
  'search with a misspelling': '/search?q=dhoa',
  'search without a match': '/search?q=qqqqwwww',
  country: '/countries/HT',
  'country without advisory': '/countries/AQ',
  churches: '/church-locator',
  'churches near a place': '/church-locator?near=Tokyo',
  'no church near': '/church-locator?near=Kushiro',
  'churches without a match': '/church-locator?search=zzzzqqq',
  church: '/church-locator/{church}',
  'group that keeps its place to itself': '/church-locator/{group}',
  assistant: '/ai-chat',
  'promises kept': '/status',
  faq: '/travel-faq',
  'faq found': '/travel-faq?search=passport',
  support: '/support',
  emergency: '/emergency/QA',
  'emergency without a country': '/emergency',
  'emergency in a country without numbers': '/emergency/EG',
  'emergency numbers of all countries': '/emergency/countries?search=korea',
  'emergency of an unknown country': '/emergency/ZZ',
  privacy: '/privacy-policy',
  terms: '/terms',
  'sign in': '/login?returnTo=%2Fcountries',
  'sign in after the session ended': '/login?ended=expired&returnTo=%2Fdashboard',
  'sign in with a code': '/login/code',
  'sign up': '/signup',
  'forgot password': '/forgot-password',
  'new password': '/reset-password?token=abc',
  'confirm address': '/verify-email?token=abc',
  'not found': '/no-such-page',
}

/** The URL of a page, including the language. */
export async function addressOf(base: string, name: keyof typeof PAGES, language?: Language): Promise<string> {
  const url = new URL(await filledIn(base, PAGES[name]!), base)
  if (language) url.searchParams.set('lng', language)
  return url.pathname + url.search
}

async function filledIn(base: string, address: string): Promise<string> {
  if (address.includes('{advisory}')) return address.replace('{advisory}', (await anAdvisory(base)).id)
  if (address.includes('{church}')) return address.replace('{church}', (await aChurch(base)).id)
  return address.includes('{group}') ? address.replace('{group}', (await aChurch(base, 'Chiba')).id) : address
}

export interface KnownChurch {
  id: string
  name: string
}

/** The church most tests use; 'Chiba' finds the group that withholds its location. */
export async function aChurch(base: string, search = 'Shinjuku'): Promise<KnownChurch> {
  const answer = await fetch(`${base}/api/public/locales?search=${search}`)
  const { locales } = (await answer.json()) as { locales: KnownChurch[] }
  return locales[0]!
}

export interface KnownAdvisory {
  id: string
  title: string
}

/** The advisory most tests use: an emergency, so that it is on the first page of the list. */
export async function anAdvisory(base: string, search = 'Haiti', level = 'emergency'): Promise<KnownAdvisory> {
  const answer = await fetch(`${base}/api/public/travel-advisories?severity_level=${level}&search=${search}`)
  const { advisories } = (await answer.json()) as { advisories: KnownAdvisory[] }
  return advisories[0]!
}

/** Opens a page and waits for hydration: before that, links and forms work as without scripts. */
export async function open(page: Page, address: string) {
  await page.goto(address)
  await isAlive(page)
}

/** The style sheets are linked only after hydration; pages without behaviour send no scripts at all. */
export async function isAlive(page: Page) {
  await page.waitForFunction(
    () => document.querySelector('link[rel="stylesheet"]') || !document.querySelector('script[type="module"]'),
  )
}

type Texts = Record<string, string>

/** Interface text from its locale file, for tests that run in each language. */
export function texts(
  language: Language,
  namespace:
    | 'common'
    | 'advisories'
    | 'churches'
    | 'countries'
    | 'content'
    | 'emergency'
    | 'search'
    | 'accounts'
    | 'assistant'
    | 'forms',
) {
  // Every namespace includes the common texts; a page about advisories also shows those of the single one.
  const more =
    { advisories: ['advisory', 'phrases'], churches: ['church', 'localePhrases'] }[namespace as 'churches'] ?? []
  const files = ['common', ...more, namespace].map((name) =>
    path.resolve(import.meta.dirname, `../public/locales/${language}/${name}.json`),
  )
  const known = Object.assign({}, ...files.map((file) => JSON.parse(readFileSync(file, 'utf8')))) as Texts
  return (key: string, values: Texts = {}): string => {
    const text = known[key]
    if (text === undefined) throw new Error(`There is no text ${namespace}.${key} in ${language}.`)
    return text.replace(/\{\{(\w+)\}\}/g, (_, name) => values[name] ?? '')
  }
}

/** Whether an animation is running on the page, or in a part of it. */
export const moves = (page: Page, selector = ':root') =>
  page.evaluate(
    (within) =>
      document
        .getAnimations()
        .some(
          ({ playState, effect }) =>
            playState === 'running' && (effect as KeyframeEffect | null)?.target?.closest(within) !== null,
        ),
    selector,
  )

/** Fails on horizontal overflow and names the elements that cause it. */
export async function expectNoSidewaysScrolling(page: Page) {
  const tooWide = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    const inDialog = [...document.querySelectorAll('dialog[open], dialog[open] > *')].filter(
      (element) => element.scrollWidth > element.clientWidth + 1,
    )
    if (inDialog.length > 0) return inDialog.map(({ outerHTML }) => `in the dialog: ${outerHTML.slice(0, 200)}`)
    if (scrollWidth <= clientWidth) return []
    const isCut = (element: Element | null): boolean =>
      element !== null && (getComputedStyle(element).overflowX !== 'visible' || isCut(element.parentElement))
    const causes = [...document.body.querySelectorAll('*')].filter((element) => {
      const { left, right } = element.getBoundingClientRect()
      return (right > clientWidth + 1 || left < -1) && !isCut(element.parentElement)
    })
    return [`${scrollWidth} px`, ...causes.slice(0, 5).map(({ outerHTML }) => outerHTML.slice(0, 200))]
  })
  expect(tooWide).toEqual([])
}

/** Records how `main` is animated on this page from now on; returns a function that reads the record. */
export async function recordAnimations(page: Page) {
  await page.addInitScript(() => {
    const record: unknown[] = []
    Object.assign(window, { animations: record })
    const { animate } = Element.prototype
    Element.prototype.animate = function (frames, options) {
      if (this.id === 'main') record.push({ frames, ms: typeof options === 'object' ? options.duration : options })
      return animate.call(this, frames, options)
    }
  })
  return () => page.evaluate<unknown[]>('animations')
}
