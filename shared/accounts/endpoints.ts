import * as z from 'zod'
import { ById } from '#shared/common-schemas.ts'
import { endpoint } from '#shared/contract.ts'
import { ROLES } from '#shared/roles.ts'
import { AUTH_PROVIDERS } from './profile.ts'
import { Code, CountryCode, Email, Name, Password, Phone, PreferredLanguage } from './text.ts'

/** The signed-in user in the shape of the specification (001 §3). Read-only for the user. */
export const AuthUser = z.object({
  id: z.uuid(),
  email: z.string(),
  phone: z.string().nullable(),
  aud: z.literal('authenticated'),
  role: z.enum(ROLES),
  user_metadata: z.object({ display_name: z.string(), role: z.enum(ROLES) }),
  app_metadata: z.object({ provider: z.enum(AUTH_PROVIDERS) }),
  profile_status: z.string(),
  email_verified: z.boolean(),
  created_at: z.string(),
})
export type AuthUser = z.infer<typeof AuthUser>

/** Where the browser goes after a sign-in step. */
const Next = z.object({
  next: z.string().describe('Path on this portal: the requested page, the dashboard or the second step'),
})
const Message = z.object({ message: z.string() })
const returnTo = z.string().max(500).optional()

export const signUp = endpoint({
  method: 'POST',
  path: '/auth/signup',
  access: 'anyone',
  status: 202,
  summary: 'Creates an account; the response is the same if the address already has one',
  body: z.strictObject({
    first_name: Name,
    last_name: Name,
    email: Email,
    password: Password,
    country_code: CountryCode.optional(),
    time_zone: z.string().max(100).optional().describe('As reported by the browser; an unknown zone is ignored'),
    preferred_language: PreferredLanguage.default('en'),
    accept_terms: z.literal(true, 'Please accept the terms'),
  }),
  response: Message,
})

export const signIn = endpoint({
  method: 'POST',
  path: '/auth/login',
  access: 'anyone',
  summary: 'Signs in a browser with email or phone and password; sets the session cookie',
  body: z
    .strictObject({ email: Email.optional(), phone: Phone.optional(), password: Password, returnTo })
    .refine(({ email, phone }) => email || phone, {
      path: ['email'],
      error: 'Enter an email address or a phone number',
    }),
  response: Next,
})

const Tokens = z.object({
  access_token: z.string(),
  token_type: z.literal('bearer'),
  expires_in: z.int().describe('Seconds'),
  expires_at: z.int().describe('Unix seconds'),
  refresh_token: z.string(),
  user: AuthUser.nullable().describe('Null until the second step is complete'),
})

export const grantToken = endpoint({
  method: 'POST',
  path: '/auth/token',
  access: 'anyone',
  summary: 'Issues a bearer token to a program. Grants: password, pkce and refresh_token',
  body: z.strictObject({
    grant_type: z.enum(['password', 'refresh_token', 'pkce', 'id_token', 'web3']),
    email: Email.optional(),
    phone: Phone.optional(),
    password: Password.optional(),
    refresh_token: z.string().max(200).optional(),
    auth_code: z.string().max(2000).optional(),
    code_verifier: z.string().max(200).optional(),
    id_token: z.string().max(10_000).optional(),
    provider: z.string().max(50).optional(),
  }),
  response: Tokens,
})

export const refreshSession = endpoint({
  method: 'POST',
  path: '/auth/refresh',
  access: 'firstStep',
  summary: "Extends the caller's session",
  response: z.object({ expires_at: z.int().describe('Unix seconds') }),
})

export const signOut = endpoint({
  method: 'POST',
  path: '/auth/logout',
  access: 'anyone',
  summary: 'Ends this session, all sessions, or all other sessions',
  body: z.strictObject({ scope: z.enum(['local', 'global', 'others']).default('local') }).prefault({}),
  response: z.object({ ended: z.int() }),
})

