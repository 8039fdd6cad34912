import * as openid from 'openid-client'
import type { Settings } from '#server/env.ts'
import type { Log } from '#server/log.ts'
import { present } from '#shared/assert.ts'
import { AppError } from '#shared/errors.ts'
import { addressOf } from './addresses.ts'
import type { ProviderProfile } from './provider-accounts.ts'

/** State stored while the browser is at Google. */
export interface OAuthState {
  state: string
  nonce: string
  verifier: string
}

export type Google = ReturnType<typeof createGoogle>

const TIME_LIMIT_SECONDS = 8
const CLOCK_TOLERANCE_SECONDS = 60

/** Sign-in with Google by OpenID Connect: a code with PKCE, and an ID token with verified signature. */
export function createGoogle(deps: {
  settings: NonNullable<Settings['google']>
  publicUrl: string
  madeUpDomain: string
  log: Log
}) {
  const { settings, log } = deps
  const redirect_uri = `${deps.publicUrl}/auth/callback`
  let found: Promise<openid.Configuration> | undefined

  /** Fetched with the first sign-in and again after a failure: Google may be down when the portal starts. */
  function configuration(): Promise<openid.Configuration> {
    found ??= discover(settings).catch((error: Error) => {
      found = undefined
      throw error
    })
    return found
  }

  return {
    /** The URL to redirect the browser to, and the state to store until it returns. */
    async begin(): Promise<{ url: string; oauthState: OAuthState }> {
      const verifier = openid.randomPKCECodeVerifier()
      const oauthState = { state: openid.randomState(), nonce: openid.randomNonce(), verifier }
      const known = await configuration().catch((error: Error) => {
        log.warn({ reason: reasonOf(error) }, 'Google could not be asked')
        throw new AppError(503, 'google_start', 'Google OAuth initialization failed', { cause: error })
      })
      const url = openid.buildAuthorizationUrl(known, {
        redirect_uri,
        scope: 'openid email profile',
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state: oauthState.state,
        nonce: oauthState.nonce,
        access_type: 'offline',
        prompt: 'consent select_account',
      })
      return { url: url.href, oauthState }
    },

    /** Resolves the callback to the user's identity. Google's tokens are only used for this and not stored. */
    async finish(brought: Record<string, string>, { state, nonce, verifier }: OAuthState): Promise<ProviderProfile> {
      try {
        const known = await configuration()
        const url = new URL(`${redirect_uri}?${new URLSearchParams(brought)}`)
        const tokens = await openid.authorizationCodeGrant(known, url, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const claims = present(tokens.claims(), 'the claims of the ID token')
        const profile = claims.email
          ? claims
          : { ...claims, ...(await openid.fetchUserInfo(known, tokens.access_token, claims.sub)) }
        return vouchedFor(profile, deps.madeUpDomain)
      } catch (error) {
        if (error instanceof AppError) throw error
        log.warn({ reason: reasonOf(error as Error) }, 'a sign-in with Google failed')
        throw new AppError(502, 'google_processing', 'OAuth callback processing failed', { cause: error })
      }
    },
  }
}

async function discover({ issuer, clientId, clientSecret }: NonNullable<Settings['google']>) {
  const server = new URL(issuer)
  const client = { client_secret: clientSecret, [openid.clockTolerance]: CLOCK_TOLERANCE_SECONDS }
  const known = await openid.discovery(server, clientId, client, undefined, {
    timeout: TIME_LIMIT_SECONDS,
    execute: isOnThisMachine(server) ? [openid.allowInsecureRequests] : [],
  })
  known.timeout = TIME_LIMIT_SECONDS
  openid.enableNonRepudiationChecks(known)
  return known
}

/** Only a stub on the same machine may be called without TLS. */
const isOnThisMachine = ({ protocol, hostname }: URL) =>
  protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname)

function vouchedFor(profile: Record<string, unknown>, madeUpDomain: string): ProviderProfile {
  const email = addressOf(profile.email)
  if (!email) throw new AppError(502, 'google_sign_in', 'Google sign-in failed')
  if (profile.email_verified !== true)
    throw new AppError(403, 'google_email', 'Google has not confirmed your email address. Please sign in another way.')
  const [first_name, last_name] = namesOf(
    profile.given_name ?? profile.name ?? email.split('@')[0],
    profile.family_name,
  )
  return {
    provider: 'google',
    subject: String(profile.sub),
    email,
    isEmailVerified: true,
    madeUpEmails: [],
    first_name,
    last_name,
    madeUpDomain,
  }
}

/** Names from other providers, in any script: without control characters and cut to the maximum length. */
export function namesOf(first: unknown, last: unknown): [string, string] {
  const clean = (value: unknown) =>
    typeof value === 'string' ? [...value.replace(/[\p{Cc}\s]+/gu, ' ').trim()].slice(0, 100).join('') : ''
  return [clean(first), clean(last)]
}

/** Protocol error codes only: a URL in an error message could contain a code. */
function reasonOf(error: Error & { code?: string; error?: string }): string {
  const cause = error.cause as { code?: string } | undefined
  return [error.name, error.code, error.error, cause?.code].filter(Boolean).join(' ')
}
