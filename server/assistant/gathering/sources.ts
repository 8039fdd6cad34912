import type { Advisory, AdvisorySource } from '#shared/advisories/endpoints.ts'
import type { Fact } from '#shared/assistant/facts.ts'
import type { FoundLocale } from '#shared/churches/endpoints.ts'
import type { PublicChapter } from '#shared/churches/public-chapters.ts'
import { singleLine } from '../composing/markdown.ts'
import type { Speech } from '../composing/speech.ts'
import type { Source } from '../drafts.ts'
import { isExpired } from '../facts/model.ts'

const PLAIN = { source: null, checked_on: null, changed_on: null, is_expired: false, excerpt: null }
const EXCERPT = 200

/** The portal page about a country. */
export const countrySource = (code: string, speech: Speech): Source => ({
  ...PLAIN,
  record: `country:${code}`,
  kind: 'country',
  title: speech.country(code),
  url: `/countries/${code}`,
})

/** Two separate dates: when the advisory changed, and when its source was last confirmed. */
export const advisorySource = (advisory: Advisory, source: AdvisorySource | undefined): Source => ({
  record: `advisory:${advisory.id}`,
  kind: 'advisory',
  title: singleLine(advisory.title),
  url: `/travel-advisories/${advisory.id}`,
  source: singleLine(advisory.source_organization),
  ...confirmationOf(source),
  changed_on: advisory.last_updated.slice(0, 10),
  excerpt: excerptOf(advisory.original_wording || advisory.description),
})

/** Saved extracts and manually written advisories have no confirmation date. */
function confirmationOf(source: AdvisorySource | undefined): Pick<Source, 'checked_on' | 'is_expired'> {
  if (source?.state === 'confirmed') return { checked_on: dayOf(source.last_success_at), is_expired: false }
  if (source?.state === 'not_confirmed') return { checked_on: dayOf(source.not_confirmed_since), is_expired: true }
  return { checked_on: null, is_expired: source?.state === 'captured' }
}

const dayOf = (instant: string | null) => instant?.slice(0, 10) ?? null

export const factSource = (fact: Fact, now: Date): Source => ({
  record: `fact:${fact.id}`,
  kind: 'fact',
  title: singleLine(fact.source_title),
  url: fact.source_url,
  source: singleLine(fact.source_title),
  checked_on: fact.checked_on,
  changed_on: null,
  is_expired: isExpired(fact, now),
  excerpt: null,
})

export const localeSource = (locale: FoundLocale): Source => ({
  ...PLAIN,
  record: `locale:${locale.id}`,
  kind: 'locale',
  title: singleLine(locale.name),
  url: `/church-locator/${locale.id}`,
  checked_on: locale.confirmed_at?.slice(0, 10) ?? null,
})

export const chapterSource = (chapter: PublicChapter): Source => ({
  ...PLAIN,
  record: `chapter:${chapter.id}`,
  kind: 'chapter',
  title: singleLine(chapter.chapter_name),
  url: '/church-locator',
})

/** A page of the portal itself. */
export const pageSource = (path: string, title: string): Source => ({
  ...PLAIN,
  record: `page:${path}`,
  kind: 'page',
  title,
  url: path,
})

export function excerptOf(text: string, max = EXCERPT): string {
  const line = [...singleLine(text)]
  return line.length <= max
    ? line.join('')
    : `${line
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`
}
