interface Cleanable {
  id: string
  title: string
  source_organization: string
}

/** 000 §5 and C-23: any one of the rules removes an advisory. An empty list of approved sources removes nothing. */
export function isShown(advisory: Cleanable, approvedSources: readonly string[]): boolean {
  return !isTest(advisory) && !isSystemEntry(advisory) && isFrom(advisory, approvedSources)
}

/** The ticker has its own source and its own rules (C-22); no source named means all of them. */
export function isShownInTicker(advisory: Cleanable, source: string): boolean {
  return !isTest(advisory) && isFrom(advisory, source ? [source] : [])
}

// Part of a word is never enough (F-05): protests, latest, contested, testing. An underscore separates words here.
const TEST_WORD = /(?<![\p{L}\p{N}])test(?![\p{L}\p{N}])/iu

// Where the word says what is being tested, it is the news itself.
const REAL_TEST =
  /(?<![\p{L}\p{N}])(?:missile|rocket|nuclear|weapons?|ballistic|siren|pcr|covid(?:[- ]?19)?|antigen|antibody|hiv|tb|tuberculosis|medical|drugs?|alcohol|breath|blood|language|driving|rapid|negative|positive)[ -]test(?![\p{L}\p{N}])/giu

/** The whole word "test", alone: "Test advisory", "TEST - ignore", "This is a test". */
function isTest({ id, title }: Cleanable): boolean {
  return TEST_WORD.test(id) || TEST_WORD.test(title.replace(REAL_TEST, ' '))
}

/** "System: maintenance" is one; "Health system: hospitals are full" speaks of the world. */
function isSystemEntry({ id, title }: Cleanable): boolean {
  return id.toLowerCase().includes('mcgi-general') || /^[\s[(]*system\s*:/i.test(title)
}

function isFrom({ source_organization }: Cleanable, organizations: readonly string[]): boolean {
  const name = normal(source_organization)
  return organizations.length === 0 || organizations.some((organization) => normal(organization) === name)
}

const normal = (name: string) => name.trim().toLowerCase().replace(/\s+/g, ' ')
