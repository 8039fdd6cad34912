import * as z from 'zod'
import { ByToken } from '#shared/common-schemas.ts'
import { endpoint } from '#shared/contract.ts'
import { KINDS } from '#shared/delivery/kinds.ts'

export const SCOPES = ['kind', 'subscription'] as const

const UnsubscribeState = z.object({
  kind: z.enum(KINDS),
  subscription: z
    .object({
      countries: z.array(z.string()).describe('Codes; empty: every country'),
      is_ended: z.boolean().describe('No mail comes by it'),
    })
    .nullable()
    .describe('By which the mail came; null when there was none, or when it is gone'),
  is_kind_ended: z.boolean().describe('No mail of this kind comes at all'),
})
export type UnsubscribeState = z.infer<typeof UnsubscribeState>

export const getUnsubscribeState = endpoint({
  method: 'GET',
  path: '/public/unsubscribe/{token}',
  access: 'anyone',
  summary: 'What the link of a mail ends; nothing is ended by asking',
  params: ByToken,
  response: UnsubscribeState,
})

export const unsubscribe = endpoint({
  method: 'POST',
  path: '/public/unsubscribe/{token}',
  access: 'anyone',
  summary: 'Ends mail by the link in it, in one click (RFC 8058): no session, no cookie, from anywhere',
  params: ByToken,
  query: z.strictObject({ scope: z.enum(SCOPES).optional() }),
  response: UnsubscribeState,
})

export const resubscribe = endpoint({
  method: 'POST',
  path: '/public/unsubscribe/{token}/undo',
  access: 'anyone',
  summary: 'Takes the ending back',
  params: ByToken,
  query: z.strictObject({ scope: z.enum(SCOPES).optional() }),
  response: UnsubscribeState,
})
