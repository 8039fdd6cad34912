import { randomUUID } from 'node:crypto'
import { passkey } from '@better-auth/passkey'
import { type BetterAuthOptions, betterAuth } from 'better-auth'
import { APIError, createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { bearer, emailOTP, magicLink, phoneNumber } from 'better-auth/plugins'
import { parsePhoneNumberFromString } from 'libphonenumber-js'
import * as z from 'zod'
import type { Database } from '#server/db/connection.ts'
import type { Log } from '#server/log.ts'
import { PASSWORD_LENGTH } from '#shared/accounts/profile.ts'
import { isCoordinator } from '#shared/roles.ts'
import { authAdapter } from './auth-adapter.ts'
import { hashPassword, verifyPassword } from './password-rules.ts'
import { cookiePrefix } from './session-cookie.ts'
import type { LiveSecret, MailKind } from './sign-ins/mails.ts'
import { hashCode } from './token-hash.ts'

/** Messages of the sign-in flows. Each is committed to the outbox before the promise resolves. */
export interface AccountMail {
  verifyEmail(to: Recipient, token: string): Promise<void>
  alreadyRegistered(to: Recipient): Promise<void>
  resetPassword(to: Recipient, token: string): Promise<void>
  signInLink(to: Recipient, token: string): Promise<void>
  signInCode(to: Recipient, code: string): Promise<void>
  /** To the new address; the link only works in a browser where the user is signed in. */
  changeEmail(to: Recipient, token: string): Promise<void>
  phoneCode(phoneNumber: string, code: string): Promise<void>
  /** Sends the same link or code again; a phone number may replace the address. */
  again(kind: Exclude<MailKind, 'notice'>, to: Recipient, live: LiveSecret): Promise<void>
  /** First sign-in of a user, by any method. */
  welcome(userId: string): Promise<void>
}
export interface Recipient {
  /** Of auth_users; absent when no account has the address. */
  userId?: string
  email: string
}

const DAY_SECONDS = 24 * 3600
/**
 * Long for a traveler on a poor network, who should not sign in every day; short for users who see other people's data.
 */
export const SESSION_SECONDS = { traveler: 14 * DAY_SECONDS, coordinator: DAY_SECONDS, hub: DAY_SECONDS } as const
/** From the sign-in, however often a session is extended (docs/decisions/0028-step-up.md). */
export const MAX_SESSION_SECONDS = { traveler: 90 * DAY_SECONDS, coordinator: 7 * DAY_SECONDS } as const
export const CODE_SECONDS = 10 * 60
export const LINK_SECONDS = 30 * 60
export const RESET_SECONDS = 3600
export const CONFIRM_SECONDS = DAY_SECONDS

export type Auth = ReturnType<typeof createAuth>

interface AuthDeps {
  database: Database
  secret: string
  publicUrl: string
  mail: AccountMail
  log: Log
}

/** The portal's names of the library's tables and columns. */
const TABLES = {
  user: {
    modelName: 'auth_users',
    fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
    additionalFields: { registration: { type: 'json', required: false, returned: false } },
  },
  session: {
    modelName: 'auth_sessions',
    fields: {
      userId: 'user_id',
      expiresAt: 'expires_at',
      userAgent: 'user_agent',
      ipAddress: 'ip_address',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    },
    additionalFields: {
      signInMethod: { type: 'string', required: false, input: false, fieldName: 'sign_in_method' },
      secondFactorAt: { type: 'date', required: false, input: false, fieldName: 'second_factor_at' },
    },
    expiresIn: SESSION_SECONDS.traveler,
    disableSessionRefresh: true,
    // The portal checks freshness itself where it matters.
    freshAge: 0,
  },
  account: {
    modelName: 'auth_accounts',
    fields: {
      userId: 'user_id',
      providerId: 'provider_id',
      accountId: 'account_id',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    },
  },
  verification: {
    modelName: 'auth_verifications',
    fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
    // Identifiers from links and cookies are hashed; addresses and numbers are not, because erasure searches for
    // them.
    storeIdentifier: { default: 'hashed', overrides: { 'sign-in-otp-': 'plain', '+': 'plain' } },
  },
} as const

/**
 * Passwords, codes, links, passkeys and sessions, managed by better-auth in the portal's own tables. Its own routes are
 * not served: every call comes through an endpoint of the portal. Second steps are the portal's own, since better-auth
 * only requires them after a password and does not limit guesses. Call after migrating.
 */
export function createAuth(deps: AuthDeps) {
  const { database, mail, publicUrl } = deps
  const isSecure = publicUrl.startsWith('https:')
  return betterAuth({
    appName: 'MFA Portal',
    baseURL: publicUrl,
    basePath: '/api/auth',
    secret: deps.secret,
    database: authAdapter(database.requests.pool),
    telemetry: { enabled: false },
    logger: {
      level: 'error',
      log: (_level, message) => deps.log.error({ reason: message }, 'an account could not be served'),
    },
    // The portal counts attempts across nodes; these limits would only cover better-auth's own routes.
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix: cookiePrefix(isSecure),
      // better-auth's own prefix would be __Secure-, which a sibling host can also set.
      useSecureCookies: false,
      defaultCookieAttributes: { secure: isSecure },
      database: { generateId: () => randomUUID() },
      ipAddress: { disableIpTracking: true },
      // Sending must not make the response for a known address slower than for an unknown one.
      backgroundTasks: {
        handler: (task) =>
          void task.catch((error: Error) => deps.log.error({ reason: error.message }, 'mail not queued')),
      },
    },
    ...TABLES,
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      minPasswordLength: PASSWORD_LENGTH.min,
      maxPasswordLength: PASSWORD_LENGTH.max,
      password: { hash: hashPassword, verify: verifyPassword },
      resetPasswordTokenExpiresIn: RESET_SECONDS,
      sendResetPassword: ({ user, token }) => mail.resetPassword({ userId: user.id, email: user.email }, token),
      onExistingUserSignUp: ({ user }) => mail.alreadyRegistered({ userId: user.id, email: user.email }),
    },
    emailVerification: {
      sendOnSignUp: true,
      autoSignInAfterVerification: true,
      expiresIn: CONFIRM_SECONDS,
      sendVerificationEmail: ({ user, token }) => mail.verifyEmail({ userId: user.id, email: user.email }, token),
    },
    databaseHooks: hooks(deps),
    plugins: plugins(deps),
  })
}

