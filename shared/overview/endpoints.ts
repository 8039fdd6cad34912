import * as z from 'zod'
import { endpoint } from '../contract.ts'
import { ROLES } from '../roles.ts'

export const FOUND_PEOPLE = 8

export const AdminFrame = z.object({
  new_accounts: z.int().describe('Accounts that nobody has verified yet; of coordinators: those of their countries'),
  failed_messages: z.int().describe('Messages that did not go out; 0 for those who may not see them'),
  single_key_shortcuts: z.boolean().describe('Whether the / key leads to the search'),
})
export type AdminFrame = z.infer<typeof AdminFrame>

export const getAdminFrame = endpoint({
  method: 'GET',
  path: '/admin-operations/frame',
  access: 'searchAdmin',
  summary: 'What stands around every page of the admin area: the counts of its menu',
  response: AdminFrame,
})

export const FoundPerson = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
})
export type FoundPerson = z.infer<typeof FoundPerson>

export const searchAdmin = endpoint({
  method: 'GET',
  path: '/admin-operations/search',
  access: 'searchAdmin',
  summary: `People by name or email, ${FOUND_PEOPLE} at most; only those the caller may see`,
  query: z.strictObject({ search: z.string().trim().min(2).max(200) }),
  response: z.object({ people: z.array(FoundPerson) }),
})
