import type { Router } from '#server/http/router.ts'
import { authUserIdOf } from '#server/http/session.ts'
import {
  addPasskey,
  newPasskeyOptions,
  passkeyOptions,
  removePasskey,
  signInWithPasskey,
} from '#shared/accounts/sign-in-methods.ts'
import { AppError } from '#shared/errors.ts'
import type { Auth } from './auth.ts'
import { lastMethod, methodsOf, rowOf } from './identities.ts'
import { countTry, LIMITS } from './limits.ts'
import { requireFresh } from './own/freshness.ts'
import { applySignInChange, changeSignIn, type SignInChangeDeps } from './sign-in-changes.ts'
import { attempted, expected, type StartSessionDeps, startSession } from './start-session.ts'

/** Sign-in with passkeys, which the device unlocks by biometrics or its own code: both steps in one. */
export function registerPasskeys(router: Router, deps: StartSessionDeps & SignInChangeDeps & { auth: Auth }) {
  const { api } = deps.auth

  router.act(passkeyOptions, async ({ database, session, headers, setCookies }) => {
    await countTry(database, LIMITS.awayAddress, session.address)
    const { headers: answered, response } = await expected(
      api.generatePasskeyAuthenticationOptions({ headers, returnHeaders: true }),
    )
    setCookies(answered.getSetCookie())
    return { options: { ...response, userVerification: 'required' } }
  })

  router.act(signInWithPasskey, async (ctx, { body }) => {
    const attempt = await deps.signIns.attempts.secret(ctx, 'passkey')
    const answer = await attempted(attempt, () =>
      expected(
        api.verifyPasskeyAuthentication({
          body: { response: body.response as never },
          headers: ctx.headers,
          returnHeaders: true,
        }),
      ),
    )
    const credentialId = typeof body.response.id === 'string' ? body.response.id : ''
    return startSession(ctx, deps, answer.headers, { returnTo: body.returnTo, method: 'passkey', credentialId })
  })

  router.act(newPasskeyOptions, async ({ database, session, headers, setCookies }, { body }) => {
    await requireFresh(database, session, body.current_password)
    const { headers: answered, response } = await expected(
      api.generatePasskeyRegistrationOptions({ query: {}, headers, returnHeaders: true }),
    )
    setCookies(answered.getSetCookie())
    return { options: { ...response } }
  })

  router.act(addPasskey, async ({ database, session, headers }, { body }) => {
    await requireFresh(database, session, body.current_password)
    const made = await expected(
      api.verifyPasskeyRegistration({
        body: { response: body.response as never, ...(body.name ? { name: body.name } : {}) },
        headers,
      }),
    )
    await applySignInChange(database, authUserIdOf(session), deps, async () => {
      const audit = { action: 'user.passkey' as const, after: { id: made.id, name: body.name } }
      return { change: { kind: 'passkey_added', former: { id: made.id }, audit }, result: undefined }
    }).catch(async (error: Error) => {
      // The library has already written it. A passkey without a notice to the owner must not stay.
      await database.requests.kysely.deleteFrom('auth_passkeys').where('id', '=', made.id).execute()
      throw error
    })
    return { id: made.id }
  })

  router.act(removePasskey, (ctx, { params, body }) =>
    changeSignIn(
      ctx,
      deps,
      async (db, owner) => {
        const known = await methodsOf(db, owner.id)
        const passkey = known.passkeys.find(({ id }) => id === params.id)
        if (!passkey) throw new AppError(404, 'passkey_not_found', 'Passkey not found.')
        if (known.isLast) throw lastMethod()
        const former = await rowOf(db, 'auth_passkeys', passkey.id)
        await db.deleteFrom('auth_passkeys').where('id', '=', passkey.id).execute()
        const audit = { action: 'user.passkey' as const, before: { id: passkey.id, name: passkey.name ?? '' } }
        return { change: { kind: 'passkey_removed', former, audit }, result: {} }
      },
      body.current_password,
    ),
  )
}
