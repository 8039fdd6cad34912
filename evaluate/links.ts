import type { KnownRecords } from './known-records.ts'
import type { RunResult } from './runner.ts'

const ADDRESS = /\b(?:https?:\/\/|www\.|mailto:|javascript:)[^\s)\]>"”]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+/gi
const MARKDOWN_LINK = /(?<!\\)\]\(([^)\s]*)/g

/** Every address in a text, including escaped ones. */
export function linksIn(content: string): string[] {
  const plain = content.replaceAll('\\', '').replace(/[\u2066-\u2069]/g, '')
  const bare = (plain.match(ADDRESS) ?? []).map((address) => address.replace(/[.,;:!?]+$/, ''))
  return [...bare, ...[...content.matchAll(MARKDOWN_LINK)].map(([, target]) => target!)]
}

/** Addresses and phone numbers of actions and citations, and phone numbers in the text, that belong to no record. */
export function unknownLinks({ seen, reply: { metadata } }: RunResult, known: KnownRecords): string[] {
  const { quickActions, citations, danger } = metadata
  return [
    ...quickActions
      .filter(
        ({ action, value }) =>
          (action === 'navigate' && !known.isPath(value)) || (action === 'call' && !known.isDialled(value)),
      )
      .map(({ value }) => value),
    ...quickActions.filter(({ action }) => action === 'send').flatMap(({ value }) => linksIn(value)),
    ...citations.flatMap(({ url }) => (url === null || known.isAddress(url) ? [] : [url])),
    ...(danger?.hotlines ?? []).flatMap(({ phone, url }) => [
      ...(known.isDialled(phone.replace(/[^\d+*#]/g, '')) ? [] : [phone]),
      ...(url === null || known.isAddress(url) ? [] : [url]),
    ]),
    ...seen.flatMap(phonesIn).filter((phone) => !known.holdsPhone(phone.replace(/\D/g, ''))),
  ]
}

/** Runs of digits, or groups of digits after a plus. Nothing else in an answer matches. */
const phonesIn = (content: string) => content.match(/\+\d[\d\s().-]{5,}\d|\b\d{5,}\b/g) ?? []
