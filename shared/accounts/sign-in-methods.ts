import * as z from 'zod'
import { ById } from '#shared/common-schemas.ts'
import { endpoint } from '#shared/contract.ts'
import { AUTH_PROVIDERS } from './profile.ts'
import { Code, Email, Password, Phone } from './text.ts'

const returnTo = z.string().max(500).optional()
const Next = z.object({ next: z.string() })

/**
 * Adding or removing a sign-in method in a session older than FRESH_MINUTES requires the password: in this field or
 * through POST /account/confirm. Users without a password sign in again.
 */
const current_password = Password.optional()

export const startGoogle = endpoint({
  method: 'POST',
  path: '/auth/google/start',
  access: 'anyone',
  summary: "Starts Google sign-in, or linking Google to the caller's account; returns the URL to open",
  body: z.strictObject({ returnTo, link: z.boolean().default(false) }).prefault({}),
  response: z.object({ url: z.string() }),
})

export const finishGoogle = endpoint({
  method: 'POST',
  path: '/auth/google/finish',
  access: 'anyone',
  summary: 'Completes Google sign-in; sets the session cookie',
  body: z.strictObject({
    code: z.string().max(2000).optional(),
    state: z.string().max(500).optional(),
    error: z.string().max(200).optional(),
    iss: z.string().max(300).optional(),
    scope: z.string().max(1000).optional(),
    authuser: z.string().max(20).optional(),
    prompt: z.string().max(50).optional(),
    hd: z.string().max(253).optional(),
  }),
  response: Next,
})

const userName = z.string('This field is required').trim().min(1, 'This field is required').max(200)
const link = z.boolean().default(false).describe("Links the hub to the caller's account instead of signing in")

/** HUB-LOGIN-01, 02: one path, two actions. */
export const signInWithHub = endpoint({
  method: 'POST',
  path: '/auth/hub',
  also: ['/functions/hub-auth'],
  access: 'anyone',
  summary: 'Signs in with MCGI Hub; sets the session cookie',
  body: z.discriminatedUnion('action', [
    z.strictObject({
      action: z.literal('login'),
      userName,
      password: Password,
      link,
      returnTo,
    }),
    z.strictObject({
      action: z.literal('login2fa'),
      userName,
      password: Password,
      twoFactorCode: z.string().trim().min(1, 'This field is required').max(20),
      link,
      returnTo,
    }),
  ]),
  response: z.object({
    provider: z.literal('mcgi-hub'),
    expires_in: z.int().describe('Seconds'),
    needs_two_factor: z.boolean().describe('True: ask for the code and call login2fa; no session was created'),
    next: z.string().nullable(),
  }),
})

export const listIdentities = endpoint({
  method: 'GET',
  path: '/auth/identities',
  access: 'signedIn',
  summary: 'Sign-in methods of the caller',
  response: z.object({
    identities: z.array(z.object({ id: z.uuid(), provider: z.enum(AUTH_PROVIDERS), linked_at: z.string() })),
  }),
})

export const unlinkIdentity = endpoint({
  method: 'DELETE',
  path: '/auth/identities/{id}',
  access: 'signedIn',
  summary: "Removes one of the caller's sign-in methods, but never the last one",
  params: ById,
  body: z.strictObject({ current_password }).prefault({}),
  response: z.object({}),
})

export const listFactors = endpoint({
  method: 'GET',
  path: '/auth/factors',
  access: 'firstStep',
  summary: 'Second factors of the caller',
  response: z.object({
    totp: z.boolean().describe('An authenticator app is set up'),
    passkeys: z.array(z.object({ id: z.uuid(), name: z.string(), created_at: z.string().nullable() })),
    is_required: z.boolean().describe('The role requires a second step'),
    has_password: z.boolean(),
  }),
})

export const enrolFactor = endpoint({
  method: 'POST',
  path: '/auth/factors',
  access: 'firstStep',
  summary: 'Starts setting up an authenticator app, or replacing one; active after the first code',
  body: z.strictObject({ current_password }).prefault({}),
  response: z.object({
    uri: z.string().describe('otpauth URL for the authenticator app'),
    secret: z.string().describe('The secret, for typing in'),
    qr_svg: z.string(),
    recovery_codes: z.array(z.string()),
  }),
})

