import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Configuration, interactionPolicy, Provider } from 'oidc-provider'

/** A user signed in at the provider, as on their account page. */
export interface OpenIdUser {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
  given_name?: string
  family_name?: string
}

export interface OpenIdPeer {
  issuer: string
  clientId: string
  clientSecret: string
  /** The user whom the provider signs in next without prompting; null: they refuse. */
  user: OpenIdUser | null
  /** Handles the request instead of the provider if it returns true. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Visits the provider as a browser would, and returns the portal URL it redirects to. */
  visit(url: string): Promise<string>
  close(): Promise<void>
}

const CLIENT = { clientId: 'portal', clientSecret: 'a secret of the portal at its provider' }

/** A local OpenID provider standing in for Google, with real codes, keys and signatures. */
export async function openIdPeer(deps: { redirectUri: string; port?: number }): Promise<OpenIdPeer> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(deps.port ?? 0, '127.0.0.1', listening))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const users = new Map<string, OpenIdUser>()
  const provider = new Provider(issuer, configuration(deps.redirectUri, users))
  const answer = provider.callback()

  const peer: OpenIdPeer = {
    issuer,
    ...CLIENT,
    user: { sub: 'person-1', email: 'person@example.org', email_verified: true, name: 'Person' },
    intercept: () => false,
    visit: (url) => visit(url, issuer),
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
  server.on('request', (request, response) => {
    if (peer.intercept(request, response)) return
    if (!request.url?.startsWith('/interaction/')) return void answer(request, response)
    finishInteraction(provider, peer, users, request, response).catch(() => response.writeHead(500).end())
  })
  return peer
}

async function finishInteraction(
  provider: Provider,
  { user }: OpenIdPeer,
  users: Map<string, OpenIdUser>,
  request: IncomingMessage,
  response: ServerResponse,
) {
  if (!user) {
    const result = { error: 'access_denied', error_description: 'The person refused' }
    return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  }
  const { params } = await provider.interactionDetails(request, response)
  users.set(user.sub, user)
  const grant = new provider.Grant({ accountId: user.sub, clientId: String(params.client_id) })
  grant.addOIDCScope('openid email profile')
  const result = {
    login: { accountId: user.sub },
    select_account: {},
    consent: { grantId: await grant.save() },
  }
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true })
}

function configuration(redirectUri: string, users: Map<string, OpenIdUser>): Configuration {
  const policy = interactionPolicy.base()
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0)
  return {
    clients: [{ client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret, redirect_uris: [redirectUri] }],
    cookies: { keys: ['a key of the stand-in'] },
    // Google includes address and names in the ID token.
    conformIdTokenClaims: false,
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'given_name', 'family_name'] },
    features: { devInteractions: { enabled: false } },
    interactions: { policy, url: (_context, { uid }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    jwks: { keys: [{ ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }) }] },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...users.get(sub), sub }) }),
  }
}

const MAX_REDIRECTS = 12

async function visit(url: string, issuer: string): Promise<string> {
  const jar = new Map<string, string>()
  let at = url
  for (let step = 0; step < MAX_REDIRECTS; step++) {
    if (!at.startsWith(issuer)) return at
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(at, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const location = response.headers.get('location')
    if (!location) throw new Error(`The provider answered ${response.status}: ${await response.text()}`)
    at = new URL(location, at).href
  }
  throw new Error('The provider led in circles.')
}
