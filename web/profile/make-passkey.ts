import { call } from '#web/lib/call.ts'

/** Lets the device make a passkey for this portal, and has it kept. Throws when the person or the device says no. */
export async function makePasskey(name: string): Promise<void> {
  const { options } = await call('POST /auth/passkeys/new')
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  )
  const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential | null
  if (!credential) throw new Error('No passkey was made.')
  const response = credential.toJSON() as unknown as Record<string, unknown>
  await call('POST /auth/passkeys', { body: { response, name } })
}
