/**
 * How much of a locale is public. exact: everything it publishes; approximate: city and area; contact_only: the country
 * and a contact form; hidden: nothing, not even that it exists.
 */
export const DISCREET_MODES = ['exact', 'approximate', 'contact_only', 'hidden'] as const
export type DiscreetMode = (typeof DISCREET_MODES)[number]
/** Modes of public rows: hidden locales have none. */
export const PUBLIC_MODES = ['exact', 'approximate', 'contact_only'] as const
export type PublicMode = (typeof PUBLIC_MODES)[number]

/** Whether mode `to` reveals more of a church than `from`. */
export const isLooser = (from: DiscreetMode, to: DiscreetMode): boolean =>
  DISCREET_MODES.indexOf(to) < DISCREET_MODES.indexOf(from)
