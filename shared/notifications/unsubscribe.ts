import * as z from 'zod'
import { ByToken } from '#shared/common-schemas.ts'
import { endpoint } from '#shared/contract.ts'
import { KINDS } from '#shared/delivery/kinds.ts'

export const SCOPES = ['kind', 'subscription'] as const

const UnsubscribeState = z.object({
  kind: z.enum(KINDS),
  subscription: z
    .object({
      countries: z.array(z.string()).describe('ISO codes; empty: every country'),
      is_ended: z.boolean().describe('No longer sends emails'),
    })
    .nullable()
    .describe('The subscription behind the email; null if there was none or it was deleted'),
  is_kind_ended: z.boolean().describe('All emails of this kind are turned off'),
})
export type UnsubscribeState = z.infer<typeof UnsubscribeState>

export const getUnsubscribeState = endpoint({
  method: 'GET',
  path: '/public/unsubscribe/{token}',
  access: 'anyone',
  summary: 'What the unsubscribe link of an email ends; reading it changes nothing',
  params: ByToken,
  response: UnsubscribeState,
})

export const unsubscribe = endpoint({
  method: 'POST',
  path: '/public/unsubscribe/{token}',
  access: 'anyone',
  summary: 'Unsubscribes with the link of an email in one click (RFC 8058): no session, no cookie, any origin',
  params: ByToken,
  query: z.strictObject({ scope: z.enum(SCOPES).optional() }),
  response: UnsubscribeState,
})

export const resubscribe = endpoint({
  method: 'POST',
  path: '/public/unsubscribe/{token}/undo',
  access: 'anyone',
  summary: 'Undoes the unsubscribing',
  params: ByToken,
  query: z.strictObject({ scope: z.enum(SCOPES).optional() }),
  response: UnsubscribeState,
})
