import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { CONTENT, outboundMessage } from '#server/testing/outbound-message.ts'
import type { MessageContent, OutboundMessage } from '../../outbound-message.ts'
import { mailAddress, mailWriter } from './mime.ts'

const FROM = 'بوابة السفر <portal@church.example>'
const ID = '<abc@church.example>'
const NOW = new Date('2026-11-21T19:00:00Z')
const write = mailWriter(FROM)
const writeText = async (message: OutboundMessage) =>
  (await write(message, mailAddress(message.to)!, ID, NOW)).toString('utf8')
const read = async (message: OutboundMessage) => {
  const raw = await writeText(message)
  return { raw, mail: await PostalMime.parse(raw) }
}
const content = (more: Partial<MessageContent>): MessageContent => ({ ...CONTENT, ...more })

test('each recipient gets the same content with their own values, under the sender’s name', async () => {
  const shared = content({
    subject: 'Leave Peru, {{name}}',
    text: 'Dear {{name}},\n\nflights end tonight. {{name}}{{code}}\n{{code}}',
    html: '<p>Dear <bdi>{{name}}</bdi></p><a href="https://portal.example/x?n={{code}}">Open</a>',
  })
  const { mail: ana } = await read(
    outboundMessage({ content: shared, personal: { name: 'Ana & "Co" <b>', code: 'a=b' } }),
  )
  expect(ana.from).toEqual({ name: 'بوابة السفر', address: 'portal@church.example' })
  expect(ana.subject).toBe('Leave Peru, Ana & "Co" <b>')
  expect(ana.text).toBe('Dear Ana & "Co" <b>,\n\nflights end tonight. Ana & "Co" <b>a=b\na=b\n')
  expect(ana.html).toContain('<bdi>Ana &amp; &quot;Co&quot; &lt;b&gt;</bdi>')
  expect(ana.html).toContain('x?n=a=b"')
  const { mail: reem } = await read(outboundMessage({ content: shared, personal: { name: 'ريم', code: '2' } }))
  expect([reem.subject, reem.text]).toEqual(['Leave Peru, ريم', 'Dear ريم,\n\nflights end tonight. ريم2\n2\n'])
})

test('a recipient can unsubscribe in one click, and the mail is marked as automatic', async () => {
  const { raw, mail } = await read(
    outboundMessage({
      to: 'ana@example.org',
      replyTo: 'ben@example.org',
      unsubscribeUrl: 'https://portal.example/u/abc?x=1',
    }),
  )
  const headers = Object.fromEntries(mail.headers.map(({ key, value }) => [key, value]))
  expect(headers).toMatchObject({
    to: '<ana@example.org>',
    'reply-to': '<ben@example.org>',
    'list-unsubscribe': '<https://portal.example/u/abc?x=1>',
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    'auto-submitted': 'auto-generated',
    'content-language': 'en',
    'message-id': ID,
    date: 'Sat, 21 Nov 2026 19:00:00 +0000',
  })
  expect(raw.match(/^(Date|Message-ID|To|From|Subject):/gim)).toHaveLength(5)
  expect((await read(outboundMessage())).raw).not.toContain('List-Unsubscribe')
})

test('braces are literal where there are no placeholder values', async () => {
  const { mail } = await read(
    outboundMessage({ content: content({ subject: '{{name}}', text: '{{name}}', html: null }) }),
  )
  expect([mail.subject, mail.text, mail.html]).toEqual(['{{name}}', '{{name}}\n', undefined])
})

test('content with a missing placeholder value is not sent', async () => {
  const message = outboundMessage({ content: content({ text: 'Dear {{name}}' }), personal: { toString: 'x' } })
  await expect(writeText(message)).rejects.toThrow('needs "name"')
  const odd = outboundMessage({ content: content({ text: 'Dear {{constructor}}' }), personal: {} })
  await expect(writeText(odd)).rejects.toThrow('needs "constructor"')
})

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.constantFrom(
    'a\r\nBcc: everybody@example.org',
    '\r\n.\r\nMAIL FROM:<x@example.org>',
    '.',
    ' \t ',
    'ع'.repeat(300),
    '='.repeat(100),
    '\ud800',
    '{{name}}',
  ),
)

test('any content yields short ASCII lines, decodes unchanged and cannot inject a header', async () => {
  const usual = headerNames(
    await writeText(outboundMessage({ content: content({ subject: '{{name}}' }), personal: { name: 'x' } })),
  )
  await fc.assert(
    fc.asyncProperty(hostile, hostile, hostile, async (before, value, after) => {
      const text = `${before.replaceAll('{', '')}{{name}}${after.replaceAll('{', '')}`
      const message = outboundMessage({
        content: content({
          subject: `{{name}}${before}`.replaceAll('{{name}}{{', '{{name}}{ {'),
          text,
          html: `<p>{{name}}</p>`,
        }),
        personal: { name: value },
      })
      const { raw, mail } = await read(message)
      expect(raw).toMatch(/^[\t\r\n\x20-\x7e]*$/)
      const body = raw.slice(raw.indexOf('\r\n\r\n'))
      expect(body.split('\r\n').every((line) => line.length <= 76 && !/[\r\n]/.test(line))).toBe(true)
      expect(raw.split('\r\n').every((line) => line.length <= 300 && !/[\r\n]/.test(line))).toBe(true)
      expect(headerNames(raw)).toEqual(usual)
      const meant = text.replace('{{name}}', () => value)
      const lines = (source: string) =>
        source
          .toWellFormed()
          .replace(/\r\n?|\n/g, '\n')
          .replace(/\n+$/, '')
      expect(lines(mail.text!)).toBe(lines(meant))
    }),
    { numRuns: 300 },
  )
})

const headerNames = (raw: string) =>
  raw
    .slice(0, raw.indexOf('\r\n\r\n'))
    .split(/\r\n(?![ \t])/)
    .map((line) => line.slice(0, line.indexOf(':')))

test.each([
  ['ana@example.org', 'ana@example.org'],
  ['ana@bücher.example', 'ana@xn--bcher-kva.example'],
  ['a,b;c@example.org', '"a,b;c"@example.org'],
  ['a"b@example.org', '"a\\"b"@example.org'],
  ['ريم@example.org', 'ريم@example.org'],
  ['nobody', undefined],
  ['@example.org', undefined],
  ['a@', undefined],
  ['a>@example.org', undefined],
  ['a@b\r\nRCPT TO:<c@example.org>', undefined],
  ['a b@example.org', undefined],
])('%j is encoded as %j', (address, written) => {
  expect(mailAddress(address)).toBe(written)
})
