import * as z from 'zod'
import { ById, Deleted, instant } from '#shared/common-schemas.ts'
import { endpoint } from '#shared/contract.ts'
import { text } from '#shared/text.ts'
import { ServantEntry } from './entry.ts'
import { line, manages } from './managed.ts'

export const ManagedServant = z.object({
  id: z.uuid(),
  name: z.string(),
  role: z.string(),
  phone: line,
  email: line,
  is_name_public: z.boolean(),
  is_contact_public: z.boolean(),
  agreed_at: instant.nullable().describe('When the person agreed to the publication'),
  user_id: z.uuid().nullable(),
  user_name: line,
  position: z.int(),
})
export type ManagedServant = z.infer<typeof ManagedServant>

const ServantId = z.strictObject({ id: z.uuid(), servant: z.uuid() })

export const listServants = endpoint({
  ...manages,
  method: 'GET',
  path: '/locales/{id}/servants',
  summary: 'Servants of a locale, in order, with their consents',
  params: ById,
  response: z.object({ servants: z.array(ManagedServant) }),
})

export const createServant = endpoint({
  ...manages,
  method: 'POST',
  path: '/locales/{id}/servants',
  status: 201,
  summary: 'Adds a servant',
  params: ById,
  body: ServantEntry,
  response: z.object({ servant: ManagedServant }),
})

export const updateServant = endpoint({
  ...manages,
  method: 'PUT',
  path: '/locales/{id}/servants/{servant}',
  summary: 'Replaces a servant',
  params: ServantId,
  body: ServantEntry,
  response: z.object({ servant: ManagedServant }),
})

export const deleteServant = endpoint({
  ...manages,
  method: 'DELETE',
  path: '/locales/{id}/servants/{servant}',
  summary: 'Removes a servant',
  params: ServantId,
  response: Deleted,
})

export const listServantAccounts = endpoint({
  ...manages,
  method: 'GET',
  path: '/locales/servant-accounts',
  summary: 'Accounts of local servants, by name or email address',
  query: z.strictObject({ search: text(200).default('') }),
  response: z.object({
    accounts: z.array(z.object({ id: z.uuid(), display_name: z.string(), email: z.string() })),
  }),
})
