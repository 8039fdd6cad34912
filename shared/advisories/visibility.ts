import { isTestTitle } from './test-title.ts'

interface Cleanable {
  id: string
  title: string
  source_organization: string
}

/** The rule that hides an advisory from the public. */
export type Removal = 'test' | 'system' | 'source'

/** 000 §5 and C-23: any single rule removes an advisory. An empty list of approved sources removes nothing. */
export function removalOf(advisory: Cleanable, approvedSources: readonly string[]): Removal | null {
  if (isTestEntry(advisory)) return 'test'
  if (isSystemEntry(advisory)) return 'system'
  return isFrom(advisory, approvedSources) ? null : 'source'
}

export const isShown = (advisory: Cleanable, approvedSources: readonly string[]): boolean =>
  removalOf(advisory, approvedSources) === null

/** The ticker has its own source and rules (C-22); an empty source means all sources. */
export function isShownInTicker(advisory: Cleanable, source: string): boolean {
  return !isTestEntry(advisory) && isFrom(advisory, source ? [source] : [])
}

/**
 * Matches by title (including system messages), or by an id with "test" as a separate word: 'unit_test_entry' matches,
 * 'protests-in-lima' does not.
 */
const isTestEntry = ({ id, title }: Cleanable) => isTestTitle(title) || /(?<![a-z0-9])test(?![a-z0-9])/i.test(id)

const isSystemEntry = ({ id }: Cleanable) => id.toLowerCase().includes('mcgi-general')

function isFrom({ source_organization }: Cleanable, organizations: readonly string[]): boolean {
  const name = normal(source_organization)
  return organizations.length === 0 || organizations.some((organization) => normal(organization) === name)
}

const normal = (name: string) => name.trim().toLowerCase().replace(/\s+/g, ' ')
