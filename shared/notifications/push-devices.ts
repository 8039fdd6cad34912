import * as z from 'zod'
import { endpoint } from '#shared/contract.ts'

/** Maximum browsers per user that receive push messages; beyond it, the one inactive longest is removed. */
export const MAX_BROWSERS = 10

const INVALID = 'This browser cannot receive push notifications'
const Base64Url = z.string().regex(/^[\w-]+=*$/, INVALID)

/** Result of the browser's `PushSubscription.toJSON()`. */
const BrowserEntry = z.strictObject({
  endpoint: z.url({ protocol: /^https?$/, error: INVALID }).max(2_000, INVALID),
  expirationTime: z.number().nullable().optional(),
  keys: z.strictObject({ p256dh: Base64Url.max(200, INVALID), auth: Base64Url.max(100, INVALID) }),
})
const Browser = z.object({
  id: z.uuid(),
  user_agent: z.string().nullable(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
})
export type PushBrowser = z.infer<typeof Browser>

export const getPushKey = endpoint({
  method: 'GET',
  path: '/public/push-key',
  access: 'anyone',
  summary: 'Public key for push subscriptions (applicationServerKey)',
  response: z.object({ public_key: z.string() }),
})

export const listBrowsers = endpoint({
  method: 'GET',
  path: '/notifications/browsers',
  access: 'signedIn',
  summary: 'Browsers of the caller that receive push notifications',
  response: z.object({ browsers: z.array(Browser) }),
})

export const addBrowser = endpoint({
  method: 'POST',
  path: '/notifications/browsers',
  access: 'signedIn',
  status: 201,
  summary: 'Registers this browser for push notifications of the caller; replaces a registration by another user',
  body: BrowserEntry,
  response: z.object({ browser: Browser }),
})

export const removeBrowser = endpoint({
  method: 'DELETE',
  path: '/notifications/browsers',
  access: 'signedIn',
  summary: 'Unregisters a browser of the caller, by endpoint or id',
  body: z
    .strictObject({ endpoint: z.string().max(2_000).optional(), id: z.uuid().optional() })
    .refine(({ endpoint, id }) => (endpoint === undefined) !== (id === undefined), INVALID),
  response: z.object({ removed: z.boolean() }),
})
