import { isTestTitle } from './test-title.ts'

interface Cleanable {
  id: string
  title: string
  source_organization: string
}

/** Which of the rules removes an advisory from what the public sees. */
export type Removal = 'test' | 'system' | 'source'

/** 000 §5 and C-23: any one of the rules removes an advisory. An empty list of approved sources removes nothing. */
export function removalOf(advisory: Cleanable, approvedSources: readonly string[]): Removal | null {
  if (isTestEntry(advisory)) return 'test'
  if (isSystemEntry(advisory)) return 'system'
  return isFrom(advisory, approvedSources) ? null : 'source'
}

export const isShown = (advisory: Cleanable, approvedSources: readonly string[]): boolean =>
  removalOf(advisory, approvedSources) === null

/** The ticker has its own source and its own rules (C-22); no source named means all of them. */
export function isShownInTicker(advisory: Cleanable, source: string): boolean {
  return !isTestEntry(advisory) && isFrom(advisory, source ? [source] : [])
}

/** By its title (system messages among them), or by an id in which the word stands alone: 'unit_test_entry' is one, 'protests-in-lima' is not. */
const isTestEntry = ({ id, title }: Cleanable) => isTestTitle(title) || /(?<![a-z0-9])test(?![a-z0-9])/i.test(id)

const isSystemEntry = ({ id }: Cleanable) => id.toLowerCase().includes('mcgi-general')

function isFrom({ source_organization }: Cleanable, organizations: readonly string[]): boolean {
  const name = normal(source_organization)
  return organizations.length === 0 || organizations.some((organization) => normal(organization) === name)
}

const normal = (name: string) => name.trim().toLowerCase().replace(/\s+/g, ' ')
