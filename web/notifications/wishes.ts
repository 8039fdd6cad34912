import type { Channel, Kind } from '#shared/notifications/kinds.ts'

/** What a switch is called in the form. */
export const choiceName = (kind: Kind, channel: Channel) => `${kind}.${channel}`
