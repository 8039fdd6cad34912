import type { Channel, Kind } from '#shared/delivery/kinds.ts'

/** What a switch is called in the form. */
export const choiceName = (kind: Kind, channel: Channel) => `${kind}.${channel}`
