/**
 * How much the public is told of a locale. exact: everything it publishes; approximate: city and area; contact_only: the
 * country and a way to write; hidden: nothing, not even that it exists.
 */
export const DISCREET_MODES = ['exact', 'approximate', 'contact_only', 'hidden'] as const
export type DiscreetMode = (typeof DISCREET_MODES)[number]
/** What a public row can have: hidden ones have none. */
export const PUBLIC_MODES = ['exact', 'approximate', 'contact_only'] as const
export type PublicMode = (typeof PUBLIC_MODES)[number]

/** Whether `to` tells more of a church than `from`. */
export const isLooser = (from: DiscreetMode, to: DiscreetMode): boolean =>
  DISCREET_MODES.indexOf(to) < DISCREET_MODES.indexOf(from)
