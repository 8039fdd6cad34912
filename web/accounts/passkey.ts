import { call } from '#web/lib/call.ts'

/** Signs in with a passkey and returns where to continue. Throws when the user or the device declines. */
export async function signInWithPasskey(returnTo: string | null): Promise<string> {
  const { options } = await call('POST /auth/passkeys/options')
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as Pick<PublicKeyCredentialRequestOptionsJSON, keyof PublicKeyCredentialRequestOptionsJSON>,
  )
  const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential | null
  if (!credential) throw new Error('No passkey was chosen.')
  const response: Record<string, unknown> = { ...credential.toJSON() }
  const { next } = await call('POST /auth/passkeys/sign-in', {
    body: { response, ...(returnTo ? { returnTo } : {}) },
  })
  return next
}
