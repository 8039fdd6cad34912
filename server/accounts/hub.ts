import type { Settings } from '#server/env.ts'
import { AppError } from '#shared/errors.ts'
import { addressOf, madeUpAddresses } from './addresses.ts'
import { namesOf } from './google.ts'
import type { ProviderProfile } from './provider-accounts.ts'

const HUB_TIME_LIMIT_MS = 10_000
const MAX_CHARACTERS = 200_000

export type HubRequest =
  | { action: 'login'; userName: string; password: string }
  | { action: 'login2fa'; userName: string; password: string; twoFactorCode: string }

/** Authenticates a user at the hub: returns the user, or 'two-factor' when the hub requires a code first. */
export type AskHub = (request: HubRequest) => Promise<ProviderProfile | 'two-factor'>

/**
 * The member hub: an external service that authenticates members of the church by name and password. Its token only
 * proves the sign-in; nothing else is requested from the hub, so the token is not stored.
 */
export function createHub(settings: NonNullable<Settings['hub']>, timeLimitMs: number = HUB_TIME_LIMIT_MS): AskHub {
  return async (request) => {
    const { status, body } = await post(settings.url, request, timeLimitMs)
    const isSecond = request.action === 'login2fa'
    const token = firstText(body, ['token', 'accessToken', 'webtoken', 'mcgi_hub_token'])
    if (!isSecond && !token && requiresCode(body)) return 'two-factor'
    if (status >= 500) throw new AppError(502, 'hub_failed', FAILED)
    if (status === 404) throw new AppError(503, 'hub_unavailable', UNAVAILABLE)
    if (isSecond && !token && speaksOf(body, WRONG_CODE)) throw new AppError(401, 'hub_code', CODE_WRONG)
    if (status === 401) throw new AppError(401, 'hub_credentials', isSecond ? CODE_OR_PASSWORD_WRONG : PASSWORD_WRONG)
    if (status >= 300 || !body || body.success === false)
      throw new AppError(status >= 300 && status < 500 ? 401 : 502, 'hub_refused', isSecond ? REFUSED_2FA : REFUSED)
    if (!token) throw new AppError(502, 'hub_no_token', 'No authentication token received from MCGI Hub')
    return vouchedFor(request.userName, body, settings.emailDomain)
  }
}

const REFUSED = 'MCGI Hub authentication failed. Please check your credentials and try again.'
const REFUSED_2FA = 'MCGI Hub 2FA authentication failed. Please check your credentials and 2FA code.'
const UNREACHABLE = 'Unable to connect to MCGI Hub. Please check your internet connection and try again.'
const UNAVAILABLE = 'MCGI Hub service is currently unavailable. Please try again later.'
const FAILED = 'MCGI Hub is experiencing technical difficulties. Please try again later.'
const PASSWORD_WRONG = 'Invalid username or password. Please check your credentials and try again.'
const CODE_OR_PASSWORD_WRONG = 'Invalid credentials or 2FA code. Please verify and try again.'
const CODE_WRONG = 'Invalid 2FA code. Please check your authenticator app and try again.'

type Body = Record<string, unknown>

async function post(url: string, request: HubRequest, timeLimitMs: number): Promise<{ status: number; body?: Body }> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(request),
      // A password is sent to the configured address only.
      redirect: 'error',
      signal: AbortSignal.timeout(timeLimitMs),
    })
    const body = read(await textOf(response))
    return { status: response.status, ...(body ? { body } : {}) }
  } catch (error) {
    throw new AppError(503, 'hub_unreachable', UNREACHABLE, { cause: error })
  }
}

async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > MAX_CHARACTERS) throw new Error('The answer is too long.')
  }
  return text
}

function read(text: string): Body | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as Body) : undefined
  } catch {
    return undefined
  }
}

const ASKING = /^(is|needs?|requires?)?_?(2fa|tfa|mfa|two_?factor(_?auth(entication)?)?)_?(required|needed)?$/i
const CODE_NEEDED =
  /(2fa|two[- ]?factor|verification code).{0,40}(required|needed)|(requires?|needs?|enter).{0,40}(2fa|two[- ]?factor)/i
const WRONG_CODE =
  /(invalid|incorrect|wrong|expired).{0,40}(2fa|two[- ]?factor|code|otp)|(2fa|code|otp).{0,40}(invalid|incorrect|wrong|expired)/i

const requiresCode = (body: Body | undefined) =>
  Object.entries(body ?? {}).some(([name, value]) => value === true && ASKING.test(name)) || speaksOf(body, CODE_NEEDED)

const speaksOf = (body: Body | undefined, pattern: RegExp) =>
  pattern.test(firstText(body, ['message', 'error', 'code'])?.slice(0, 500) ?? '')

function firstText(body: Body | undefined, names: string[]): string | undefined {
  for (const name of names) {
    const value = body?.[name]
    if (typeof value === 'string' && value.trim()) return value.trim()
    if (typeof value === 'number') return String(value)
  }
  return undefined
}

function vouchedFor(userName: string, body: Body, domain: string): ProviderProfile {
  const user = [body.user, body.userData].find((candidate) => typeof candidate === 'object' && candidate !== null) as
    | Body
    | undefined
  const subject = (firstText(user, ['id', 'userId', 'user_id']) ?? userName.toLowerCase()).slice(0, 200)
  const email = addressOf(user?.email)
  const [first, last] = namesOf(
    firstText(user, ['firstName', 'first_name', 'name', 'fullName', 'displayName']),
    firstText(user, ['lastName', 'last_name']),
  )
  return {
    provider: 'mcgi-hub',
    subject,
    email,
    madeUpEmails: madeUpAddresses(userName, subject, domain),
    isEmailVerified: email !== undefined && (user?.emailVerified ?? user?.email_verified) === true,
    first_name: first || namesOf(userName, '')[0],
    last_name: last,
    mcgi_id: firstText(user, ['mcgiId', 'mcgi_id'])?.slice(0, 100),
    person_types: personTypesOf(user),
    madeUpDomain: domain,
  }
}

/** Every hub user is a member; other types are taken over verbatim. */
function personTypesOf(user: Body | undefined): string[] {
  const values = user?.personTypes ?? user?.person_types
  const types = Array.isArray(values)
    ? values.filter((type) => typeof type === 'string' && /^[\w -]{1,40}$/.test(type))
    : []
  return [...new Set(['member', ...(types as string[])])].slice(0, 20)
}
