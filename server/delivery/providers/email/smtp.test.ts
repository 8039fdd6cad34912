import { afterAll, beforeEach, expect, test } from 'vitest'
import { CONTENT, outboundMessage, sendAll } from '#server/testing/outbound-message.ts'
import { startMailPeer } from '#server/testing/smtp.ts'
import { mailTransport } from './smtp.ts'

const from = 'MFA <portal@church.example>'
const peer = await startMailPeer()
const transport = mailTransport([{ url: peer.url, from }])
afterAll(async () => {
  transport.close()
  await peer.close()
})
beforeEach(() => {
  peer.receive = () => 'accept'
  peer.mails.length = 0
})

test('a thousand messages arrive once each, one recipient each, over at most twenty connections', async () => {
  const before = peer.connections
  const content = { ...CONTENT, text: 'Dear {{name}}, .\n.\nflights end tonight.' }
  const messages = Array.from({ length: 1_000 }, (_, n) =>
    outboundMessage({ content, personal: { name: `Reader ${n}` } }),
  )
  const results = await sendAll(transport, messages)
  expect(results.every((result) => 'status' in result && result.status === 'sent')).toBe(true)
  expect(peer.connections - before).toBeLessThanOrEqual(20)
  expect(new Set(peer.mails.map(({ recipient }) => recipient)).size).toBe(1_000)
  expect(peer.mailsTo(messages[7]!.to)).toMatchObject([{ text: 'Dear Reader 7, .\n.\nflights end tonight.\n' }])
})

test('a rejected recipient does not delay others, and a nonexistent address is not retried', async () => {
  peer.receive = (to) => (to.startsWith('nobody') ? 'refuse' : to.startsWith('later') ? 'delay' : 'accept')
  const names = ['nobody', 'ana', 'later', 'ben', 'nobody2', 'carla']
  const results = await sendAll(
    transport,
    names.map((name) => outboundMessage({ to: `${name}@example.org` })),
  )
  const refused = {
    isFinal: true,
    suppression: 'bounced',
    isPeerAway: false,
    message: expect.stringContaining('5.1.1'),
  }
  const sent = { status: 'sent', provider: 'smtp' }
  const delayed = { isFinal: false, isPeerAway: false, suppression: undefined }
  expect(results).toMatchObject([refused, sent, delayed, sent, refused, sent])
})

test('a rejected message suppresses no address, an invalid address is suppressed', async () => {
  peer.receive = () => 'spam'
  expect(
    await sendAll(transport, [outboundMessage(), outboundMessage({ to: 'a@b\r\nRCPT TO:<c@example.org>' })]),
  ).toMatchObject([
    { isFinal: true, suppression: undefined },
    { isFinal: true, suppression: 'invalid', message: 'Invalid email address' },
  ])
})

test('content with a missing value fails for good, other messages are sent', async () => {
  const content = { ...CONTENT, text: 'Dear {{name}}' }
  const results = await sendAll(transport, [
    outboundMessage({ content, personal: {} }),
    outboundMessage({ content, personal: { name: 'Ana' } }),
  ])
  expect(results).toMatchObject([{ isFinal: true, message: expect.stringContaining('"name"') }, { status: 'sent' }])
})

test('messages are retried after a disconnect; the one being sent may have arrived', async () => {
  peer.receive = () => 'close'
  expect(await sendAll(transport, [outboundMessage()])).toMatchObject([
    { isFinal: false, isPeerAway: true, mayHaveArrived: false },
  ])
  peer.receive = () => 'cut'
  expect(await sendAll(transport, [outboundMessage()])).toMatchObject([
    { isFinal: false, isPeerAway: true, mayHaveArrived: true },
  ])
  expect(peer.mails).toHaveLength(1)
  peer.receive = () => 'accept'
  expect(await sendAll(transport, [outboundMessage()])).toMatchObject([{ status: 'sent' }])
})

test('a pooled connection that was closed meanwhile is replaced at once', async () => {
  const own = await startMailPeer()
  const over = mailTransport([{ url: own.url, from }])
  expect(await sendAll(over, [outboundMessage()])).toMatchObject([{ status: 'sent' }])
  await own.close()
  const again = await startMailPeer(own.port)
  expect(await sendAll(over, [outboundMessage()])).toMatchObject([{ status: 'sent' }])
  over.close()
  await again.close()
  const began = Date.now()
  const messages = Array.from({ length: 200 }, () => outboundMessage())
  const results = await sendAll(over, messages)
  expect(results.every((result) => 'isPeerAway' in result && result.isPeerAway && !result.mayHaveArrived)).toBe(true)
  // Shorter than the timeout of one connection, so none waited for the silent server.
  expect(Date.now() - began).toBeLessThan(10_000)
})

test('an urgent message does not wait behind a long batch', async () => {
  peer.receive = () => ({ after: 20 })
  const bulk = Array.from({ length: 400 }, () => outboundMessage())
  const long = sendAll(transport, bulk)
  await new Promise((wait) => setTimeout(wait, 60))
  const urgent = outboundMessage({ isUrgent: true })
  await sendAll(transport, [urgent])
  expect(peer.mails.findIndex(({ recipient }) => recipient === urgent.to)).toBeLessThan(200)
  await long
})

test('while the first server is away the second takes over, and the first one’s rejections are final', async () => {
  const first = await startMailPeer()
  await first.close()
  const both = mailTransport([
    { url: first.url, from },
    { url: peer.url, from, name: 'smtp-2' },
  ])
  const results = await sendAll(
    both,
    Array.from({ length: 100 }, () => outboundMessage()),
  )
  for (const result of results) expect(result).toMatchObject({ status: 'sent', provider: 'smtp-2' })
  expect(peer.mails).toHaveLength(100)
  both.close()
  const back = await startMailPeer(first.port)
  back.receive = () => 'refuse'
  const again = mailTransport([
    { url: back.url, from },
    { url: peer.url, from, name: 'smtp-2' },
  ])
  expect(await sendAll(again, [outboundMessage()])).toMatchObject([{ isFinal: true, provider: 'smtp' }])
  expect(peer.mails).toHaveLength(100)
  again.close()
  await back.close()
})
