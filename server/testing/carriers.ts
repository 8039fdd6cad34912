import type { Channels } from '#server/messages/channels.ts'
import type { Carrier, Leaving, Outcome } from '#server/messages/leaving.ts'
import { MESSAGE_CHANNELS, type MessageChannel } from '#shared/notifications/kinds.ts'

export interface Taken extends Leaving {
  channel: MessageChannel
}

/** Carriers of every channel that keep what they are given and say what they are told to say. */
export function recordingCarriers(shape: { batch?: number; lanes?: number } = {}) {
  const { batch = 50, lanes = 2 } = shape
  const taken: Taken[] = []
  const recorder = {
    taken,
    takenBy: (channel: MessageChannel) => taken.filter((message) => message.channel === channel),
    /** Change it while the test goes on. */
    answer: ((message) => ({ status: 'sent', provider: 'test', receipt: `r ${message.id}` })) as (
      message: Taken,
    ) => Outcome | Promise<Outcome>,
    channels: {} as Channels,
  }
  const carrier = (channel: MessageChannel): Carrier => ({
    batch,
    lanes,
    async send(messages, told) {
      for (const message of messages) {
        const one = { ...message, channel }
        taken.push(one)
        told(message, await recorder.answer(one))
      }
    },
  })
  recorder.channels = {
    carriers: Object.fromEntries(MESSAGE_CHANNELS.map((channel) => [channel, carrier(channel)])),
    sendsEmail: true,
    unsent: [],
    hasOpenOutbox: false,
    madeUpDomain: undefined,
    close: () => {},
  } as unknown as Channels
  return recorder
}
