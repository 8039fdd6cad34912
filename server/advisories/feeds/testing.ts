import { existsSync, readFileSync } from 'node:fs'
import { createCountries } from '#server/countries/reference.ts'
import type { FeedItem, ParsedFeed, ReadContext } from './feed.ts'

const SHARED_DATA = new URL('../../../../shared/data/', import.meta.url)
const FIXTURES = new URL('../../../fixtures/advisories/', import.meta.url)

/** A file of fixtures/advisories. */
export function fixture(path: string): Uint8Array {
  return readFileSync(new URL(path, FIXTURES))
}

/** A file of the larger collection that may exist beside the repository; check hasSharedData first. */
export function sharedData(path: string): Uint8Array {
  return readFileSync(new URL(path, SHARED_DATA))
}

export const hasSharedData = existsSync(new URL('adversarial/README.md', SHARED_DATA))

export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

export function context(baseUrl: string, now = '2026-09-28T12:00:00Z'): ReadContext {
  return { countries: createCountries(), baseUrl, now: new Date(now) }
}

/** How many entries of a document became items, pages to follow or refusals; the sum is all of its entries. */
export function counts({ items, rejected, follow }: ParsedFeed) {
  return { items: items.length, rejected: rejected.length, follow: follow.length }
}

const TAGS = /^(p|ul|ol|li|h3|h4|strong|em|a|table|thead|tbody|tfoot|tr|td|th|caption|blockquote|br)$/
const ATTRIBUTES = /^( (href="[^"<>]*"|rel="noopener noreferrer"|(col|row)span="\d\d?"|scope="(row|col)(group)?"))*$/

/**
 * Parts of a piece of HTML that could run, load or restyle something, or are not plain markup; empty when it is
 * harmless.
 */
export function harmIn(html: string): string[] {
  const harm: string[] = []
  // Every "<" must begin a tag of the allow-list: a browser can then see no others.
  for (const [start] of html.matchAll(/<[^>]*>?/g)) {
    const [, tag, attributes] = /^<\/?([a-z0-9]+)((?: [^>]*)?)>$/.exec(start) ?? []
    if (!tag || !TAGS.test(tag) || !ATTRIBUTES.test(attributes!)) harm.push(start)
    const href = /href="([^"]*)"/.exec(attributes ?? '')?.[1]
    if (href !== undefined && !/^(https?:\/\/|mailto:|tel:)/.test(href)) harm.push(`link ${href}`)
  }
  return [...harm, ...hiddenCharacters(html)]
}

/**
 * Parts of an item that could harm a page showing it: plain fields must hold no markup, addresses must be web
 * addresses.
 */
export function harmInItem(item: FeedItem): string[] {
  const { detailed_information, source_url, external_id, country_codes, ...rest } = item
  const texts = Object.values(rest)
    .flat()
    .filter((value) => typeof value === 'string')
  return [
    ...harmIn(detailed_information ?? ''),
    ...texts.flatMap((text) => [...(text.match(/<[a-z/!?][^>]*>?/gi) ?? []), ...hiddenCharacters(text)]),
    ...(/^https?:\/\//.test(source_url) ? [] : [`source ${source_url}`]),
    ...(country_codes.every((code) => /^[A-Z]{2}$/.test(code)) ? [] : [`countries ${country_codes}`]),
    ...(item.description.length > 600 ? ['long description'] : []),
    ...hiddenCharacters(external_id),
  ]
}

/** The same for a whole parsed document, including the refusals an operator reads in a terminal. */
export function harmInFeed({ items, rejected, follow }: ParsedFeed): string[] {
  return [
    ...items.flatMap(harmInItem),
    ...rejected.flatMap(({ item, reason }) => hiddenCharacters(item + reason)),
    ...follow.filter(({ url }) => !url.startsWith('https://www.gov.uk/api/content/')).map(({ url }) => `page ${url}`),
  ]
}

function hiddenCharacters(text: string): string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return text.match(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g) ?? []
}
