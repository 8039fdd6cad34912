import { afterAll, expect, test } from 'vitest'
import { contractSchema, startPrism } from '#server/testing/contracts.ts'
import { CONTENT, outboundMessage, sendAll } from '#server/testing/outbound-message.ts'
import { startTwilioPeer } from '#server/testing/twilio.ts'
import { startWhatsAppPeer } from '#server/testing/whatsapp.ts'
import { smsTransport } from './sms/twilio.ts'
import { whatsAppTransport } from './whatsapp/cloud-api.ts'

const [twilio, whatsApp] = await Promise.all([startTwilioPeer(), startWhatsAppPeer()])
afterAll(() => Promise.all([twilio.close(), whatsApp.close()]))

const ACCOUNT = `AC${'a'.repeat(32)}`
const SERVICE = `MG${'b'.repeat(32)}`
const callback = () => 'https://portal.example/api/hooks/sms/sms/status'
const twilioAt = (url: string, from = '+15005550006') =>
  smsTransport([{ name: 'sms', url, account: ACCOUNT, token: 'x', from }], callback)
const whatsAppAt = (url: string, template?: string) =>
  whatsAppTransport({ url, phoneId: '1063', token: 'x', appSecret: undefined, verifyToken: undefined, template })
const messages = () => [
  outboundMessage({ to: '+14155552345' }),
  outboundMessage({
    to: '+14155552345',
    content: { ...CONTENT, language: 'ar', short: { title: '', message: 'مرحبا', link: null } },
  }),
]

test('text message requests conform to Twilio’s OpenAPI document', async () => {
  const path = ['paths', '/2010-04-01/Accounts/{AccountSid}/Messages.json', 'post']
  const form = contractSchema('twilio', [
    ...path,
    'requestBody',
    'content',
    'application/x-www-form-urlencoded',
    'schema',
  ])
  const account = contractSchema('twilio', [...path, 'parameters', '0', 'schema'])
  await sendAll(twilioAt(twilio.url), messages())
  await sendAll(twilioAt(twilio.url, SERVICE), messages())
  expect(twilio.requests).toHaveLength(4)
  for (const [at, text] of twilio.texts().entries()) {
    expect(form.parse(text)).toEqual(text)
    expect(account.parse(twilio.requests[at]!.path.split('/')[3])).toBe(ACCOUNT)
  }
  expect(form.safeParse({ Body: 'without a number' }).success).toBe(false)
  expect(form.safeParse({ To: '+1', MessagingServiceSid: 'MG1' }).success).toBe(false)
  expect(account.safeParse('AC1').success).toBe(false)
})

test('parses Twilio’s responses: its own examples and those of the test peer', async () => {
  const answer = contractSchema('twilio', ['components', 'schemas', 'api.v2010.account.message'])
  const [text] = messages()
  twilio.answer = () => 'accept'
  const results = await sendAll(twilioAt(twilio.url), [text!])
  expect(results).toMatchObject([{ status: 'sent' }])
  const { providerMessageId } = results[0] as { providerMessageId: string }
  expect(answer.safeParse({ sid: providerMessageId, status: 'queued', error_code: null }).success).toBe(true)
  expect(answer.safeParse({ sid: 'SM1' }).success).toBe(false)
})

test('WhatsApp requests conform to the Cloud API’s OpenAPI document', async () => {
  const schemas = ['components', 'schemas']
  const text = contractSchema('whatsapp', [...schemas, 'TextMessage'])
  const template = contractSchema('whatsapp', [...schemas, 'TemplateMessage'])
  const body = contractSchema('whatsapp', [...schemas, 'BodyComponent'])
  const parameter = contractSchema('whatsapp', [...schemas, 'TextParameter'])
  await sendAll(whatsAppAt(whatsApp.url), messages())
  for (const message of whatsApp.messages()) expect(text.safeParse(message).error).toBeUndefined()
  whatsApp.requests.length = 0
  await sendAll(whatsAppAt(whatsApp.url, 'portal_notice'), messages())
  for (const message of whatsApp.messages() as any[]) {
    expect(template.safeParse(message).error).toBeUndefined()
    const [component] = message.template.components
    expect(body.safeParse(component).error).toBeUndefined()
    expect(parameter.safeParse(component.parameters[0]).error).toBeUndefined()
  }
  expect(whatsApp.requests).toHaveLength(2)
  expect(text.safeParse({ messaging_product: 'whatsapp', to: '+1', type: 'text' }).success).toBe(false)
  expect(template.safeParse({ ...(whatsApp.messages()[0] as object), template: {} }).success).toBe(false)
})

test.skipIf(!process.env.PRISM_CLI)(
  'Prism, serving both documents, accepts the requests',
  { timeout: 60_000 },
  async () => {
    const [sms, whatsapp] = await Promise.all([startPrism('twilio'), startPrism('whatsapp')])
    try {
      const sent = [{ status: 'sent' }, { status: 'sent' }]
      expect(await sendAll(twilioAt(sms.url), messages())).toMatchObject(sent)
      expect(await sendAll(twilioAt(sms.url, SERVICE), messages())).toMatchObject(sent)
      expect(await sendAll(whatsAppAt(whatsapp.url), messages())).toMatchObject(sent)
      expect(await sendAll(whatsAppAt(whatsapp.url, 'portal_notice'), messages())).toMatchObject(sent)
    } finally {
      sms.stop()
      whatsapp.stop()
    }
  },
)
