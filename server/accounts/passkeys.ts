import {
  addPasskey,
  newPasskeyOptions,
  passkeyOptions,
  removePasskey,
  signInWithPasskey,
} from '#shared/accounts/ways.ts'
import { AppError } from '#shared/errors.ts'
import type { Door } from '../http/door.ts'
import type { Auth } from './auth.ts'
import { lastMethod, methodsOf, rowOf } from './identities.ts'
import { countTry, LIMITS } from './limits.ts'
import { attempted, expected, type OpenedParts, opened } from './opened.ts'
import { requireFresh } from './own/freshness.ts'
import { applySignInChange, changeSignIn, type SignInChangeDeps } from './sign-in-changes.ts'

/** Signing in with what a device keeps and unlocks by a finger, a face or its own code: both steps in one. */
export function passkeys(door: Door, parts: OpenedParts & SignInChangeDeps & { auth: Auth }) {
  const { api } = parts.auth

  door.act(passkeyOptions, async ({ database, session, headers, setCookies }) => {
    await countTry(database, LIMITS.awayAddress, session.address)
    const { headers: answered, response } = await expected(
      api.generatePasskeyAuthenticationOptions({ headers: headers, returnHeaders: true }),
    )
    setCookies(answered.getSetCookie())
    return { options: { ...response, userVerification: 'required' } }
  })

  door.act(signInWithPasskey, async (asked, { body }) => {
    const attempt = await parts.signIns.attempts.secret(asked, 'passkey')
    const answer = await attempted(attempt, () =>
      expected(
        api.verifyPasskeyAuthentication({
          body: { response: body.response as never },
          headers: asked.headers,
          returnHeaders: true,
        }),
      ),
    )
    const credentialId = typeof body.response.id === 'string' ? body.response.id : ''
    return opened(asked, parts, answer.headers, { returnTo: body.returnTo, way: 'passkey', credentialId })
  })

  door.act(newPasskeyOptions, async ({ database, session, headers, setCookies }, { body }) => {
    await requireFresh(database, session, body.current_password)
    const { headers: answered, response } = await expected(
      api.generatePasskeyRegistrationOptions({ query: {}, headers, returnHeaders: true }),
    )
    setCookies(answered.getSetCookie())
    return { options: { ...response } }
  })

  door.act(addPasskey, async ({ database, session, headers }, { body }) => {
    await requireFresh(database, session, body.current_password)
    const made = await expected(
      api.verifyPasskeyRegistration({
        body: { response: body.response as never, ...(body.name ? { name: body.name } : {}) },
        headers,
      }),
    )
    await applySignInChange(database, session.authUserId!, parts, async () => {
      const audit = { action: 'user.passkey', after: { id: made.id, name: body.name } }
      return { change: { kind: 'passkey_added', former: { id: made.id }, audit }, result: undefined }
    }).catch(async (error: Error) => {
      // The library wrote it already. One of which the owner hears nothing does not stay.
      await database.requests.kysely.deleteFrom('auth_passkeys').where('id', '=', made.id).execute()
      throw error
    })
    return { id: made.id }
  })

  door.act(removePasskey, (asked, { params, body }) =>
    changeSignIn(
      asked,
      parts,
      async (db, owner) => {
        const known = await methodsOf(db, owner.id)
        const passkey = known.passkeys.find(({ id }) => id === params.id)
        if (!passkey) throw new AppError(404, 'passkey_not_found', 'There is no such passkey.')
        if (known.isLast) throw lastMethod()
        const former = await rowOf(db, 'auth_passkeys', passkey.id)
        await db.deleteFrom('auth_passkeys').where('id', '=', passkey.id).execute()
        const audit = { action: 'user.passkey', before: { id: passkey.id, name: passkey.name ?? '' } }
        return { change: { kind: 'passkey_removed', former, audit }, result: {} }
      },
      body.current_password,
    ),
  )
}
