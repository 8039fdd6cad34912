import {
  addPasskey,
  newPasskeyOptions,
  passkeyOptions,
  removePasskey,
  signInWithPasskey,
} from '#shared/accounts/ways.ts'
import { AppError } from '#shared/errors.ts'
import { inBackground } from '../db/claims.ts'
import type { Door } from '../http/door.ts'
import { auditOwn } from './audit.ts'
import type { Auth } from './auth.ts'
import { lastWay, waysOf } from './identities.ts'
import { countTry, LIMITS } from './limits.ts'
import { attempted, expected, type OpenedParts, opened } from './opened.ts'
import { requireFresh } from './own/freshness.ts'

/** Signing in with what a device keeps and unlocks by a finger, a face or its own code: both steps in one. */
export function passkeys(door: Door, parts: OpenedParts & { auth: Auth }) {
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
    return opened(asked, parts, answer.headers, { returnTo: body.returnTo, way: 'passkey' })
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
    const made = await expected(
      api.verifyPasskeyRegistration({
        body: { response: body.response as never, ...(body.name ? { name: body.name } : {}) },
        headers,
      }),
    )
    await inBackground(database, 'accounts', (db) =>
      auditOwn(db, session, 'user.passkey', { after: { id: made.id, name: body.name } }),
    )
    return { id: made.id }
  })

  door.act(removePasskey, async ({ database, session }, { params }) => {
    await database.requests.kysely.transaction().execute(async (db) => {
      const held = await waysOf(db, session.authUserId!)
      const passkey = held.passkeys.find(({ id }) => id === params.id)
      if (!passkey) throw new AppError(404, 'passkey_not_found', 'There is no such passkey.')
      if (held.isLast) throw lastWay()
      await db.deleteFrom('auth_passkeys').where('id', '=', passkey.id).execute()
      await auditOwn(db, session, 'user.passkey', { before: { id: passkey.id, name: passkey.name ?? '' } })
    })
    return {}
  })
}
