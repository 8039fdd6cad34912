import type { Generated } from 'kysely'
import type { FailureReason, SignInMethod } from '#shared/accounts/sign-ins.ts'
import type { DefaultInstant, Instant, OptionalInstant } from './column-types.ts'

/** Tables that keep sign-in available and safe during an attack. */
export interface SignInTables {
  auth_devices: { user_id: string; token_hash: string; last_used_at: DefaultInstant }
  auth_networks: { user_id: string; network_hash: string; last_used_at: DefaultInstant }
  auth_mails: {
    key: string
    /** Encrypted. */
    secret: string | null
    secret_hash: string | null
    expires_at: OptionalInstant
    sent: Generated<number>
    counted_since: DefaultInstant
    last_sent_at: OptionalInstant
  }
  sign_in_failures: {
    at: Instant
    method: SignInMethod
    reason: FailureReason
    auth_user_id: string | null
    network: string
    count: number
  }
}