export const verifyFactor = endpoint({
  method: 'POST',
  path: '/auth/factors/verify',
  access: 'firstStep',
  summary: 'Completes the second step with an authenticator code or a recovery code',
  body: z
    .strictObject({
      code: Code.optional(),
      recovery_code: z.string().trim().min(1, 'This field is required').max(40).optional(),
      returnTo,
    })
    .refine(({ code, recovery_code }) => code || recovery_code, { path: ['code'], error: 'This field is required' }),
  response: Next,
})

export const removeFactor = endpoint({
  method: 'DELETE',
  path: '/auth/factors',
  access: 'signedIn',
  summary: 'Removes the authenticator app; rejected if the role requires it',
  body: z.strictObject({ current_password }).prefault({}),
  response: z.object({}),
})

export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: '/auth/factors/recovery-codes',
  access: 'signedIn',
  summary: 'Creates new recovery codes and invalidates the old ones',
  body: z.strictObject({ current_password }).prefault({}),
  response: z.object({ recovery_codes: z.array(z.string()) }),
})

const WebAuthn = z.looseObject({})

export const passkeyOptions = endpoint({
  method: 'POST',
  path: '/auth/passkeys/options',
  access: 'anyone',
  summary: 'Options for signing in with a passkey; sets a short-lived cookie',
  response: z.object({ options: WebAuthn }),
})

export const signInWithPasskey = endpoint({
  method: 'POST',
  path: '/auth/passkeys/sign-in',
  access: 'anyone',
  summary: 'Signs in with a passkey, which includes the second step',
  body: z.strictObject({ response: WebAuthn, returnTo }),
  response: Next,
})

export const newPasskeyOptions = endpoint({
  method: 'POST',
  path: '/auth/passkeys/new',
  access: 'signedIn',
  summary: 'Options for creating a passkey for the caller',
  body: z.strictObject({ current_password }).prefault({}),
  response: z.object({ options: WebAuthn }),
})

export const addPasskey = endpoint({
  method: 'POST',
  path: '/auth/passkeys',
  access: 'signedIn',
  summary: 'Saves a passkey created by the browser',
  body: z.strictObject({ response: WebAuthn, name: z.string().trim().max(60).default(''), current_password }),
  response: z.object({ id: z.uuid() }),
})

export const removePasskey = endpoint({
  method: 'DELETE',
  path: '/auth/passkeys/{id}',
  access: 'signedIn',
  summary: "Removes one of the caller's passkeys",
  params: ById,
  body: z.strictObject({ current_password }).prefault({}),
  response: z.object({}),
})

export const changePhone = endpoint({
  method: 'PUT',
  path: '/auth/phone',
  access: 'signedIn',
  status: 202,
  summary: 'Sends a code to a new phone number; the number changes once the code is confirmed',
  body: z.strictObject({ phone: Phone, current_password }),
  response: z.object({ message: z.string() }),
})

export const confirmPhone = endpoint({
  method: 'POST',
  path: '/auth/phone/confirm',
  access: 'signedIn',
  summary: 'Confirms the new phone number with the code',
  body: z.strictObject({ phone: Phone, code: Code, current_password }),
  response: z.object({ phone: z.string() }),
})

export const removePhone = endpoint({
  method: 'DELETE',
  path: '/auth/phone',
  access: 'signedIn',
  summary: "Removes the caller's phone number",
  body: z.strictObject({ current_password }).prefault({}),
  response: z.object({}),
})

export const changeEmail = endpoint({
  method: 'PUT',
  path: '/auth/email',
  access: 'signedIn',
  status: 202,
  summary: 'Sends a link to a new email address; it changes once the link is opened. The old address is notified',
  body: z.strictObject({ email: Email, current_password }),
  response: z.object({ message: z.string() }),
})
