import type { AdvisoryType, Severity } from '#shared/advisories/severity.ts'

/** One advisory as a source gave it, in the portal's own fields. Times are UTC; nothing in it is guessed. */
export interface FeedItem {
  /**
   * Identity inside the source: stays the same while it speaks of the same thing. Standing advice is identified by its
   * countries (countrySetId), events and alerts by the ids their sources give them.
   */
  external_id: string
  /** "Saudi Arabia: Reconsider Travel": who, then the source's short wording. Plain text. */
  title: string
  /** The reason in the source's words, plain text, at most 600 characters, cut at a sentence. */
  description: string
  /** The full text as sanitised HTML with absolute links, or null. */
  detailed_information: string | null
  /** What the source asks people to do, in its order; plain text. */
  recommendations: string[]
  severity_level: Severity
  /** The source itself says act now: leave or depart now, ordered departure, CAP urgency Immediate. */
  is_urgent: boolean
  advisory_type: AdvisoryType
  /** The source's own level, as written: "3", "avoid_all_travel_to_parts", "Orange". */
  original_level: string | null
  /** The source's own words for it: "Level 3: Reconsider Travel". */
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
  /** CAP status; other sources have no such field and are actual. Only actual items are public. */
  status: 'actual' | 'exercise' | 'system' | 'test' | 'draft'
  /** CAP Update and Cancel: the external ids this one replaces or ends. */
  supersedes: string[]
  /** A Cancel: what it supersedes ends and it is itself not in force. */
  is_cancellation: boolean
}

/** What most sources leave open: only those of alerts name places, end what they say, try it out, or take it back. */
export const ADVICE_DEFAULTS = {
  affected_regions: [],
  affected_cities: [],
  effective_date: null,
  expiry_date: null,
  status: 'actual',
  supersedes: [],
  is_cancellation: false,
} satisfies Partial<FeedItem>

/** A document the reading of this one asks for: a country page behind an index, an alert behind a list. */
export interface FollowUp {
  url: string
  external_id: string
  /** When the index says it changed; lets an unchanged page be skipped. */
  changed_at: Date | null
}

/** An entry that is not taken, with the reason for an operator. */
export interface RefusedEntry {
  item: string
  reason: string
  /** Nothing of it stays unknown (it stands there twice, it has left the list): its name keeps nothing in force. */
  isUnderstood?: true
}

/** A document read: every entry in it is an item, a refusal with its reason or a page to follow. */
export interface ParsedFeed {
  items: FeedItem[]
  refused: RefusedEntry[]
  follow: FollowUp[]
  /** By external id: where the page of an entry lies, seen from the document. */
  pages?: ReadonlyMap<string, string>
  /** True when the document lists all that is in force, so that what it lacks has vanished. */
  isComplete: boolean
}

/** The document is not what this source publishes. The message says what it is instead, for an operator. */
export class FeedError extends Error {
  override readonly name = 'FeedError'
}

/** What a reader needs of the countries capability; handed in so that readers stay pure. */
export interface NameResolver {
  /** The ISO code a whole name stands for, or undefined. */
  resolve(name: string): string | undefined
  /** All countries a title or list names ("Cook Islands, Tokelau, and Niue"), and the parts that named none. */
  resolveAll(text: string): { codes: string[]; unresolved: string[] }
  /** Display name in English of an ISO code. */
  nameOf(code: string): string
}

export interface ReadContext {
  countries: NameResolver
  /** Address the document was read from, for relative links; the source's homepage for a file. */
  baseUrl: string
  now: Date
}

/** Turns one document into advisories. Pure: no network, no clock, no database. Throws FeedError. */
export type FeedReader = (document: Uint8Array, context: ReadContext) => ParsedFeed | Promise<ParsedFeed>
