import type { Channel, Kind } from '#shared/delivery/kinds.ts'

/** Name of a switch in the form. */
export const choiceName = (kind: Kind, channel: Channel) => `${kind}.${channel}`
