import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { FAQ_CATEGORIES, referenceOf } from '#shared/content/faq.ts'
import { answerHtml } from './answer-html.ts'
import { shippedFaq } from './faq-loader.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const LANGUAGES = ['en', 'ar'] as const
const LEGAL_PAGES = ['privacy', 'terms', 'support']
const ARABIC_PLURALS = ['zero', 'one', 'two', 'few', 'many', 'other']

/** Existing pages; a text must not link anywhere else. */
const KNOWN_PATHS =
  /^(\/travel-advisories(\/sources)?|\/emergency|\/countries(\/[A-Z]{2})?|\/church-locator|\/travel-faq|\/support|\/privacy-policy|\/terms|\/signup|\/forgot-password|\/login\/code)$/
/** Licence texts, the only external addresses in the legal pages. */
const LICENCE_HOSTS = ['www.nationalarchives.gov.uk', 'open.canada.ca', 'opendatacommons.org']

const faq = (await shippedFaq()).map(({ question, answer, ...entry }) => ({
  ...entry,
  ...{ question_en: question.en, question_ar: question.ar },
  ...{ answer_en: answerHtml(answer.en), answer_ar: answerHtml(answer.ar) },
}))
const slugs = new Set(faq.map((entry) => entry.slug))

describe('travel FAQ', () => {
  test('entries are complete, in a known category, and no category is empty', () => {
    for (const entry of faq) {
      expect(entry.slug).toMatch(/^[a-z0-9-]{2,80}$/)
      expect(FAQ_CATEGORIES).toContain(entry.category)
      expect(Number.isInteger(entry.position)).toBe(true)
      for (const text of [entry.question_en, entry.answer_en, entry.question_ar, entry.answer_ar])
        expect(text.trim(), entry.slug).not.toBe('')
    }
    expect(new Set(faq.map((entry) => entry.category))).toEqual(new Set(FAQ_CATEGORIES))
  })

  test('slugs, positions and questions are unique', () => {
    for (const key of ['slug', 'position', 'question_en', 'question_ar'] as const)
      expect(new Set(faq.map((entry) => entry[key])).size, key).toBe(faq.length)
  })

  test.each(faq)('$slug: plain questions, simple HTML, the same shape in both languages', (entry) => {
    expect(entry.question_en + entry.question_ar).not.toMatch(/[<>&]/)
    for (const answer of [entry.answer_en, entry.answer_ar]) expectWellFormed(answer, ['p', 'ul', 'li', 'a'])
    expect(tagsOf(entry.answer_ar)).toEqual(tagsOf(entry.answer_en))
    expect(linksOf(entry.answer_ar)).toEqual(linksOf(entry.answer_en))
    for (const link of linksOf(entry.answer_en)) expectKnownPath(link)
  })

  test.each(faq)('$slug: each language in its own script and punctuation', (entry) => {
    expect(entry.question_en + entry.answer_en).not.toMatch(/\p{Script=Arabic}/u)
    expectArabic(entry.question_ar)
    expectArabic(withoutTags(entry.answer_ar))
  })

  test('every entry that the portal refers to is shipped, and known as referred to', () => {
    const pages = LEGAL_PAGES.flatMap((page) => LANGUAGES.map((language) => legal(page, language))).join()
    for (const [, slug = ''] of pages.matchAll(/travel-faq#([\w-]+)/g)) expect(referenceOf(slug), slug).toBe('pages')
    const referred = faq.filter(({ slug }) => referenceOf(slug)).map(({ slug }) => slug)
    expect(referred).toEqual(['in-an-emergency', 'passport-lost-or-stolen'])
  })

  test('contains no telephone number', () => {
    for (const entry of faq) expect(withoutTags(entry.answer_en + entry.answer_ar), entry.slug).not.toMatch(/\d{3,}/)
  })
})

describe('content.json', () => {
  const texts = Object.fromEntries(
    LANGUAGES.map((language) => [language, JSON.parse(readText(`public/locales/${language}/content.json`))]),
  ) as Record<(typeof LANGUAGES)[number], Record<string, string>>

  test('has the same keys in both languages, plural forms aside', () => {
    expect([...new Set(Object.keys(texts.ar).map(withoutPlural))]).toEqual([
      ...new Set(Object.keys(texts.en).map(withoutPlural)),
    ])
  })

  test('has every plural form its language requires', () => {
    const counted = new Set(
      Object.keys(texts.en)
        .filter((key) => key !== withoutPlural(key))
        .map(withoutPlural),
    )
    expect(counted.size).toBeGreaterThan(0)
    for (const key of counted) {
      for (const form of ['one', 'other']) expect(texts.en).toHaveProperty(`${key}_${form}`)
      for (const form of ARABIC_PLURALS) expect(texts.ar).toHaveProperty(`${key}_${form}`)
    }
  })

  test('has the same placeholders in both languages', () => {
    for (const [key, text] of Object.entries(texts.ar)) {
      const english = texts.en[key] ?? texts.en[`${withoutPlural(key)}_other`] ?? ''
      // "One question", "two questions": Arabic has separate word forms where English writes the number.
      const saysTheNumber = !/_(zero|one|two)$/.test(key)
      const expected = placeholdersOf(english).filter((name) => saysTheNumber || name !== '{{count}}')
      expect(placeholdersOf(text), key).toEqual(expected)
    }
  })

  test('has no empty text, and uses Arabic punctuation in Arabic', () => {
    for (const [key, text] of Object.entries(texts.en)) expect(text.trim(), key).not.toBe('')
    for (const text of Object.values(texts.ar)) expectArabic(text)
  })

  test('names every FAQ category', () => {
    for (const category of FAQ_CATEGORIES) expect(texts.en).toHaveProperty(`faq_category_${category}`)
  })

  test.each([
    ['faq_title', 'Travel FAQ'],
    ['support_title', 'Support'],
    ['privacy_title', 'Privacy Policy'],
    ['terms_title', 'Terms of Service'],
    ['error_page_title', 'Page Error'],
    ['error_component_title', 'Component Error'],
    ['error_chunk', 'The application is being updated. Please refresh the page to get the latest version.'],
    ['error_network', 'There seems to be a network connectivity issue. Please check your connection and try again.'],
    ['error_unexpected', 'An unexpected error occurred. Our team has been notified and will look into this issue.'],
    ['error_router', 'Unexpected Application Error!'],
    ['try_again', 'Try Again'],
    ['retrying', 'Retrying...'],
    ['go_home', 'Go Home'],
    ['refresh_page', 'Refresh Page'],
    ['report_issue', 'Report Issue'],
    ['error_id', 'Error ID'],
  ])('%s matches the text of the specification', (key, expected) => {
    expect(texts.en[key]).toBe(expected)
  })
})

describe.each(LEGAL_PAGES)('legal page %s', (page) => {
  test('exists in both languages with the same headings, lists and links', () => {
    const [english, arabic] = LANGUAGES.map((language) => legal(page, language)) as [string, string]
    expect(tagsOf(arabic)).toEqual(tagsOf(english))
    expect(linksOf(arabic)).toEqual(linksOf(english))
    expect(tagsOf(english).filter((tag) => tag === 'h2').length).toBeGreaterThan(3)
    expectArabic(withoutTags(arabic.replace(/<span lang="en"[\s\S]*?<\/span>/g, '')))
  })

  test.each(LANGUAGES)('%s: simple HTML, known links, known placeholders', (language) => {
    const html = legal(page, language)
    expectWellFormed(html, ['h2', 'p', 'ul', 'li', 'a', 'span'])
    for (const link of linksOf(html)) {
      if (link.startsWith('https://')) expect(LICENCE_HOSTS).toContain(new URL(link).hostname)
      else if (link !== 'mailto:{{support_email}}') expectKnownPath(link)
    }
    for (const name of placeholdersOf(html)) expect(['{{support_email}}', '{{brand}}', '{{updated}}']).toContain(name)
  })

  test.each(LANGUAGES)('%s: reads correctly when no support address is set', (language) => {
    const html = legal(page, language)
    const without = html.replace(/<span data-if="support_email">[\s\S]*?<\/span>/g, '')
    expect(without).not.toContain('support_email')
    expectWellFormed(without, ['h2', 'p', 'ul', 'li', 'a', 'span'])
    expect(without).not.toMatch(/<(p|li)>\s*<\/\1>/)
  })
})

function readText(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8')
}

function legal(page: string, language: string): string {
  return readText(`web/content/legal/${page}.${language}.html`)
}

/** Only allowed elements and attributes, each closed in the right order. */
function expectWellFormed(html: string, allowed: readonly string[]) {
  const open: string[] = []
  for (const [tag, slash, name = '', attributes = ''] of html.matchAll(/<(\/?)([^\s>]*)([^>]*)>/g)) {
    expect(allowed, tag).toContain(name)
    if (slash) expect(open.pop(), tag).toBe(name)
    else {
      open.push(name)
      expect(attributes, tag).toMatch(attributesOf(name))
    }
  }
  expect(open).toEqual([])
  expect(html.replace(/<[^>]*>/g, '')).not.toMatch(/[<>]|&(?!amp;)/)
}

function attributesOf(name: string): RegExp {
  if (name === 'a') return /^ href="[^"]+"( dir="ltr")?$/
  if (name === 'span') return /^ (data-if="support_email"|lang="en" dir="ltr")$/
  return /^$/
}

function expectKnownPath(link: string) {
  const [page = '', anchor] = link.split('#')
  expect(page).toMatch(KNOWN_PATHS)
  if (anchor !== undefined) {
    expect(page).toBe('/travel-faq')
    expect(slugs).toContain(anchor)
  }
}

/** Arabic letters and punctuation, and digits 0-9 as everywhere in the portal. */
function expectArabic(text: string) {
  expect(text).toMatch(/\p{Script=Arabic}/u)
  expect(text).not.toMatch(/[,;?“”"!]|[\u0660-\u0669\u06f0-\u06f9]/)
}

function tagsOf(html: string): string[] {
  return [...html.matchAll(/<([a-z0-9]+)/g)].map((match) => match[1] ?? '')
}

function linksOf(html: string): string[] {
  return [...html.matchAll(/href="([^"]*)"/g)].map((match) => match[1] ?? '')
}

function withoutTags(html: string): string {
  return html.replace(/<[^>]*>/g, ' ')
}

function placeholdersOf(text: string): string[] {
  return [...new Set(text.match(/\{\{[^}]*\}\}/g) ?? [])].sort()
}

function withoutPlural(key: string): string {
  return key.replace(/_(zero|one|two|few|many|other)$/, '')
}
