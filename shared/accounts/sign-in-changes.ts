import * as z from 'zod'
import { ById } from '#shared/common-schemas.ts'
import { endpoint } from '#shared/contract.ts'
import { Password } from './text.ts'

/** Changes to the sign-in methods of an account. */
export const SIGN_IN_CHANGE_KINDS = [
  'phone_added',
  'phone_changed',
  'phone_removed',
  'email_changed',
  'passkey_added',
  'passkey_removed',
  'google_linked',
  'google_unlinked',
  'hub_linked',
  'hub_unlinked',
  'second_factor_added',
  'second_factor_removed',
  'recovery_codes_renewed',
  'password_set',
  'password_changed',
  'password_removed',
] as const
export type SignInChangeKind = (typeof SIGN_IN_CHANGE_KINDS)[number]

/** Days within which a change can be undone. */
export const UNDO_DAYS = 7

const Change = z.object({ kind: z.enum(SIGN_IN_CHANGE_KINDS), changed_at: z.string() })
const Undone = z.object({
  sent_mail: z.boolean().describe('An email with a link to choose a new password has been sent'),
})
const ByToken = z.strictObject({ token: z.string().min(1).max(100) })

export const listSignInChanges = endpoint({
  method: 'GET',
  path: '/account/sign-in-changes',
  access: 'signedIn',
  summary: "Recent changes to the caller's sign-in methods that can still be undone",
  response: z.object({ changes: z.array(Change.extend({ id: z.uuid() })) }),
})

export const undoOwnChange = endpoint({
  method: 'POST',
  path: '/account/sign-in-changes/{id}/undo',
  access: 'signedIn',
  summary:
    'Undoes a change and all later ones, and ends all sessions of the caller; needs a recently confirmed session',
  params: ById,
  body: z.strictObject({ current_password: Password.optional() }).prefault({}),
  response: Undone,
})

export const getSignInChange = endpoint({
  method: 'GET',
  path: '/public/sign-in-changes/{token}',
  access: 'anyone',
  summary: 'What the link in a message would undo',
  params: ByToken,
  response: Change.extend({ later: z.int().describe('Later changes that are undone with it') }),
})

export const undoSignInChange = endpoint({
  method: 'POST',
  path: '/public/sign-in-changes/{token}',
  access: 'anyone',
  summary: 'Undoes a change with the link from a message, once: ends all sessions and requires a new password',
  params: ByToken,
  response: Undone,
})
