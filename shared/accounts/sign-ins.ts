import * as z from 'zod'
import { endpoint } from '#shared/contract.ts'

/** Method of a sign-in attempt. 'link' is any emailed link. */
export const SIGN_IN_METHODS = ['password', 'code', 'phone', 'link', 'passkey', 'google', 'hub', 'second_step'] as const
export type SignInMethod = (typeof SIGN_IN_METHODS)[number]

/**
 * Why the attempt failed. 'unknown_name': no such account; 'slowed': too many failures from one network;
 * 'confirm_by_mail': the account is under attack, and a password alone does not sign in from an unknown device.
 */
export const FAILURE_REASONS = [
  'wrong_secret',
  'unknown_name',
  'slowed',
  'confirm_by_mail',
  'suspended',
  'unconfirmed',
  'other',
] as const
export type FailureReason = (typeof FAILURE_REASONS)[number]

export const PERIODS = ['1', '7', '30'] as const

const Count = z.int().min(0)

export const listFailedSignIns = endpoint({
  method: 'GET',
  path: '/admin-operations/sign-ins',
  access: 'manageUsers',
  summary: 'Failed and blocked sign-ins by method, reason, account and network, largest first',
  query: z.strictObject({ days: z.enum(PERIODS, 'Choose a period').default('1') }),
  response: z.object({
    days: z.enum(PERIODS),
    total: Count,
    by_time: z.array(z.object({ at: z.string(), failures: Count })).describe('Hours for one day, otherwise days'),
    by_way: z.array(z.object({ way: z.enum(SIGN_IN_METHODS), failures: Count })),
    by_reason: z.array(z.object({ reason: z.enum(FAILURE_REASONS), failures: Count })),
    accounts: z
      .array(
        z.object({
          id: z.uuid(),
          display_name: z.string(),
          email: z.string(),
          failures: Count,
          networks: Count,
          last_at: z.string(),
          can_get_mail: z.boolean(),
        }),
      )
      .describe('At most 50 accounts'),
    networks: z
      .array(z.object({ network: z.string().describe('IPv4 /24 or IPv6 /48'), failures: Count, accounts: Count }))
      .describe('At most 50 networks; empty name if the IP address is unknown'),
  }),
})

const UserId = z.strictObject({ id: z.uuid('The id of a user is a UUID') })

export const sendSignInLink = endpoint({
  method: 'POST',
  path: '/admin-operations/users/{id}/sign-in-link',
  access: 'manageUsers',
  status: 202,
  summary: 'Sends the user a sign-in link, which works even while the account is under attack',
  params: UserId,
  response: z.object({}),
})

export const clearSlowDown = endpoint({
  method: 'DELETE',
  path: '/admin-operations/users/{id}/slow-down',
  access: 'manageUsers',
  summary: 'Clears the failed sign-ins that slow down an account',
  params: UserId,
  response: z.object({}),
})
