import { call } from '#web/lib/call.ts'

/** Has the device create a passkey and registers it. Throws when the user or the device declines. */
export async function makePasskey(name: string): Promise<void> {
  const { options } = await call('POST /auth/passkeys/new')
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as Pick<PublicKeyCredentialCreationOptionsJSON, keyof PublicKeyCredentialCreationOptionsJSON>,
  )
  const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential | null
  if (!credential) throw new Error('No passkey was made.')
  const response: Record<string, unknown> = { ...credential.toJSON() }
  await call('POST /auth/passkeys', { body: { response, name } })
}
