import type { NameResolver } from '#server/countries/name-resolver.ts'
import type { AdvisoryType, Severity } from '#shared/advisories/severity.ts'

/** One advisory as its source published it, in the portal's own fields. Times are UTC; nothing is guessed. */
export interface FeedItem {
  /**
   * Identity within the source, stable while it is about the same thing. Standing advice is identified by its countries
   * (countrySetId), events and alerts by their source's ids.
   */
  external_id: string
  /** "Saudi Arabia: Reconsider Travel": the country, then the source's short wording. Plain text. */
  title: string
  /** The source's reason, plain text, at most 600 characters, cut at a sentence end. */
  description: string
  /** The full text as sanitised HTML with absolute links, or null. */
  detailed_information: string | null
  /** The source's recommendations, in its order; plain text. */
  recommendations: string[]
  severity_level: Severity
  /** The source itself calls for immediate action: leave or depart now, ordered departure, CAP urgency Immediate. */
  is_urgent: boolean
  advisory_type: AdvisoryType
  /** The source's own level, as written: "3", "avoid_all_travel_to_parts", "Orange". */
  original_level: string | null
  /** The source's label for it: "Level 3: Reconsider Travel". */
  original_wording: string
  /** ISO codes, resolved by name and never from a code of another scheme. */
  country_codes: string[]
  /** Names that did not resolve, verbatim. */
  unresolved_countries: string[]
  affected_regions: string[]
  affected_cities: string[]
  effective_date: Date | null
  expiry_date: Date | null
  last_updated: Date
  date_precision: 'day' | 'minute'
  source_url: string
  /** Language of the text, BCP 47: 'en', 'de', 'fr'. */
  language: string
  /** CAP status; items of other sources are actual. Only actual items are public. */
  status: 'actual' | 'exercise' | 'system' | 'test' | 'draft'
  /** CAP Update and Cancel: external ids this item replaces or ends. */
  supersedes: string[]
  /** A Cancel: ends the items it supersedes and is not in force itself. */
  is_cancellation: boolean
}

/** Defaults for fields most sources lack: only alerts have areas, an expiry, a test status or references. */
export const ADVICE_DEFAULTS = {
  affected_regions: [],
  affected_cities: [],
  effective_date: null,
  expiry_date: null,
  status: 'actual',
  supersedes: [],
  is_cancellation: false,
} satisfies Partial<FeedItem>

/** A document needed to complete this one: a country page behind an index, an alert behind a list. */
export interface FollowUp {
  url: string
  external_id: string
  /** When the index says it changed, so that an unchanged page can be skipped. */
  changed_at: Date | null
}

/** An entry that is not imported, with the reason for an operator. */
export interface RejectedEntry {
  item: string
  reason: string
  /** The entry is fully accounted for (a duplicate, or taken off the list): its name keeps nothing in force. */
  isUnderstood?: true
}

/** A parsed document: every entry is an item, a refusal with its reason or a page to follow. */
export interface ParsedFeed {
  items: FeedItem[]
  rejected: RejectedEntry[]
  follow: FollowUp[]
  /** By external id: the address of an entry's page, as given by the document. */
  pages?: ReadonlyMap<string, string>
  /** True when the document lists everything in force, so that an entry it lacks has vanished. */
  isComplete: boolean
}

/** The document is not what this source publishes. The message tells an operator what it is instead. */
export class FeedError extends Error {
  override readonly name = 'FeedError'
}

export interface ReadContext {
  countries: NameResolver
  /** Address the document was read from, for relative links; the source's homepage for a file. */
  baseUrl: string
  now: Date
}

/** Parses one document into advisories. Pure: no network, no clock, no database. Throws FeedError. */
export type FeedReader = (document: Uint8Array, context: ReadContext) => ParsedFeed | Promise<ParsedFeed>

/** What a title is about: the text before its first colon. */
export const nameInTitle = (title: string): string => title.replace(/:.*$/s, '')
