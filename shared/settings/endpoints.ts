import * as z from 'zod'
import { endpoint } from '#shared/contract.ts'
import { MESSAGE_CHANNELS } from '#shared/delivery/kinds.ts'
import { SETTING_KEYS } from './list.ts'

/** Installation details that every page needs. */
export const Site = z.object({
  brand: z.string(),
  support_email: z.string().describe('Empty if none is configured'),
  all_advisories_url: z.string().describe('External site behind "All Advisories"; empty hides the button'),
  time_zone: z.string().describe('IANA time zone for readers who have not set one'),
  tiles: z
    .object({ url: z.string(), attribution: z.string() })
    .nullable()
    .describe('External map tiles; null: the built-in outlines'),
  call_first_after_days: z.number().int().describe('How long the confirmation of a locale is valid'),
  public_url: z.string(),
  has_sample_content: z.boolean(),
  has_open_outbox: z.boolean().describe('Messages are recorded; anyone on this machine can read them at /outbox'),
})
export type Site = z.infer<typeof Site>

export const getSite = endpoint({
  method: 'GET',
  path: '/public/site',
  access: 'anyone',
  summary: 'Name, contacts and notes of this installation',
  response: Site,
})

const Key = z.strictObject({ key: z.enum(SETTING_KEYS, 'Setting not found') })

export const SettingState = z.object({
  key: z.enum(SETTING_KEYS),
  value: z.json(),
  default: z.json(),
  is_default: z.boolean(),
  updated_at: z.string().nullable(),
  updated_by: z.string().nullable().describe('Name of the user who last changed it'),
  changed_from: z.json().optional().describe('Value before the last change, if it is known'),
})
export type SettingState = z.infer<typeof SettingState>

export const listSettings = endpoint({
  method: 'GET',
  path: '/admin-operations/settings',
  access: 'manageSettings',
  summary: 'All settings with value, default and last change',
  response: z.object({
    settings: z.array(SettingState),
    organizations: z.array(z.string()).describe('Source organisations to choose from'),
    unsent_channels: z
      .array(z.enum(MESSAGE_CHANNELS))
      .describe('Channels without a configured provider: nothing is sent'),
  }),
})

export const changeSettings = endpoint({
  method: 'PUT',
  path: '/admin-operations/settings',
  access: 'manageSettings',
  summary: 'Changes several settings: all, or none if one is invalid or was changed by someone else',
  body: z.strictObject({
    values: z.partialRecord(z.enum(SETTING_KEYS), z.json()),
    was: z
      .partialRecord(z.enum(SETTING_KEYS), z.json())
      .optional()
      .describe('Values that the caller read: only what differs from them is changed, and never over a later change'),
  }),
  response: z.object({ changed: z.array(z.string()) }),
})

export const changeSetting = endpoint({
  method: 'PUT',
  path: '/admin-operations/settings/{key}',
  access: 'manageSettings',
  summary: 'Changes one setting; takes effect immediately on every node',
  params: Key,
  body: z.strictObject({ value: z.json() }),
  response: z.object({ changed: z.array(z.string()) }),
})

export const resetSetting = endpoint({
  method: 'DELETE',
  path: '/admin-operations/settings/{key}',
  access: 'manageSettings',
  summary: 'Resets a setting to its default',
  params: Key,
  response: z.object({ changed: z.array(z.string()) }),
})

export const sendTestMail = endpoint({
  method: 'POST',
  path: '/admin-operations/test-mail',
  access: 'manageSettings',
  status: 202,
  summary: 'Sends a test message to the caller',
  response: z.object({ to: z.string() }),
})
