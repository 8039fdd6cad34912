import type { DeliveryResult } from '#server/delivery/delivery-result.ts'
import type { MessageContent, OutboundMessage, Transport } from '#server/delivery/outbound-message.ts'

export const CONTENT: MessageContent = {
  language: 'en',
  subject: 'Leave Peru',
  text: 'Flights end tonight.\n\nhttps://portal.example/travel-advisories/1\n',
  html: '<p>Flights end tonight.</p>',
  short: { title: 'Leave Peru', message: 'Flights end tonight.', link: 'https://portal.example/a/1' },
  push: {
    title: 'Leave Peru',
    body: 'Flights end tonight.',
    url: '/travel-advisories/1',
    tag: 'advisory 1',
    id: 'announcement 1',
  },
}

let made = 0

/** A message ready to send; pass only what the test is about. */
export function outboundMessage(more: Partial<OutboundMessage> = {}): OutboundMessage {
  made += 1
  return {
    id: `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`,
    key: `test ${made}`,
    to: `person-${made}@example.org`,
    replyTo: null,
    content: CONTENT,
    personal: null,
    unsubscribeUrl: null,
    isUrgent: false,
    extras: {},
    ...more,
  }
}

/** Sends messages and returns their results in order. */
export async function sendAll(transport: Transport, messages: OutboundMessage[]): Promise<DeliveryResult[]> {
  const results = new Map<OutboundMessage, DeliveryResult>()
  await transport.send(messages, (message, result) => {
    if (results.has(message)) throw new Error('A result was reported twice')
    results.set(message, result)
  })
  return messages.map((message) => results.get(message)!)
}
