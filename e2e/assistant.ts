import { type BrowserContextOptions, expect, type Page } from '@playwright/test'
import { isAlive, type Language, texts } from './pages.ts'

export const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true } satisfies BrowserContextOptions

export const DANGER_MESSAGE = 'I am in Dubai. My employer took my passport and locked me in'

/** Opens the assistant and waits for hydration. */
export async function openChat(page: Page, language: Language = 'en') {
  await page.goto(`/ai-chat?lng=${language}`)
  await isAlive(page)
}

export const field = (page: Page) => page.locator('textarea[name=question]')
export const messages = (page: Page) =>
  page
    .getByRole('main')
    .locator('ol > li')
    .filter({ has: page.locator('h2') })

export async function ask(page: Page, question: string) {
  await field(page).fill(question)
  await field(page).press('Enter')
}

/** The last answer, once it is complete. */
export async function answered(page: Page, language: Language = 'en') {
  const t = texts(language, 'assistant')
  await expect(page.getByRole('button', { name: t('stop'), exact: true })).toBeHidden()
  const last = messages(page).last()
  await expect(last.getByRole('button', { name: t('copy') })).toBeVisible()
  return last
}

/** Conversations stored in this browser. */
export const storedConversations = (page: Page) =>
  page.evaluate(() =>
    [localStorage, sessionStorage].flatMap((storage) =>
      Object.keys(storage)
        .filter((key) => key.startsWith('assistant:'))
        .map((key) => storage.getItem(key)!),
    ),
  )
