import { call } from '#web/lib/call.ts'

/** Lets the device sign in. Returns where to go on; throws when the person or the device says no. */
export async function signInWithPasskey(returnTo: string | null): Promise<string> {
  const { options } = await call('POST /auth/passkeys/options')
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  )
  const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential | null
  if (!credential) throw new Error('No passkey was chosen.')
  const response = credential.toJSON() as unknown as Record<string, unknown>
  const { next } = await call('POST /auth/passkeys/sign-in', {
    body: { response, ...(returnTo ? { returnTo } : {}) },
  })
  return next
}
