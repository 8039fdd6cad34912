import { afterAll, beforeEach, expect, test } from 'vitest'
import { CONTENT, outboundMessage, sendAll } from '#server/testing/outbound-message.ts'
import { startWhatsAppPeer, whatsAppError } from '#server/testing/whatsapp.ts'
import { whatsAppTransport } from './cloud-api.ts'

const peer = await startWhatsAppPeer()
const settings = {
  url: peer.url,
  phoneId: '1063',
  token: 'secret',
  appSecret: undefined,
  verifyToken: undefined,
  template: undefined,
}
const limits = { stepMs: 1_000, wholeMs: 2_000, responseBytes: 1_000 }
const transport = whatsAppTransport(settings, limits)
const templated = whatsAppTransport({ ...settings, template: 'portal_notice' }, limits)
afterAll(async () => {
  transport.close()
  templated.close()
  await peer.close()
})
beforeEach(() => {
  peer.answer = () => 'accept'
  peer.requests.length = 0
})
const to = '+639171234567'
const sendMessage = async (more = {}, by = transport) => (await sendAll(by, [outboundMessage({ to, ...more })]))[0]!

test('posts a message to the configured number in the Cloud API format', async () => {
  expect(await sendMessage()).toMatchObject({
    status: 'sent',
    provider: 'whatsapp',
    providerMessageId: expect.stringMatching(/^wamid/),
  })
  expect(peer.requests).toMatchObject([{ path: '/v23.0/1063/messages', headers: { authorization: 'Bearer secret' } }])
  expect(peer.messages()).toEqual([
    {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to,
      type: 'text',
      text: { body: 'Leave Peru\nFlights end tonight.\nhttps://portal.example/a/1', preview_url: false },
    },
  ])
})

test('with a template the text fills its one placeholder, on one line, and the link stays whole', async () => {
  const short = { title: 'Dear {{name}}', message: 'a\n'.repeat(900), link: 'https://portal.example/a/1' }
  await sendMessage({ content: { ...CONTENT, language: 'ar', short }, personal: { name: 'ريم' } }, templated)
  const [message] = peer.messages() as { template: { components: { parameters: { text: string }[] }[] } }[]
  expect(message).toMatchObject({
    type: 'template',
    template: { name: 'portal_notice', language: { policy: 'deterministic', code: 'ar' } },
  })
  const { text } = message!.template.components[0]!.parameters[0]!
  expect(text).toMatch(/^Dear ريم · a a .*\.\.\. · https:\/\/portal\.example\/a\/1$/)
  expect(text).toHaveLength(1_024)
})

test.each([
  [400, 131026, { isFinal: true, suppression: undefined }],
  [400, 131050, { isFinal: true, suppression: 'opted_out' }],
  [400, 131056, { isFinal: false, isPeerAway: false }],
  [401, 190, { isFinal: false, isPeerAway: true }],
  [429, 130429, { isFinal: false, isPeerAway: true }],
  [500, 131000, { isFinal: false }],
])('a response of %i with code %i', async (status, code, expected) => {
  peer.answer = () => whatsAppError(status, code, 'Why')
  expect(await sendMessage()).toMatchObject({ ...expected, message: `WhatsApp service error: ${status} (${code} Why)` })
})

test.each(['hang', 'reset', 'malformed'] as const)('a response with %s is retried later', async (answer) => {
  peer.answer = () => answer
  expect(await sendMessage()).toMatchObject({ isFinal: false, mayHaveArrived: true })
})

test('an invalid number is not sent to', async () => {
  expect(await sendMessage({ to: '0917' })).toMatchObject({
    isFinal: true,
    suppression: 'invalid',
    message: 'Invalid phone number format',
  })
  expect(peer.requests).toEqual([])
})
