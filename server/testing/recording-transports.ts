import type { Channels } from '#server/delivery/channels.ts'
import type { DeliveryResult } from '#server/delivery/delivery-result.ts'
import type { OutboundMessage, Transport } from '#server/delivery/outbound-message.ts'
import type { MessageChannel } from '#shared/delivery/kinds.ts'

export interface SentMessage extends OutboundMessage {
  channel: MessageChannel
}

/** Transports for every channel that record messages and return scripted results. */
export function recordingTransports(shape: { batch?: number; concurrency?: number } = {}) {
  const { batch = 50, concurrency = 2 } = shape
  const taken: SentMessage[] = []
  const transport = (channel: MessageChannel): Transport => ({
    batch,
    concurrency,
    async send(messages, onResult) {
      for (const message of messages) {
        const entry = { ...message, channel }
        taken.push(entry)
        onResult(message, await recorder.answer(entry))
      }
    },
  })
  const channels: Channels = {
    transports: {
      email: transport('email'),
      sms: transport('sms'),
      push: transport('push'),
      whatsapp: transport('whatsapp'),
    },
    sendsEmail: true,
    unsent: [],
    hasOpenOutbox: false,
    madeUpDomain: undefined,
    close: () => {},
  }
  const recorder = {
    taken,
    takenBy: (channel: MessageChannel) => taken.filter((message) => message.channel === channel),
    /** May be changed during the test. */
    answer: ((message) => ({ status: 'sent', provider: 'test', providerMessageId: `r ${message.id}` })) as (
      message: SentMessage,
    ) => DeliveryResult | Promise<DeliveryResult>,
    channels,
  }
  return recorder
}