export const recover = endpoint({
  method: 'POST',
  path: '/auth/recover',
  access: 'anyone',
  status: 202,
  summary: 'Sends a link to choose a new password; the response is the same for every address',
  body: z.strictObject({ email: Email }),
  response: Message,
})

export const resetPassword = endpoint({
  method: 'POST',
  path: '/auth/reset',
  access: 'anyone',
  summary: 'Sets a new password with the link from the email; ends every session',
  body: z.strictObject({ token: z.string().min(1).max(200), password: Password }),
  response: Message,
})

export const resend = endpoint({
  method: 'POST',
  path: '/auth/resend',
  access: 'anyone',
  status: 202,
  summary: 'Sends the confirmation email again; the response is the same for every address',
  body: z.strictObject({ email: Email }),
  response: Message,
})

export const sendOtp = endpoint({
  method: 'POST',
  path: '/auth/otp',
  access: 'anyone',
  status: 202,
  summary: 'Sends a sign-in code by email or text message, or a sign-in link by email',
  body: z
    .strictObject({ email: Email.optional(), phone: Phone.optional(), kind: z.enum(['code', 'link']).default('code') })
    .refine(({ email, phone }) => email || phone, {
      path: ['email'],
      error: 'Enter an email address or a phone number',
    }),
  response: Message,
})

export const verify = endpoint({
  method: 'POST',
  path: '/auth/verify',
  access: 'anyone',
  summary: 'Redeems a confirmation link, a sign-in link or a sign-in code; sets the session cookie',
  body: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('signup'), token: z.string().min(1).max(2000), returnTo }),
    z.strictObject({ type: z.literal('magiclink'), token: z.string().min(1).max(200), returnTo }),
    z.strictObject({ type: z.literal('email'), email: Email, code: Code, returnTo }),
    z.strictObject({ type: z.literal('sms'), phone: Phone, code: Code, returnTo }),
  ]),
  response: Next,
})

export const getUser = endpoint({
  method: 'GET',
  path: '/auth/user',
  access: 'signedIn',
  summary: 'The signed-in user',
  response: z.object({ user: AuthUser, expires_at: z.int().describe('Unix seconds') }),
})

export const changePassword = endpoint({
  method: 'PUT',
  path: '/auth/user',
  access: 'signedIn',
  summary: "Changes or sets the caller's password; any other field is rejected",
  body: z.strictObject({ current_password: Password.optional(), password: Password }),
  response: Message,
})

export const listSessions = endpoint({
  method: 'GET',
  path: '/auth/sessions',
  access: 'signedIn',
  summary: 'Active sessions of the caller',
  response: z.object({
    sessions: z.array(
      z.object({
        id: z.uuid(),
        device: z.string(),
        way: z.string(),
        created_at: z.string(),
        last_used_at: z.string(),
        is_current: z.boolean(),
      }),
    ),
  }),
})

export const endSession = endpoint({
  method: 'DELETE',
  path: '/auth/sessions/{id}',
  access: 'signedIn',
  summary: "Ends one of the caller's sessions",
  params: ById,
  response: z.object({ ended: z.int() }),
})

/** Sign-in methods configured for this installation; the others are not shown. */
export const listProviders = endpoint({
  method: 'GET',
  path: '/auth/providers',
  access: 'anyone',
  summary: 'The configured sign-in methods',
  response: z.object({ google: z.boolean(), hub: z.boolean(), phone: z.boolean() }),
})

export const listKeys = endpoint({
  method: 'GET',
  path: '/auth/jwks',
  access: 'anyone',
  summary: 'Public keys of signed tokens: none, because sessions are looked up in the database',
  response: z.object({ keys: z.array(z.never()) }),
})

export const signInWithSso = endpoint({
  method: 'POST',
  path: '/auth/sso',
  access: 'anyone',
  summary: 'Single sign-on through an organisation: not supported',
  body: z.strictObject({ domain: z.string().max(253).optional(), provider_id: z.string().max(100).optional() }),
  response: z.object({}),
})
