import { inBackground } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'

export type KnownRecords = Awaited<ReturnType<typeof readKnown>>

/** Portal pages that an answer may link to. */
const PORTAL =
  /^\/(?:countries\/[A-Z]{2}|church-locator(?:\/[\da-f-]{36}(?:\/write)?)?(?:\?[^#]*)?|travel-advisories(?:\/sources|\/[\da-f-]{36})?|travel-faq(?:#[\w-]+)?|support|emergency(?:\/[A-Z]{2})?|dashboard|login\?returnTo=%2Fai-chat)$/

/** Everything an answer may mention, read from the database: records, addresses, phone numbers and their texts. */
export async function readKnown(database: Database) {
  const rows = await inBackground(database, 'evaluation', async (db) => ({
    facts: await db.selectFrom('assistant_facts').selectAll().execute(),
    advisories: await db.selectFrom('travel_advisories').selectAll().execute(),
    locales: await db.selectFrom('public_locales').selectAll().execute(),
    faq: await db.selectFrom('faq_entries').selectAll().execute(),
    sources: await db.selectFrom('knowledge_sources').selectAll().execute(),
    pieces: await db.selectFrom('knowledge_chunks').selectAll().execute(),
  }))
  const { facts, advisories, locales, faq, sources, pieces } = rows
  const hotlines = facts.filter(({ kind }) => kind === 'hotline').map(({ value }) => value as Record<string, string>)
  const text = (...values: (string | null | undefined)[]) => values.filter((value): value is string => Boolean(value))
  const records = new Set([
    ...facts.map(({ id }) => `fact:${id}`),
    ...advisories.map(({ id }) => `advisory:${id}`),
    ...locales.map(({ id }) => `locale:${id}`),
    ...faq.map(({ slug }) => `faq:${slug}`),
    ...pieces.map(({ id }) => `page:${id}`),
  ])
  const addresses = new Set([
    ...facts.map(({ source_url }) => source_url),
    ...hotlines.flatMap(({ url }) => text(url)),
    ...locales.flatMap(({ email }) => text(email)),
    ...sources.map(({ page_url }) => page_url),
  ])
  const phones = new Set([...hotlines.flatMap(({ phone }) => text(phone)), ...locales.flatMap((l) => text(l.phone))])
  const dialled = new Set([...phones].map((phone) => phone.replace(/[^\d+*#]/g, '')))
  const names = [
    ...advisories.flatMap((a) => text(a.title, a.source_organization)),
    ...locales.flatMap((l) => text(l.name, l.address_line1, l.city, l.email)),
    ...hotlines.flatMap(({ name }) => text(name)),
    ...facts.map(({ source_title }) => source_title),
    ...sources.map(({ page_title }) => page_title),
    ...faq.flatMap(({ question }) => Object.values(question)),
    ...phones,
  ].toSorted((a, b) => b.length - a.length)
  return {
    isRecord: (record: string) =>
      records.has(record) ||
      /^country:[A-Z]{2}$/.test(record) ||
      (record.startsWith('page:/') && isPath(record.slice(5))),
    isAddress: (address: string) => addresses.has(address) || isPath(address),
    isPath,
    isDialled: (phone: string) => dialled.has(phone),
    /** Whether the digits are part of the phone number of a record, ignoring grouping. */
    holdsPhone: (digits: string) => [...dialled].some((phone) => phone.replace(/\D/g, '').includes(digits)),
    /** Removes names and texts of records, which stay in their own language. */
    withoutNames: (content: string) =>
      names.reduce((left, name) => left.replaceAll(name, ' '), content.replaceAll('\\', '')),
  }
}

const isPath = (path: string) => PORTAL.test(path)
