import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import { isPublicAddress } from '#server/http/public-address.ts'
import { present } from '#shared/assert.ts'
import { DeliveryError, type DeliveryResult } from '../../delivery-result.ts'
import type { MessageContent, OutboundMessage, Transport } from '../../outbound-message.ts'
import { fillText } from '../../templates/placeholders.ts'
import { type ClosableTransport, inBatches } from '../batch-transport.ts'
import { createHttpClient, type HttpClientOptions, type HttpResponse } from '../http-client.ts'
import { MAX_PUSH_BYTES } from './encryption.ts'
import { createEncrypter } from './encryption-pool.ts'
import type { Browser, Browsers } from './push-subscriptions.ts'
import { type PushKeys, pushSigner } from './vapid.ts'

const provider = 'push'
const AT_ONCE = 48
const TTL = String(86_400)
/** An unreachable push service is skipped this long. */
const AWAY_MS = 30_000

export interface PushDeps {
  browsers: Browsers
  /** Loaded when the first message is sent. */
  keys: () => Promise<PushKeys>
  /** Contact for push services in case of problems: mailto: or https:. */
  contact: string
  allowsPrivate: boolean
  limits?: HttpClientOptions['limits']
}

/** Sends to all browsers of a user, through the push service named by each subscription (RFC 8030). */
export function pushTransport({ browsers, keys, contact, allowsPrivate, limits }: PushDeps): ClosableTransport {
  const http = createHttpClient({ provider, name: 'Push service', connections: 32, isForeign: !allowsPrivate, limits })
  const encrypter = createEncrypter()
  const away = new Map<string, { until: number; failure: DeliveryError }>()
  const payloads = new WeakMap<MessageContent, Buffer>()
  let signer: ReturnType<typeof pushSigner> | undefined

  async function send(messages: OutboundMessage[], onResult: Parameters<Transport['send']>[1]): Promise<void> {
    const gone: string[] = []
    const used: string[] = []
    const known = await browsers.of([...new Set(messages.map(({ to }) => to))])
    signer ??= pushSigner(await keys(), contact)
    const prepared = new Map(
      messages.map((message) => [message, prepare(encrypter, payloads, message, known.get(message.to) ?? [])]),
    )
    const deliver = async (message: OutboundMessage) => {
      const answers = await Promise.all(
        present(prepared.get(message), 'a prepared message')().map((sealed) => pushTo(sealed, message)),
      )
      for (const { browser, result } of answers)
        if (result === 'gone') gone.push(browser.id)
        else if (result === 'accepted') used.push(browser.id)
      return sumOf(answers.map(({ result }) => result))
    }
    const transport = inBatches({ name: provider, deliver, isHopeless: () => false, close() {} }, SIZES)
    await transport.send(messages, onResult)
    // A subscription that is not deleted now will be next time.
    await Promise.allSettled([browsers.forget(gone), browsers.used(used)])
  }

  async function pushTo(
    { browser, body }: Sealed,
    message: OutboundMessage,
  ): Promise<{ browser: Browser; result: PushResult }> {
    const url = URL.parse(browser.endpoint)
    if (!url || !isAllowed(url, allowsPrivate)) return { browser, result: 'gone' }
    const resting = away.get(url.origin)
    if (resting && resting.until > Date.now()) return { browser, result: resting.failure }
    try {
      const bytes = await body
      if (!bytes) return { browser, result: 'gone' }
      const headers = {
        authorization: signer!(url.origin),
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: TTL,
        urgency: message.isUrgent ? 'high' : 'normal',
        topic: topicOf(message),
      }
      const answer = await http.post(url, headers, bytes)
      const result = resultOf(answer)
      if (answer.status === 429 || answer.status === 503) rest(url.origin, result as DeliveryError)
      return { browser, result }
    } catch (error) {
      if (!(error instanceof DeliveryError))
        return { browser, result: new DeliveryError((error as Error).message, { provider }) }
      if (error.isPeerAway) rest(url.origin, error)
      return { browser, result: error }
    }
  }

  function rest(origin: string, failure: DeliveryError) {
    away.set(origin, { until: Date.now() + Math.max(AWAY_MS, (failure.retryAfter ?? 0) * 1_000), failure })
    if (away.size > 1_000) away.clear()
  }

  return {
    ...SIZES,
    send: (messages, onResult) => settleAll(send, messages, onResult),
    close: () => {
      encrypter.close()
      http.close()
    },
  }
}

