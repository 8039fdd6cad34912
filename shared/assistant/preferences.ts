import * as z from 'zod'
import { endpoint } from '#shared/contract.ts'
import { ASSISTANT_LANGUAGE_CODES } from './languages.ts'

const CHOICES = {
  enableRealTime: z.boolean(),
  enableNotifications: z.boolean(),
  enableSounds: z.boolean(),
  enableHaptics: z.boolean(),
  theme: z.enum(['system', 'light', 'dark']),
  fontSize: z.enum(['small', 'medium', 'large']),
  messageGrouping: z.boolean(),
  showTimestamps: z.boolean(),
  enableVoice: z.boolean(),
  autoScroll: z.boolean(),
}

/** Settings of the chat screen (000 §2) with their defaults (D-14). */
export const ChatSettings = z.object({
  enableRealTime: CHOICES.enableRealTime.default(true),
  enableNotifications: CHOICES.enableNotifications.default(false),
  enableSounds: CHOICES.enableSounds.default(false),
  enableHaptics: CHOICES.enableHaptics.default(false),
  theme: CHOICES.theme.default('system'),
  fontSize: CHOICES.fontSize.default('medium'),
  messageGrouping: CHOICES.messageGrouping.default(true),
  showTimestamps: CHOICES.showTimestamps.default(true),
  enableVoice: CHOICES.enableVoice.default(false),
  autoScroll: CHOICES.autoScroll.default(true),
})
export type ChatSettings = z.infer<typeof ChatSettings>

export const AssistantPreferences = z.object({
  preferred_language: z.enum(ASSISTANT_LANGUAGE_CODES).nullable(),
  cultural_preferences: z.record(z.string(), z.string().max(200)),
  settings: ChatSettings,
})

export const readAssistantPreferences = endpoint({
  method: 'GET',
  path: '/ai/preferences',
  access: 'signedIn',
  summary: 'Language and assistant settings of the caller',
  response: AssistantPreferences,
})

export const changeAssistantPreferences = endpoint({
  method: 'PUT',
  path: '/ai/preferences',
  access: 'signedIn',
  summary: 'Changes the given settings',
  body: z.strictObject({
    preferred_language: z.enum(ASSISTANT_LANGUAGE_CODES).nullable().optional(),
    cultural_preferences: z.record(z.string().max(50), z.string().max(200)).optional(),
    settings: z.strictObject(CHOICES).partial().optional(),
  }),
  response: AssistantPreferences,
})