/** What the portal adds when the library writes a row. */
function hooks({ database, mail, secret, log }: AuthDeps): BetterAuthOptions['databaseHooks'] {
  const kysely = database.requests.kysely
  const profileOf = (userId: string) =>
    kysely
      .selectFrom('user_profiles')
      .select(['id', 'role', 'role_ends_at', 'profile_status', 'status_reason'])
      .where('auth_user_id', '=', userId)
      .executeTakeFirst()
  return {
    verification: {
      create: {
        // The only code that the library would store in plain text; after a wrong attempt it arrives already hashed.
        before: async (verification) =>
          verification.identifier.startsWith('+') && /^\d{6}(:|$)/.test(verification.value)
            ? { data: { value: verification.value.replace(/^\d{6}/, (code) => hashCode(code, secret)) } }
            : undefined,
      },
    },
    user: {
      create: {
        after: (user) =>
          mail
            .welcome(user.id)
            .catch((error: Error) => log.error({ reason: error.message }, 'a newcomer was not announced')),
      },
    },
    session: {
      create: {
        async before(session) {
          const profile = await profileOf(session.userId)
          if (!profile)
            throw new APIError('UNAUTHORIZED', {
              code: 'NO_PROFILE',
              message: 'No account was found for this sign-in.',
            })
          if (profile.profile_status === 'suspended' || profile.profile_status === 'deleted')
            throw new APIError('FORBIDDEN', { code: 'SUSPENDED', message: 'This account is suspended.' })
          const seconds =
            session.signInMethod === 'mcgi-hub' || isCoordinator(profile.role)
              ? SESSION_SECONDS.coordinator
              : SESSION_SECONDS.traveler
          return { data: { ...session, expiresAt: new Date(Date.now() + seconds * 1000) } }
        },
        async after(session) {
          await kysely
            .updateTable('user_profiles')
            .set({ last_login_at: new Date() })
            .where('auth_user_id', '=', session.userId)
            .execute()
        },
      },
    },
  }
}

/** Sign-in methods other than passwords. */
function plugins({ mail, secret, publicUrl }: AuthDeps) {
  return [
    bearer(),
    emailOTP({
      otpLength: 6,
      expiresIn: CODE_SECONDS,
      allowedAttempts: 5,
      disableSignUp: true,
      storeOTP: { hash: async (code) => hashCode(code, secret) },
      sendVerificationOTP: ({ email, otp }) => mail.signInCode({ email }, otp),
    }),
    magicLink({
      expiresIn: LINK_SECONDS,
      disableSignUp: true,
      storeToken: 'hashed',
      sendMagicLink: ({ email, token }) => mail.signInLink({ email }, token),
    }),
    phoneNumber({
      otpLength: 6,
      expiresIn: CODE_SECONDS,
      allowedAttempts: 5,
      phoneNumberValidator: (phoneNumber) => parsePhoneNumberFromString(phoneNumber)?.isValid() ?? false,
      sendOTP: ({ phoneNumber, code }) => mail.phoneCode(phoneNumber, code),
      schema: {
        user: { fields: { phoneNumber: 'phone_number', phoneNumberVerified: 'phone_number_verified' } },
      },
    }),
    passkey({
      rpID: new URL(publicUrl).hostname,
      rpName: 'MFA Portal',
      origin: new URL(publicUrl).origin,
      // A passkey counts as both steps, so the device must verify the user each time.
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      registration: {
        afterVerification: ({ verification }) => unlocked(verification.registrationInfo?.userVerified),
      },
      authentication: {
        afterVerification: ({ verification }) => unlocked(verification.authenticationInfo.userVerified),
      },
      schema: {
        passkey: {
          modelName: 'auth_passkeys',
          fields: {
            userId: 'user_id',
            publicKey: 'public_key',
            credentialID: 'credential_id',
            deviceType: 'device_type',
            backedUp: 'backed_up',
            createdAt: 'created_at',
          },
        },
      },
    }),
    opening(),
  ]
}

function unlocked(isVerified: boolean | undefined): void {
  if (!isVerified)
    throw new APIError('BAD_REQUEST', { code: 'USER_NOT_VERIFIED', message: 'The device did not ask who is there.' })
}

/** Creates a session for a user whom another provider authenticated. Not reachable from outside. */
function opening() {
  return {
    id: 'portal-opening',
    endpoints: {
      openSession: createAuthEndpoint(
        '/portal/open-session',
        {
          method: 'POST',
          body: z.object({ userId: z.uuid(), signInMethod: z.string() }),
          metadata: { SERVER_ONLY: true },
        },
        async (ctx) => {
          const user = await ctx.context.internalAdapter.findUserById(ctx.body.userId)
          if (!user) throw new APIError('UNAUTHORIZED', { code: 'NO_PROFILE', message: 'No account was found.' })
          const session = await ctx.context.internalAdapter.createSession(user.id, false, {
            signInMethod: ctx.body.signInMethod,
          })
          await setSessionCookie(ctx, { session, user })
          return ctx.json({ token: session.token, expiresAt: session.expiresAt.toISOString() })
        },
      ),
    },
  } as const
}