/** Starts encryption for the whole batch before the first post. Content errors are reported later. */
function prepare(
  encrypter: ReturnType<typeof createEncrypter>,
  payloads: WeakMap<MessageContent, Buffer>,
  message: OutboundMessage,
  known: Browser[],
): () => Sealed[] {
  try {
    const payload = payloadOf(message, payloads)
    const sealed = known.map((browser) => ({ browser, body: encrypter.encrypt(browser, payload) }))
    for (const { body } of sealed) body.catch(() => {})
    return () => sealed
  } catch (error) {
    return () => {
      throw error
    }
  }
}

/** Every message gets a result, also where the whole batch fails. */
async function settleAll(
  send: Transport['send'],
  messages: OutboundMessage[],
  onResult: Parameters<Transport['send']>[1],
) {
  const waiting = new Set(messages)
  try {
    await send(messages, (message, result) => {
      waiting.delete(message)
      onResult(message, result)
    })
  } catch (error) {
    for (const message of waiting) onResult(message, new DeliveryError((error as Error).message, { provider }))
  }
}

const SIZES = { batch: 500, concurrency: 3, atOnce: AT_ONCE }

/** A subscription and its encrypted body; null if its keys are invalid. */
interface Sealed {
  browser: Browser
  body: Promise<Buffer | null>
}

/** The result for one subscription. */
type PushResult = 'accepted' | 'gone' | DeliveryError

/** One successful subscription per user is enough. */
function sumOf(results: PushResult[]): DeliveryResult {
  const accepted = results.filter((result) => result === 'accepted').length
  if (accepted > 0) return { status: 'sent', provider, providerMessageId: `${accepted} of ${results.length} browsers` }
  const failures = results.filter((result) => result instanceof DeliveryError)
  const passing = failures.filter(({ isFinal }) => !isFinal)
  const [first] = passing.length > 0 ? passing : failures
  if (!first) return new DeliveryError('No browser to tell', { isFinal: true, provider })
  const pauses = passing.flatMap(({ retryAfter }) => retryAfter ?? [])
  return new DeliveryError(first.message, {
    provider,
    isFinal: passing.length === 0,
    retryAfter: pauses.length > 0 ? Math.min(...pauses) : undefined,
  })
}

function resultOf({ status, text, retryAfter }: HttpResponse): PushResult {
  if (status >= 200 && status < 300) return 'accepted'
  if (status === 404 || status === 410) return 'gone'
  const isPassing = status === 429 || status === 408 || status >= 500
  const detail = text.replace(/\s+/g, ' ').slice(0, 200)
  const reason = `Push service error: ${status}${detail ? ` (${detail})` : ''}`
  return new DeliveryError(reason, { provider, isFinal: !isPassing, retryAfter })
}

/**
 * The URL comes from a browser and must not lead into the internal network. Host names are checked when they are
 * resolved.
 */
export function isAllowed(url: URL, allowsPrivate: boolean): boolean {
  if (url.username || url.password) return false
  if (allowsPrivate) return /^https?:$/.test(url.protocol)
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  return url.protocol === 'https:' && (isIP(literal) === 0 || isPublicAddress(literal))
}

/** Cached for all recipients if the content has no placeholders. */
function payloadOf(message: OutboundMessage, known: WeakMap<MessageContent, Buffer>): Buffer {
  const { push } = message.content
  if (!push) throw new Error('There is nothing to show in a browser')
  const cached = known.get(message.content)
  if (cached) return cached
  const isOwn = message.personal !== null && [push.title, push.body, push.url].some((text) => text.includes('{{'))
  const [title, body, url] = [push.title, push.body, push.url].map((text) => fillText(message, text)) as [
    string,
    string,
    string,
  ]
  const write = (length: number) =>
    Buffer.from(
      JSON.stringify({
        title: title.slice(0, 200),
        body: body.slice(0, length).toWellFormed(),
        url,
        tag: push.tag,
        id: push.id,
        isUrgent: message.isUrgent || undefined,
        data: push.data,
      }),
    )
  let length = body.length
  let payload = write(length)
  while (payload.length > MAX_PUSH_BYTES && length > 0) {
    length = Math.max(0, length - Math.ceil((payload.length - MAX_PUSH_BYTES) / 6) - 1)
    payload = write(length)
  }
  if (!isOwn) known.set(message.content, payload)
  return payload
}

/** A newer message replaces one not yet shown; a topic has at most 32 characters. */
const topics = new Map<string, string>()
function topicOf({ content: { push } }: OutboundMessage): string {
  const { tag } = push!
  let topic = topics.get(tag)
  if (!topic) {
    topic = createHash('sha256').update(tag).digest('base64url').slice(0, 32)
    if (topics.size > 1_000) topics.clear()
    topics.set(tag, topic)
  }
  return topic
}
