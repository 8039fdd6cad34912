import type { EndpointKey, InputOf, OutputOf } from '#shared/api.ts'
import { coolDown, functionFor, isCoolingDown } from './functions.ts'
import { sessionRenewal } from './session-renewal.ts'

/** In milliseconds, 001 §9. */
export const TIMEOUTS = { default: 15_000, short: 8_000, long: 30_000, upload: 60_000, chat: 20_000 } as const
const FINAL_ATTEMPT_MS = 8_000
const RETRIES = 2
export const DEFAULT_PAGE_SIZE = 10

export const transport = {
  /** Base URL and headers of all calls, besides the session cookie; replaced in tests. */
  base: '/api',
  headers: (): Record<string, string> => ({}),
}

export interface CallOptions {
  timeout?: keyof typeof TIMEOUTS
  /** Only for reads, or with an idempotency key: a write is never sent twice (C-29). */
  retries?: number
  idempotencyKey?: string
  signal?: AbortSignal
  /** Requires a serverless function; otherwise a path without one goes to the backend. */
  via?: 'function'
}

/** A failed call with the server's message; status 0 if there was no response. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly fields: Record<string, string> | undefined
  /** Id under which the server logged it. */
  readonly id: string | undefined

  constructor(
    status: number,
    message: string,
    more: { code?: string; fields?: Record<string, string>; id?: string } = {},
  ) {
    super(message)
    this.status = status
    this.code = more.code ?? 'failed'
    this.fields = more.fields
    this.id = more.id
  }
}

/** The browser's only way to call an endpoint: the key is the URL, the contract provides types only, no schema. */
export async function call<K extends EndpointKey>(
  key: K,
  input?: InputOf<K>,
  options: CallOptions = {},
): Promise<OutputOf<K>> {
  const [method = '', template = ''] = key.split(' ')
  const { params, query, body } = (input ?? {}) as { params?: Values; query?: Values; body?: unknown }
  const path = template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(params?.[name] ?? '')))
  const headers: Record<string, string> = { accept: 'application/json', ...transport.headers() }
  const init: RequestInit = { method, headers }
  if (body !== undefined) {
    init.body = JSON.stringify(body)
    headers['content-type'] = 'application/json'
  }
  if (options.idempotencyKey) headers['idempotency-key'] = options.idempotencyKey

  const isRepeatable = method === 'GET' || options.idempotencyKey !== undefined
  const attempts = isRepeatable ? 1 + (options.retries ?? RETRIES) : 1
  let isRenewed = SIGN_IN.test(path)
  for (let attempt = 1; ; attempt++) {
    const isFinal = attempt > 1 && attempt === attempts
    const timeout = isFinal ? FINAL_ATTEMPT_MS : TIMEOUTS[options.timeout ?? 'default']
    try {
      return (await send(path + queryOf(query), init, timeout, isRepeatable, options)) as OutputOf<K>
    } catch (error) {
      if (!isRenewed && error instanceof ApiError && error.status === 401) {
        // Rejected before anything was done, so a retry is safe (F-25).
        isRenewed = true
        if (!(await sessionRenewal.renew())) throw error
        attempt--
        continue
      }
      if (attempt >= attempts || options.signal?.aborted || !isPassing(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, backoff(attempt - 1)))
    }
  }
}

/** Sign-in responds 401 to a wrong password: that says nothing about a session (C-52). */
const SIGN_IN =
  /^\/(auth\/(signup|login|token|refresh|logout|recover|reset|resend|otp|verify|sso|google|hub|factors\/verify|passkeys\/(options|sign-in))|functions\/hub-auth)\b/

/** 1 s doubled plus up to 1 s of jitter against synchronised retries; 10 s at most. */
export const backoff = (failures: number) => Math.min(1_000 * 2 ** failures + Math.random() * 1_000, 10_000)

/** Network errors, timeouts, 502, 503 and 504 are transient; nothing else is. */
const isPassing = (error: unknown) => error instanceof ApiError && [0, 502, 503, 504].includes(error.status)

/**
 * Calls the function of the path if it is deployed and healthy; if that fails without having done the work, the
 * backend.
 */
async function send(path: string, init: RequestInit, timeout: number, isRepeatable: boolean, options: CallOptions) {
  const name = functionFor(path)
  if (!name && options.via)
    throw new ApiError(501, 'No Edge Function mapping found for endpoint', { code: 'no_function' })
  if (!name || isCoolingDown(name)) return answerOf(transport.base + path, init, timeout, options)
  try {
    return await answerOf(`${transport.base}/functions/${name}${path}`, init, timeout, options)
  } catch (error) {
    // 502 and above may have reached the function: retry only calls that are safe to repeat.
    if (!(error instanceof ApiError) || !coolDown(name, error) || (error.status > 501 && !isRepeatable)) throw error
    const problem = `Supabase Edge Function error: ${error.message}`
    return answerOf(transport.base + path, init, timeout, options).catch((error: ApiError) => {
      throw new ApiError(error.status, `${problem}; ${error.message}`, error)
    })
  }
}

async function answerOf(
  address: string,
  init: RequestInit,
  timeout: number,
  { signal }: CallOptions,
): Promise<unknown> {
  const limit = AbortSignal.timeout(timeout)
  let response: Response
  let text: string
  try {
    response = await fetch(address, { ...init, signal: signal ? AbortSignal.any([signal, limit]) : limit })
    text = await response.text()
  } catch (error) {
    if (signal?.aborted) throw error
    throw limit.aborted
      ? new ApiError(0, 'Request timed out', { code: 'timeout' })
      : new ApiError(0, 'Network error', { code: 'network' })
  }
  return unwrap(response, text)
}

/** `{ success, data }` is unwrapped; any other object is the result itself. */
function unwrap({ ok, status, statusText }: Response, text: string): unknown {
  const body = parse(text)
  if (!ok)
    throw new ApiError(status, body?.error ?? (statusText ? `${status} ${statusText}` : 'Unknown error occurred'), body)
  if (!body) throw new ApiError(status, 'Invalid response format', { code: 'invalid_response' })
  if (body.success === false) throw new ApiError(status, body.error ?? 'Invalid response format', body)
  return body.success && body.data !== undefined ? body.data : body
}

interface Body {
  success?: boolean
  data?: unknown
  error?: string
  code?: string
  fields?: Record<string, string>
  id?: string
}

function parse(text: string): Body | undefined {
  try {
    const body = JSON.parse(text)
    return typeof body === 'object' && body !== null ? body : undefined
  } catch {
    return undefined
  }
}

type Values = Record<string, unknown>

function queryOf(values: Values | undefined): string {
  const entries = Object.entries(values ?? {}).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  )
  const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString()
  return text && `?${text}`
}
