import { present } from '#shared/assert.ts'
import type { Language } from '#shared/language.ts'
import type { Site } from '#shared/settings/endpoints.ts'
import { formatDay } from '#web/lib/format.ts'
import { translator } from '#web/lib/i18n.tsx'

const files = import.meta.glob<string>('./legal/*.html', { query: '?raw', import: 'default', eager: true })

/** Date of the last change: update it with every change of a file in legal/. */
const UPDATED = '2026-11-23'
const DEFAULT_BRAND = 'MFA Portal'

export type LegalText = 'privacy' | 'terms' | 'support'

/** A text of web/content/legal with its placeholders filled, and its headings as a table of contents. */
export function legalText(name: LegalText, language: Language, { brand, support_email }: Site) {
  const updated = formatDay(language, UPDATED)
  const values: Record<string, string> = {
    brand: brand === DEFAULT_BRAND ? translator(language, 'common')('brand') : brand,
    support_email,
    updated,
  }
  const sections: { id: string; title: string }[] = []
  const html = present(files[`./legal/${name}.${language}.html`], `the text ${name}`)
    // Sentences with an email address are omitted if none is configured.
    .replace(/<span data-if="support_email">([\s\S]*?)<\/span>/g, support_email ? '$1' : '')
    .replace(/\{\{(\w+)\}\}/g, (_, key: string) => escaped(values[key] ?? ''))
    .replace(/<h2>([\s\S]*?)<\/h2>/g, (_, title: string) => {
      const id = `section-${sections.length + 1}`
      sections.push({ id, title })
      return `<h2 id="${id}">${title}</h2>`
    })
  return { html, sections, updated }
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
