import * as z from 'zod'
import { endpoint } from '#shared/contract.ts'
import { PRIORITIES } from '#shared/delivery/kinds.ts'
import { ROLES } from '#shared/roles.ts'
import { text } from '#shared/text.ts'

/** Variables of a reminder template; every event provides all of them. */
const REMINDER_VARIABLES = ['name', 'starts', 'place'] as const
export const REMINDER_CHANNELS = ['in-app', 'email', 'sms', 'push', 'whatsapp'] as const
/** Minutes between attempts, and number of attempts, for a failed reminder (001 §9). */
export const REMINDER_RETRY_MINUTES = 10
export const REMINDER_RETRIES = 3
export const REMINDER_MINUTES = 5

const variablesOf = (template: string) =>
  [...template.matchAll(/\{\{\s*([^{}]*?)\s*\}\}/g)].map(([, name = '']) => name)
const templateText = (max: number) =>
  text(max)
    .min(1, 'This field is required')
    .refine(
      (value) => variablesOf(value).every((name) => (REMINDER_VARIABLES as readonly string[]).includes(name)),
      'You can only use {{name}}, {{starts}} and {{place}} here',
    )
const RuleText = z.strictObject({ title: templateText(200), message: templateText(2_000) })

export const ReminderRuleBody = z.strictObject({
  reminder_offsets: z
    .array(
      z
        .number('Enter a number of hours, such as 24')
        .min(0.25, 'Must be from 0.25 to 2160 hours')
        .max(2_160, 'Must be from 0.25 to 2160 hours'),
    )
    .min(1, 'Enter a number of hours, such as 24')
    .max(10, 'Enter at most ten reminders')
    .transform((hours) => [...new Set(hours)].sort((a, b) => b - a))
    .describe('Hours before the event starts'),
  enabled: z.boolean(),
  priority: z.enum(PRIORITIES),
  delivery_methods: z.array(z.enum(REMINDER_CHANNELS)).min(1, 'Choose at least one channel'),
  texts: z.strictObject({ en: RuleText, ar: RuleText }),
  made_from: z.string().optional(),
})
export type ReminderRuleBody = z.output<typeof ReminderRuleBody>

const Rule = z.object({
  id: z.string(),
  event_type: z.string(),
  reminder_offsets: z.array(z.number()),
  enabled: z.boolean(),
  priority: z.enum(PRIORITIES),
  delivery_methods: z.array(z.enum(REMINDER_CHANNELS)),
  recipient_role: z.enum(ROLES).nullable().describe('Null: the participants of the event'),
  texts: z.object({
    en: z.object({ title: z.string(), message: z.string() }),
    ar: z.object({ title: z.string(), message: z.string() }),
  }),
  updated_at: z.string(),
  updated_by_name: z.string().nullable(),
  pending: z.int().describe('Number of pending reminders'),
  sent: z.int(),
  failed: z.int(),
})
export type ReminderRule = z.infer<typeof Rule>

export const listReminderRules = endpoint({
  method: 'GET',
  path: '/admin-operations/reminder-rules',
  access: 'manageNotifications',
  summary: 'Reminder rules with the number of pending reminders',
  response: z.object({ rules: z.array(Rule) }),
})

export const changeReminderRule = endpoint({
  method: 'PUT',
  path: '/admin-operations/reminder-rules/{id}',
  access: 'manageNotifications',
  summary: 'Changes a rule; pending reminders are adapted',
  params: z.strictObject({ id: z.string().max(60) }),
  body: ReminderRuleBody,
  response: z.object({ rule: Rule }),
})
