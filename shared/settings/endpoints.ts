import * as z from 'zod'
import { endpoint } from '../contract.ts'

/** What every page needs to know of the installation. */
export const Site = z.object({
  brand: z.string(),
  support_email: z.string().describe('Empty when none is configured'),
  all_advisories_url: z.string().describe('External site behind "All Advisories"; empty hides the button'),
  time_zone: z.string().describe('IANA zone of times shown where the reader has no own'),
  public_url: z.string(),
  has_sample_content: z.boolean(),
  has_open_outbox: z.boolean().describe('Messages are recorded, and anyone at this machine reads them at /outbox'),
})
export type Site = z.infer<typeof Site>

export const getSite = endpoint({
  method: 'GET',
  path: '/public/site',
  access: 'anyone',
  summary: 'Name, contact and notes of this installation',
  response: Site,
})
