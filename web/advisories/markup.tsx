import { readFileSync } from 'node:fs'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import type { Language } from '#shared/language.ts'
import { LanguageProvider, type Namespace, registerMessages } from '#web/lib/i18n.tsx'

const SITE = {
  brand: 'MFA Portal',
  support_email: '',
  all_advisories_url: 'https://all.example/',
  time_zone: 'UTC',
  public_url: 'https://portal.example',
  has_sample_content: false,
  has_open_outbox: false,
}

for (const language of ['en', 'ar'] as const)
  for (const namespace of ['common', 'advisories', 'advisory'] satisfies Namespace[]) {
    const file = new URL(`../../public/locales/${language}/${namespace}.json`, import.meta.url)
    registerMessages(language, namespace, JSON.parse(readFileSync(file, 'utf8')))
  }

/** Server-rendered markup of a component, for tests. */
export function markupOf(element: ReactNode, language: Language = 'en'): string {
  const Stub = createRoutesStub([
    { id: 'root', path: '*', Component: () => <LanguageProvider language={language}>{element}</LanguageProvider> },
  ])
  const loaderData = { root: { language, user: null, site: SITE } }
  return renderToStaticMarkup(<Stub initialEntries={['/travel-advisories']} hydrationData={{ loaderData }} />)
}

/** The visible text on one line. */
export const textOf = (markup: string): string =>
  markup
    .replace(/<[^>]+>/g, ' ')
    .replace(/&amp;/g, '&')
    .replace(/&#x27;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/\s+/g, ' ')
    .trim()
